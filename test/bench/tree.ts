import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { Api, write } from "./harness/api.ts";
import { type Bench, type Figure, median, ms, perSecond, spreadOf } from "./harness/figure.ts";
import type { HttpRequestSpec } from "./harness/http1-connection.ts";
import { startServer } from "./harness/server.ts";
import { timed } from "./harness/timed.ts";

const FILES = 10_000;
const SUBFOLDERS = 100;
const MOVES = 10;
const CALLERS = 200;
const UNCHANGED_MS = 3000;
const REMOVED = 500;
const REMOVE_MS = 50;
const ROUNDS = 5;
const ADDS = 50;
const ADDS_MS = 1000;

export const tree: Bench = {
  name: "tree",
  title: "changes of the tree",
  async run({ quick }) {
    const files = quick ? 500 : FILES;
    const server = await startServer();
    const folder = await temporaryFolder();
    try {
      const root = join(folder.path, "0");
      await makeFiles(root, files);
      const api = await Api.open(server.port, CALLERS);
      await api.post("/api/v1/resources", { path: root, to: "ctx://resources/moved-0", wait: true });
      const again = await timed(() =>
        api.post("/api/v1/resources", { path: root, to: "ctx://resources/moved-0", wait: true }),
      );
      const moves: number[] = [];
      const renames: number[] = [];
      for (let i = 0; i < MOVES; i++) {
        const began = performance.now();
        await api.post("/api/v1/fs/mv", {
          from_uri: `ctx://resources/moved-${i}`,
          to_uri: `ctx://resources/moved-${i + 1}`,
        });
        const between = performance.now();
        await rename(join(folder.path, String(i)), join(folder.path, String(i + 1)));
        moves.push(between - began);
        renames.push(performance.now() - between);
      }
      const { count } = await api.get<{ count: number }>(
        `/api/v1/fs/stat?uri=ctx://resources/moved-${MOVES}`,
      );
      if (count < files) throw new Error(`${count} of ${files} files have arrived`);
      const [move, plain] = [median(moves), median(renames)];
      const moved: Figure = {
        what: `mv of a directory of ${files.toLocaleString("en-US")} files`,
        measured: ms(move),
        beside: `rename(2) of the same folder: ${ms(plain)}`,
      };
      const unchanged: Figure = {
        what: `import of ${files.toLocaleString("en-US")} files that did not change`,
        measured: ms(again),
        expected: "≤ 3 s",
        met: again <= UNCHANGED_MS,
      };
      const figures = [
        unchanged,
        moved,
        ...(await removals(api, join(folder.path, String(MOVES)))),
        ...(await atOnce(api)),
      ];
      api.close();
      return figures;
    } finally {
      await server.stop();
      await folder.remove();
    }
  },
};

async function makeFiles(root: string, files: number): Promise<void> {
  for (let sub = 0; sub < SUBFOLDERS; sub++) {
    const path = join(root, `s${sub}`);
    await mkdir(path, { recursive: true });
    await Promise.all(
      Array.from({ length: files / SUBFOLDERS }, (_, i) =>
        writeFile(join(path, `f${i}.txt`), `File ${i} of folder ${sub}.\n`),
      ),
    );
  }
}

/** Measures removing imported folders of files in one step each, and many small imports at once. */
async function removals(api: Api, source: string): Promise<Figure[]> {
  const times: number[] = [];
  const removed = "ctx://resources/removed";
  await makeFiles(`${source}-few`, REMOVED);
  for (let round = 0; round < ROUNDS; round++) {
    await api.post("/api/v1/resources", { path: `${source}-few`, to: removed, wait: true });
    const began = performance.now();
    await api.all([{ method: "DELETE", path: `/api/v1/fs?uri=${removed}&recursive=true` }]);
    times.push(performance.now() - began);
  }
  const taken = median(times);
  const adds = Array.from({ length: ADDS }, (_, i) => ({
    method: "POST",
    path: "/api/v1/resources",
    body: JSON.stringify({
      path: join(`${source}-few`, "s1", `f${i % (REMOVED / SUBFOLDERS)}.txt`),
      to: `ctx://resources/adds/a${i}`,
      wait: true,
    }),
  }));
  const together = await timed(() => api.all(adds));
  return [
    { what: `rm -r of ${REMOVED} files`, measured: ms(taken), expected: "≤ 50 ms", met: taken <= REMOVE_MS },
    {
      what: `${ADDS} adds of one file at once, with wait`,
      measured: ms(together),
      expected: "< 1 s",
      met: together < ADDS_MS,
    },
  ];
}

async function atOnce(api: Api): Promise<Figure[]> {
  const each = (make: (i: number) => HttpRequestSpec) => Array.from({ length: CALLERS }, (_, i) => make(i));
  const kinds: [string, HttpRequestSpec[]][] = [
    ["writes", each((i) => write(`ctx://resources/hot/f${i}.txt`, `Content of file ${i}.`))],
    ["moves", each((i) => ({ method: "POST", path: "/api/v1/fs/mv", body: JSON.stringify(named(i)) }))],
    ["deletes", each((i) => ({ method: "DELETE", path: `/api/v1/fs?uri=ctx://resources/hot/g${i}.txt` }))],
  ];
  const figures: Figure[] = [];
  for (const [kind, requests] of kinds) {
    const began = performance.now();
    const { p50, p99 } = spreadOf(await api.all(requests));
    const rate = (CALLERS * 1000) / (performance.now() - began);
    figures.push({
      what: `${CALLERS} ${kind} at once in one directory`,
      measured: `${perSecond(rate)}, p50 ${ms(p50)}, p99 ${ms(p99)}`,
    });
  }
  return figures;
}

const named = (i: number) => ({
  from_uri: `ctx://resources/hot/f${i}.txt`,
  to_uri: `ctx://resources/hot/g${i}.txt`,
});
