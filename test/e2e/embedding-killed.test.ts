import { execFileSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { MINILM_SPACE } from "../../src/providers/builtin/minilm-embedding.ts";
import { verifyFolder } from "../../src/server/verify-data-dir.ts";
import { ROOT_KEY, type Served, serve } from "../support/served.ts";
import { silentLog } from "../support/silent-log.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const FILES = 1000;
const PROCESSES = 1 + Math.min(2, availableParallelism());
const KILLS = 4;
const WAIT_SECONDS = 110;
const LIMIT_MS = 180_000;

let served: Served;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
  await mkdir(join(folder.path, "notes"));
  for (let i = 0; i < FILES; i++)
    await writeFile(
      join(folder.path, "notes", `n${i}.md`),
      `Keeper${i} of the lighthouse trims lamp${i} at night.\n`,
    );
  served = await serve({ CTXDB_EMBEDDING_PROVIDER: "builtin", CTXDB_LOCAL_PATHS: folder.path });
});
afterAll(async () => {
  await served.close();
  await folder.remove();
});

/** Returns the embedding processes: the one for queries and the one for everything else. */
const processes = (): number[] =>
  execFileSync("ps", ["-o", "pid=,args=", "--ppid", String(process.pid)], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes("minilm-child"))
    .map((line) => Number.parseInt(line, 10));

const embedded = async (): Promise<number> => {
  const answer = await fetch(`http://127.0.0.1:${served.port}/metrics`, {
    headers: { "X-API-Key": ROOT_KEY },
  });
  return Number(
    new RegExp(`^ctxdb_space_texts_total\\{space="${MINILM_SPACE}"\\} (\\d+)`, "m").exec(
      await answer.text(),
    )?.[1] ?? 0,
  );
};

const find = async (i: number): Promise<string | undefined> => {
  const { result } = await served.rest(ROOT_KEY, "POST search/find", { query: `who trims lamp${i}?` });
  return (result as { resources: { uri: string }[] }).resources[0]?.uri;
};

const note = (i: number) => `ctx://resources/notes/n${i}.md`;

it("an import of a thousand files loses no file or vector when embedding processes are killed", {
  timeout: LIMIT_MS,
}, async () => {
  const { http } = await served.rest(ROOT_KEY, "POST resources", {
    path: join(folder.path, "notes"),
    to: "ctx://resources/notes",
    wait: false,
  });
  expect(http).toBe(200);
  while ((await find(0)) === undefined);
  for (let kill = 0; kill < KILLS; kill++) {
    const before = await embedded();
    // a search starts the first one, the queue starts the other
    for (let asked = 0; processes().length < PROCESSES || (await embedded()) === before; asked++)
      expect(await find(asked % FILES)).toBe(note(asked % FILES));
    for (const pid of processes()) process.kill(pid, "SIGKILL");
    expect(await find(kill)).toBe(note(kill));
  }
  expect(await embedded()).toBeLessThan(FILES);
  expect((await served.rest(ROOT_KEY, "POST system/wait", { timeout: WAIT_SECONDS })).http).toBe(200);
  expect(await embedded()).toBeGreaterThanOrEqual(FILES);
  const { result } = await served.rest(ROOT_KEY, "GET observer/queue");
  expect(result).toMatchObject({ has_errors: false });
  for (let i = 0; i < FILES; i += 97) expect(await find(i)).toBe(note(i));
  // every chunk has its vector; otherwise it would be listed
  await served.restart(async () => {
    expect(await verifyFolder(served.dataDir, { log: silentLog, now: Date.now })).toEqual([]);
  });
});
