import { createHash, randomBytes } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../../../src/base/clock.ts";
import { restoreFolder } from "../../../src/server/restore-folder.ts";
import { verifyFolder } from "../../../src/server/verify-data-dir.ts";
import { silentLog } from "../../support/silent-log.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { Api } from "../harness/api.ts";
import { Corpus } from "../harness/corpus.ts";
import { type Figure, median, ms, perSecond } from "../harness/figure.ts";
import type { HttpRequestSpec } from "../harness/http1-connection.ts";
import { type Generator, type LoadResult, startGenerator } from "../harness/load.ts";
import { type Running, startServer } from "../harness/server.ts";
import { sourceFolder } from "../harness/source-folder.ts";
import { timed } from "../harness/timed.ts";

const MIB = 1024 * 1024;
const TEXTS = 3000;
const WORDS = 450;
const LARGE_FILES = 64;
const LARGE_BYTES = 16 * MIB;
/** The default of the server. */
const BYTES_PER_SECOND = 64 * MIB;
/** Part of the shortest time of a backup during which calls are measured, so that all of them meet it. */
const MEASURED_SHARE = 0.85;
const ROUNDS = 4;
/** Half of the calls are finds, which are measured; the others read files. */
const CALLS_PER_SECOND = 100;
const IN_FLIGHT = 32;
const QUERIES = 500;
const MOST_FACTOR = 1.5;
const WAIT_SECONDS = 600;
const LISTED = 1000;

interface Field {
  readonly server: Running;
  readonly api: Api;
  readonly queries: readonly string[];
  readonly finds: Generator;
  readonly reads: Generator;
  readonly seconds: number;
}

/** A round: finds without and with a backup under way. */
interface Round {
  readonly alone: LoadResult;
  readonly meanwhile: LoadResult;
  readonly backupMs: number;
}

/** What a backup costs the finds that are served meanwhile, and whether a restored one is the same. */
export async function backup(quick: boolean): Promise<Figure[]> {
  const [texts, large, speed, rounds] = quick
    ? [100, 4, 16 * MIB, 1]
    : [TEXTS, LARGE_FILES, BYTES_PER_SECOND, ROUNDS];
  const folder = await temporaryFolder();
  const dataDir = join(folder.path, "data");
  const backups = join(folder.path, "backups");
  const env = { CTXDB_BACKUP_DIR: backups, CTXDB_BACKUP_BYTES_PER_SECOND: String(speed) };
  const server = await startServer({ dataDir, env });
  const [finds, reads] = [startGenerator(), startGenerator()];
  try {
    const api = await Api.open(server.port);
    const corpus = new Corpus();
    await fill(api, corpus, texts, large, folder.path);
    const seconds = ((large * LARGE_BYTES) / speed) * MEASURED_SHARE;
    const field = { server, api, queries: corpus.queries(QUERIES), finds, reads, seconds };
    // compiles the code and fills the caches
    await load(field, Math.min(seconds, 5));
    const measured: Round[] = [];
    for (let at = 0; at < rounds; at++) measured.push(await round(field));
    const figures = slowed(measured, large * LARGE_BYTES);
    await api.post("/api/v1/admin/backups", { name: "last" });
    figures.push(...(await restored(field, backups, join(folder.path, "restored"))));
    api.close();
    return figures;
  } finally {
    finds.stop();
    reads.stop();
    await server.stop();
    await folder.remove();
  }
}

async function fill(api: Api, corpus: Corpus, texts: number, large: number, home: string): Promise<void> {
  const small = await sourceFolder(Array.from({ length: texts }, () => corpus.text(WORDS)));
  const options = { wait: true, timeout: WAIT_SECONDS };
  await api.post("/api/v1/resources", { path: small.path, to: "ctx://resources/texts", ...options });
  await small.remove();
  const source = join(home, "large");
  await mkdir(source);
  for (let i = 0; i < large; i++) await writeFile(join(source, `${i}.bin`), randomBytes(LARGE_BYTES));
  await api.post("/api/v1/resources", { path: source, to: "ctx://resources/large", ...options });
}

async function round(field: Field): Promise<Round> {
  const alone = await load(field, field.seconds);
  const backing = timed(() => field.api.post("/api/v1/admin/backups", { name: "round" }));
  const meanwhile = await load(field, field.seconds);
  const backupMs = await backing;
  // so that the next one has to store everything again
  await fetch(`http://127.0.0.1:${field.server.port}/api/v1/admin/backups/round`, { method: "DELETE" });
  return { alone, meanwhile, backupMs };
}

