import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { BOMBS, type Bomb } from "../support/bombs.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { Api } from "./harness/api.ts";
import { type Bench, type Figure, ms, type Spread, spreadOf } from "./harness/figure.ts";
import { startServer } from "./harness/server.ts";

const IDLE_CALLS = 200;
const QUICK_BOMBS = 3;
const PAUSE_MS = 5;
const LIMIT_MS = 50;
/** Measured in CPU time of the main thread, which other load on the machine does not affect. */
const HELD_LIMIT_MS = 50;
const IMPORT_LIMIT_SECONDS = 150;

export const bombs: Bench = {
  name: "bombs",
  title: "/health while a small file that costs its reader much is imported",
  async run({ quick }) {
    let held = 0;
    const server = await startServer({
      onHeld: (stretchMs) => {
        held = Math.max(held, stretchMs);
      },
    });
    const folder = await temporaryFolder();
    const api = await Api.open(server.port);
    try {
      const idle = await healthWhile(api, (calls) => calls < IDLE_CALLS);
      const figures: Figure[] = [];
      for (const bomb of quick ? BOMBS.slice(0, QUICK_BOMBS) : BOMBS) {
        const path = join(folder.path, bomb.name);
        await writeFile(path, await bomb.make());
        held = 0;
        figures.push(await figureOf(bomb, path, server.port, api, idle), {
          what: "  longest time that the main thread was held",
          measured: held === 0 ? "below 20 ms" : ms(held),
          expected: `≤ ${HELD_LIMIT_MS} ms`,
          met: held <= HELD_LIMIT_MS,
        });
      }
      return figures;
    } finally {
      api.close();
      await server.stop();
      await folder.remove();
    }
  },
};

async function figureOf(
  { name, what }: Bomb,
  path: string,
  port: number,
  api: Api,
  idle: Spread,
): Promise<Figure> {
  const began = performance.now();
  let isDone = false;
  const answer = fetch(`http://127.0.0.1:${port}/api/v1/resources`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ path, wait: true, timeout: IMPORT_LIMIT_SECONDS }),
  }).finally(() => {
    isDone = true;
  });
  const during = await healthWhile(api, () => !isDone);
  const { status } = await answer;
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  return {
    what: `${name}: ${what} (${status} in ${seconds} s)`,
    measured: said(during),
    beside: `idle: ${said(idle)}`,
    ratio: during.p50 / idle.p50,
    expected: `p99 ≤ ${LIMIT_MS} ms`,
    met: during.p99 <= LIMIT_MS,
  };
}

async function healthWhile(api: Api, goesOn: (calls: number) => boolean): Promise<Spread> {
  const times: number[] = [];
  do {
    times.push(...(await api.all([{ method: "GET", path: "/health" }])));
    await pause(PAUSE_MS);
  } while (goesOn(times.length));
  return spreadOf(times);
}

const said = ({ p50, p99 }: Spread): string => `p50 ${ms(p50)}, p99 ${ms(p99)}`;
