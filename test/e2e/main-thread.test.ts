import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { verifyFolder } from "../../src/server/verify-data-dir.ts";
import { type Answer, isOk, Rest, say } from "../crash/rest.ts";
import { ROOT_KEY, Server } from "../crash/server.ts";
import { silentLog } from "../support/silent-log.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const FILES = 10_000;
const FOLDERS = 100;
const GONE = 1000;
/**
 * Maximum CPU time in ms for which the main thread may be blocked, including compilation and garbage
 * collection.
 */
const LIMIT_MS = 60;
/** Higher limit for one stretch per stage, since the end of a full garbage collection may fall into it. */
const COLLECTING_LIMIT_MS = 100;
/** Limit for a single text of several megabytes, which is read in one piece before it is cut. */
const LONG_TEXT_LIMIT_MS = 200;
/** Texts without sentence ends. */
const ENDLESS = {
  words: "word ".repeat(600_000),
  signs: "灯塔的看守人".repeat(170_000),
  run: "aGVsbG8gd29ybGQ0".repeat(200_000),
};
const SETTLE_MS = 100;
const WAIT_SECONDS = 50;
const ROOT = "ctx://resources/big";
const WATCH = new URL("../support/main-thread.mjs", import.meta.url).href;

interface Progress {
  readonly status: string;
  readonly progress: { readonly done: number };
  /** Number of nodes below the root. */
  readonly count: number;
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * Linux reports the CPU time of a thread; other systems offer no measure that a busy machine leaves
 * unchanged.
 */
describe.runIf(existsSync("/proc/self/schedstat"))("a tree of 10,000 files", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let server: Server;
  let rest: Rest;
  const sources = () => join(folder.path, "sources");

  const begin = async () => {
    server = new Server({
      dataDir: join(folder.path, "data"),
      sources: sources(),
      fromSource: true,
      preload: WATCH,
      settings: { CTXDB_SEAL_DOCS: "2048" },
    });
    const port = (await server.ready())!;
    const root = new Rest(port, { "x-api-key": ROOT_KEY });
    const account = await root.post("/api/v1/admin/accounts", { account_id: "work", admin_user_id: "boss" });
    root.close();
    rest = new Rest(port, { "x-api-key": (account.result as { user_key: string }).user_key });
  };
  const layOut = async (text: (i: number) => string, first = 0) => {
    for (let i = first; i < first + FILES; i++)
      await writeFile(join(sources(), `s${i % FOLDERS}`, `f${i}.md`), text(i));
  };
  /** Returns the longest stretches in ms during an action and its consequences, longest first. */
  const held = async (work: () => Promise<Answer>): Promise<number[]> => {
    await pause(SETTLE_MS);
    const said = server.errors.length;
    const answer = await work();
    if (!isOk(answer)) throw new Error(say(answer));
    while (!isOk(await rest.post("/api/v1/system/wait", { timeout: WAIT_SECONDS })));
    await pause(SETTLE_MS);
    const stretches = [...server.errors.slice(said).matchAll(/^held ([\d.]+)/gm)].map(([, ms]) => Number(ms));
    return stretches.sort((a, b) => b - a);
  };

  beforeAll(async () => {
    folder = await temporaryFolder();
    for (let i = 0; i < FOLDERS; i++) await mkdir(join(sources(), `s${i}`), { recursive: true });
    await layOut((i) => `# File ${i}\n\nNote ${i} about rivers and owls.\n`);
    await begin();
  });
  afterAll(async () => {
    rest.close();
    if (server.running) await server.kill();
    await folder.remove();
  });

  it("writing megabytes of text without a sentence yields to the event loop", {
    timeout: 300_000,
  }, async () => {
    const long: Record<string, number> = {};
    for (const [name, text] of Object.entries(ENDLESS)) {
      const write = {
        uri: `ctx://resources/${name}.txt`,
        content: text,
        mode: "create",
        wait: true,
        timeout: WAIT_SECONDS,
      };
      long[name] = (await held(() => rest.post("/api/v1/content/write", write)))[0] ?? 0;
    }
    expect(Object.entries(long).filter(([, ms]) => ms > LONG_TEXT_LIMIT_MS)).toEqual([]);
  });

  it("no operation on 10,000 files blocks the main thread for long", { timeout: 600_000 }, async () => {
    const tooLong: Record<string, number[]> = {};
    const take = (what: string, call: () => Promise<Answer>) =>
      held(call).then(([longest = 0, next = 0]) => {
        if (longest > COLLECTING_LIMIT_MS || next > LIMIT_MS) tooLong[what] = [longest, next];
      });
    const shown: Progress[] = [];
    const add = async () => {
      const answer = await rest.post("/api/v1/resources", { path: sources(), to: ROOT });
      const { task_id } = answer.result as { task_id: string };
      for (
        let task: Progress | undefined;
        task?.status !== "completed" && task?.status !== "failed";
        await pause(SETTLE_MS)
      ) {
        task = (await rest.get(`/api/v1/tasks/${task_id}`)).result as Progress;
        const { result } = await rest.get("/api/v1/fs/stat", { uri: ROOT });
        shown.push({ ...task, count: (result as { count?: number } | undefined)?.count ?? 0 });
      }
      return answer;
    };
    const find = () => rest.post("/api/v1/search/find", { query: "rivers 77", limit: 10 });
    // the first calls compile the code that the others run
    await rest.post("/api/v1/content/write", {
      uri: "ctx://resources/warm.md",
      content: "# warm",
      mode: "create",
      wait: true,
    });
    await find();
    await take("import, with seal and merge", add);
    // the task was returned before anything was read, it reports progress, and nothing was visible before
    // everything was
    expect(
      shown.some(({ progress, count }) => progress.done > 0 && progress.done < FILES && count === 0),
    ).toBe(true);
    expect([...new Set(shown.map(({ count }) => count))]).toEqual([0, FILES + FOLDERS]);
    await take("find", find);
    await take("import of what did not change", add);
    await layOut((i) => `# File ${i}\n\nNote ${i} about lakes and elks.\n`, GONE);
    for (let i = 0; i < GONE; i++) await rm(join(sources(), `s${i % FOLDERS}`, `f${i}.md`));
    await take("import of what changed, came and went", add);
    await take("ls", () => rest.send("GET", `/api/v1/fs/ls?uri=${ROOT}&recursive=true&node_limit=20000`));
    await take("grep", () => rest.post("/api/v1/search/grep", { uri: ROOT, pattern: "elks" }));
    await take("glob", () => rest.post("/api/v1/search/glob", { uri: ROOT, pattern: "**/*9.md" }));
    await take("mv", () => rest.post("/api/v1/fs/mv", { from_uri: ROOT, to_uri: `${ROOT}-2` }));
    await take("find after the move", find);
    await take("rm", () => rest.send("DELETE", `/api/v1/fs?uri=${ROOT}-2&recursive=true`));
    expect(tooLong).toEqual({});
    expect(await server.stop()).toBeUndefined();
    expect(await verifyFolder(join(folder.path, "data"), { log: silentLog, now: Date.now })).toEqual([]);
  });
});