/** Returns the latencies of the finds. */
async function load({ server, queries, finds, reads }: Field, seconds: number): Promise<LoadResult> {
  const shape = {
    port: server.port,
    wire: "rest",
    concurrency: IN_FLIGHT,
    seconds,
    perSecond: CALLS_PER_SECOND,
  } as const;
  const find = (query: string): HttpRequestSpec => ({
    method: "POST",
    path: "/api/v1/search/find",
    body: JSON.stringify({ query }),
  });
  const read = (_: string, at: number): HttpRequestSpec => ({
    method: "GET",
    path: `/api/v1/content/read?uri=ctx://resources/texts/d0/f${at % 20}.txt`,
  });
  const [found] = await Promise.all([
    finds.run({ ...shape, requests: queries.map(find) }),
    reads.run({ ...shape, requests: queries.map(read) }),
  ]);
  return found;
}

function slowed(rounds: readonly Round[], bytes: number): Figure[] {
  const seconds = median(rounds.map(({ backupMs }) => backupMs)) / 1000;
  const rate = (of: (round: Round) => LoadResult) => median(rounds.map((one) => of(one).rate));
  const figures = (["p50", "p99"] as const).map((which): Figure => {
    const [alone, meanwhile] = [
      median(rounds.map((one) => one.alone[which])),
      median(rounds.map((one) => one.meanwhile[which])),
    ];
    return {
      what: `find, ${which}, during a backup of ${(bytes / MIB).toLocaleString("en-US")} MiB`,
      measured: ms(meanwhile),
      beside: `no backup: ${ms(alone)}`,
      ratio: meanwhile / alone,
      expected: `≤ ${MOST_FACTOR} ×`,
      met: meanwhile <= MOST_FACTOR * alone,
    };
  });
  return [
    ...figures,
    {
      what: `  ${rounds.length} rounds, with and without in turn`,
      measured: `a backup takes ${seconds.toFixed(1)} s`,
      beside: `finds ${perSecond(rate(({ meanwhile }) => meanwhile))} and as many reads during it, ${perSecond(rate(({ alone }) => alone))} without`,
    },
  ];
}

async function restored({ server, queries }: Field, backups: string, dataDir: string): Promise<Figure[]> {
  const options = { name: "last", account: undefined, as: undefined, onProgress: () => undefined };
  const common = { log: silentLog, clock: systemClock };
  const took = await timed(() => restoreFolder({ from: backups, dataDir, ...options, ...common }));
  const faults = await verifyFolder(dataDir, { log: silentLog, now: systemClock });
  const other = await startServer({ dataDir });
  try {
    const [before, after] = [await reader(server.port, queries), await reader(other.port, queries)];
    const different = [...before].filter(([asked, answer]) => after.get(asked) !== answer).length;
    const isSame = different === 0 && before.size === after.size;
    return [
      {
        what: "a restored backup, by verify",
        measured: `${faults.length} faults, restored in ${(took / 1000).toFixed(1)} s`,
        expected: "0",
        met: faults.length === 0,
      },
      {
        what: "  its contents, layers, listings and finds that differ",
        measured: `${different} of ${before.size.toLocaleString("en-US")}`,
        expected: "0",
        met: isSame,
      },
    ];
  } finally {
    await other.stop();
  }
}

/** Returns the hash of each answer: every listing, content and layer, and finds. */
async function reader(port: number, queries: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const answers = new Map<string, string>();
  const ask = async (path: string, body?: object): Promise<Buffer> => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`, {
      ...(body && {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    });
    return Buffer.from(await answer.arrayBuffer());
  };
  const keep = (asked: string, answer: Uint8Array | string) =>
    answers.set(asked, createHash("sha256").update(answer).digest("hex"));
  const folders = ["ctx://resources"];
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    const listing = (await ask(`fs/ls?uri=${folder}&node_limit=${LISTED}`)).toString();
    const { result } = JSON.parse(listing) as { result: { uri: string; isDir: boolean }[] };
    keep(`ls ${folder}`, JSON.stringify(result));
    for (const { uri, isDir } of result) {
      const of = `uri=${encodeURIComponent(uri)}`;
      keep(`abstract ${uri}`, resultOf(await ask(`content/abstract?${of}`)));
      if (isDir) {
        keep(`overview ${uri}`, resultOf(await ask(`content/overview?${of}`)));
        folders.push(uri);
      } else keep(`content ${uri}`, await ask(`content/download?${of}`));
    }
  }
  for (const query of queries) keep(`find ${query}`, hitsOf(await ask("search/find", { query })));
  return answers;
}

/** The answer without its envelope, whose time differs. */
const resultOf = (answer: Buffer): string =>
  JSON.stringify((JSON.parse(answer.toString()) as { result?: unknown }).result);

/** The hits in their order, without scores, which depend on the age of a file. */
function hitsOf(answer: Buffer): string {
  const { result } = JSON.parse(answer.toString()) as {
    result: Record<"memories" | "resources" | "skills", { uri: string; match: string }[]>;
  };
  const { memories, resources, skills } = result;
  return JSON.stringify(
    [memories, resources, skills].map((hits) => hits.map(({ uri, match }) => [uri, match])),
  );
}
