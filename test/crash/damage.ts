import { chmod, cp, mkdir, readdir, readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { find } from "./observe.ts";
import { Random } from "./random.ts";
import { type Answer, isOk, Rest, say } from "./rest.ts";
import { ROOT_KEY, Server, type StartOptions } from "./server.ts";

const FILES = 24;
const LARGE_BYTES = 40_000;
/** In KiB, as bash expects. */
const FULL_DISK_KIB = 1500;
const MAX_WRITES_TO_FULL = 300;
const WRITES_WHILE_FULL = 5;
const WARN = 40;
const ERROR = 50;
const NOBODY = 65534;
/** The least that one write adds to the log: a shorter cut damages only the last few writes. */
const MOST_CUT_BYTES = 300;
const MOST_TORN = 3;

type Complain = (what: string) => void;

/**
 * Damage that a machine can do to a data directory. Each must be detected, and no wrong answer may be given.
 */
export async function damageRounds(seed: number, complain: Complain): Promise<string[]> {
  const folder = await temporaryFolder();
  const random = new Random(seed);
  const done: string[] = [];
  const run = async (name: string, round: (bench: Bench) => Promise<void>) => {
    const bench = new Bench(folder.path, random, (what) => complain(`${name}: ${what}`));
    await round(bench);
    done.push(name);
  };
  try {
    await run("preparation", (bench) => bench.prepare());
    await run("a folder that cannot be written", readOnly);
    await run("a full disk", fullDisk);
    await run("a torn log", tornLog);
    for (const [name, place, message] of FLIPS)
      await run(`a flipped bit in ${name}`, (bench) => flippedBit(bench, place, message));
    for (const kind of INDEX_KINDS)
      await run(`a flipped bit in the ${kind} of an index`, (bench) => flippedIndex(bench, kind));
    await run("a flipped bit in an upload", flippedUpload);
  } finally {
    await folder.remove();
  }
  return done;
}

const FLIPS: readonly (readonly [name: string, place: (path: string) => boolean, message: RegExp])[] = [
  ["the log", (path) => /kv\/\d+\.log$/.test(path), /damaged/],
  ["a table", (path) => path.endsWith(".ldb"), /damaged/],
  ["the manifest", (path) => /kv\/MANIFEST/.test(path), /damaged|cannot be opened/],
  ["CURRENT", (path) => path.endsWith("kv/CURRENT"), /damaged|cannot be opened/],
  ["FORMAT", (path) => path.endsWith("FORMAT"), /format/],
  ["a blob", (path) => path.includes("/buckets/"), /damaged/],
];

/** As in the header of a file. */
const INDEX_KINDS = ["documents", "terms", "vectors", "nodes"] as const;

const uriOf = (i: number) => `ctx://resources/damage/file${i}.md`;
const contentOf = (i: number) =>
  i % 8 === 5
    ? `# Large ${i}\n\n${`word${i} of a large file. `.repeat(LARGE_BYTES / 25)}`
    : `# File ${i}\n\nThe word${i} of file ${i}.\n`;

/** A data directory left by a killed server, and copies of it to damage. */
class Bench {
  readonly random: Random;
  readonly complain: Complain;
  readonly #folder: string;

  constructor(folder: string, random: Random, complain: Complain) {
    this.#folder = folder;
    this.random = random;
    this.complain = complain;
  }

  get #whole(): string {
    return join(this.#folder, "whole");
  }

  /**
   * Writes a third of the files before a kill and before a clean stop each, which leave tables, segments and
   * a checkpoint; the rest stays in the log.
   */
  async prepare(): Promise<void> {
    for (const part of [0, 1, 2]) {
      const { server, rest } = await this.start(this.#whole);
      for (let i = (part * FILES) / 3; i < ((part + 1) * FILES) / 3; i++) await this.must(write(rest, i));
      await this.must(rest.post("/api/v1/system/wait", { timeout: 30 }));
      if (part === 1) await server.stop();
      else await server.kill();
      rest.close();
    }
  }

  async copy(): Promise<string> {
    const dataDir = join(this.#folder, this.random.word());
    await cp(this.#whole, dataDir, { recursive: true });
    return dataDir;
  }

  server(dataDir: string, more: Partial<StartOptions> = {}): Server {
    return new Server({ dataDir, sources: this.#folder, ...more });
  }

  async start(dataDir: string, more: Partial<StartOptions> = {}): Promise<{ server: Server; rest: Rest }> {
    const server = this.server(dataDir, more);
    const port = await server.ready();
    if (port === undefined) throw new Error(`does not start: ${server.errors}`);
    return { server, rest: new Rest(port, { "x-api-key": ROOT_KEY }) };
  }

  async must(call: Promise<Answer>): Promise<void> {
    const answer = await call;
    if (!isOk(answer)) this.complain(say(answer));
  }

  /** Checks that every file is found by its unique word. */
  async checkFound(rest: Rest): Promise<void> {
    for (let i = 0; i < FILES; i++) {
      const hits = await find(rest, `word${i}`, this.complain);
      if (!hits.some(({ uri }) => uri.startsWith(uriOf(i).replace(/\.md$/, ""))))
        this.complain(`${uriOf(i)} is not found`);
    }
  }

  /** Returns the numbers of the files that exist; reports files with wrong content. */
  async present(rest: Rest, upTo: number): Promise<number[]> {
    const there: number[] = [];
    for (let i = 0; i < upTo; i++) {
      const answer = await read(rest, i);
      if (isOk(answer) && answer.result === contentOf(i)) there.push(i);
      else if (answer.status !== 404) this.complain(`${uriOf(i)}: ${say(answer)}`);
    }
    return there;
  }
}

const write = (rest: Rest, i: number): Promise<Answer> =>
  rest.post("/api/v1/content/write", { uri: uriOf(i), content: contentOf(i), mode: "create" });
const read = (rest: Rest, i: number): Promise<Answer> => rest.get("/api/v1/content/read", { uri: uriOf(i) });

/** Expects the start to fail with a line that gives the reason. */
async function refused(bench: Bench, server: Server, message: RegExp): Promise<void> {
  const port = await server.ready();
  if (port !== undefined) {
    bench.complain("the server starts");
    return server.kill();
  }
  const { code } = await server.ended;
  if (!code || !/^ctxdb: /m.test(server.errors) || !message.test(server.errors))
    bench.complain(`the start ended with ${code} and said ${server.errors}`);
}

async function readOnly(bench: Bench): Promise<void> {
  const dataDir = await bench.copy();
  const isRoot = process.getuid?.() === 0;
  if (!isRoot) await chmod(dataDir, 0o555);
  await refused(
    bench,
    bench.server(dataDir, isRoot ? { uid: NOBODY } : {}),
    /data directory .*CTXDB_DATA_DIR/,
  );
  if (!isRoot) await chmod(dataDir, 0o755);
}

async function fullDisk(bench: Bench): Promise<void> {
  const dataDir = await bench.copy();
  const full = await bench.start(dataDir, { shell: `ulimit -f ${FULL_DISK_KIB}; exec "$@"` });
  const acknowledged: number[] = [];
  let refusals = 0;
  let next = FILES;
  for (; refusals < WRITES_WHILE_FULL && next < FILES + MAX_WRITES_TO_FULL; next++) {
    const answer = await write(full.rest, next);
    if (isOk(answer)) acknowledged.push(next);
    else if (answer.status === 503) refusals++;
    else bench.complain(`a write: ${say(answer)}`);
  }
  if (refusals === 0) bench.complain(`the disk was never full after ${next} files`);
  const expected = [...Array.from({ length: FILES }, (_, i) => i), ...acknowledged].join();
  if ((await bench.present(full.rest, next)).join() !== expected)
    bench.complain("while it is full, other files are there than were acknowledged");
  await full.server.kill();
  full.rest.close();
  const { server, rest } = await bench.start(dataDir);
  if ((await bench.present(rest, next)).join() !== expected)
    bench.complain("after a restart, other files are there than were acknowledged");
  await bench.must(write(rest, next));
  await server.kill();
  rest.close();
}

async function tornLog(bench: Bench): Promise<void> {
  const dataDir = await bench.copy();
  const log = (await filesOf(dataDir)).filter((path) => /kv\/\d+\.log$/.test(path)).at(-1)!;
  const bytes = await readFile(log);
  await truncate(log, bytes.byteLength - bench.random.integer(1, MOST_CUT_BYTES));
  const { server, rest } = await bench.start(dataDir);
  const there = await bench.present(rest, FILES);
  if (there.some((i, at) => i !== at))
    bench.complain(`a file is gone though a later one is there: ${there.join()}`);
  if (there.length < FILES - MOST_TORN) bench.complain(`only ${there.length} of ${FILES} files are there`);
  if (!server.logged(WARN).some((line) => line.includes("not finished")))
    bench.complain("the start does not say that a write was dropped");
  await bench.must(rest.post("/api/v1/system/wait", { timeout: 30 }));
  await server.kill();
  rest.close();
}

/** Expects a refusal with this message, or every file to be answered as before or with an error. */
async function flippedBit(bench: Bench, place: (path: string) => boolean, message: RegExp): Promise<void> {
  const dataDir = await bench.copy();
  const path = bench.random.pick((await filesOf(dataDir)).filter(place));
  await flip(bench, path);
  const server = bench.server(dataDir);
  const port = await server.ready();
  if (port === undefined) {
    if (!message.test(server.errors)) bench.complain(`refused without a reason: ${server.errors}`);
    return;
  }
  const rest = new Rest(port, { "x-api-key": ROOT_KEY });
  const isDropped = server.logged(WARN).some((line) => line.includes("not finished"));
  let errors = 0;
  for (let i = 0; i < FILES; i++) {
    const answer = await read(rest, i);
    if (answer.status >= 500) errors++;
    else if (!isDropped && answer.result !== contentOf(i))
      bench.complain(`${path}: a wrong answer for ${uriOf(i)}: ${say(answer)}`);
  }
  if (path.includes("/buckets/") && errors === 0) bench.complain("no read met the damaged blob");
  await server.kill();
  rest.close();
}

/**
 * Expects the damage to be reported, skipped and repaired: everything can be read and found as before, now
 * and after the next start.
 */
async function flippedIndex(bench: Bench, kind: (typeof INDEX_KINDS)[number]): Promise<void> {
  const dataDir = await bench.copy();
  const ofKind: string[] = [];
  for (const path of await filesOf(join(dataDir, "index")))
    if ((await readFile(path)).includes(`"kind":"${kind}`)) ofKind.push(path);
  if (ofKind.length === 0) return bench.complain("there is no such file");
  await flip(bench, bench.random.pick(ofKind));
  for (const isDamaged of [true, false]) {
    const { server, rest } = await bench.start(dataDir);
    const there = await bench.present(rest, FILES);
    if (there.length < FILES) bench.complain(`only ${there.length} of ${FILES} files are there`);
    await bench.checkFound(rest);
    if (server.logged(ERROR).some((line) => line.includes("damaged")) !== isDamaged)
      bench.complain(isDamaged ? "nothing is said of the damage" : "the damage is still there");
    const complaint = await server.stop();
    if (complaint) bench.complain(complaint);
    rest.close();
  }
}

async function flippedUpload(bench: Bench): Promise<void> {
  const dataDir = await bench.copy();
  const first = await bench.start(dataDir);
  const { temp_path } = (await first.rest.upload("upload.md", contentOf(5))).result as { temp_path: string };
  await first.server.kill();
  first.rest.close();
  await flip(bench, (await filesOf(join(dataDir, "uploads")))[0]!);
  const { server, rest } = await bench.start(dataDir);
  const answer = await rest.post("/api/v1/resources", { temp_path, to: "ctx://resources/damage/uploaded" });
  if (isOk(answer)) bench.complain("it is imported");
  await server.kill();
  rest.close();
}

async function flip(bench: Bench, path: string): Promise<void> {
  const bytes = await readFile(path);
  const at = bench.random.integer(0, bytes.byteLength - 1);
  bytes[at]! ^= 1 << bench.random.integer(0, 7);
  await writeFile(path, bytes);
}

async function filesOf(folder: string): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
