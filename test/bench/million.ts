import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { Api } from "./harness/api.ts";
import { accountOf, fillAccount } from "./harness/chunks.ts";
import { type Bench, type Figure, ms, perSecond } from "./harness/figure.ts";
import { type Generator, startGenerator } from "./harness/load.ts";
import { cpuSeconds, megabytes, memoryOf } from "./harness/processes.ts";
import { RealCorpus } from "./harness/real-corpus.ts";
import { type Running, startServer } from "./harness/server.ts";

const SIZES = [10_000, 100_000];
const QUICK_SIZES = [2000];
const QUERIES = 1000;
const QUICK_QUERIES = 100;
const IN_FLIGHT = 16;
/** Number of finds before the measured ones; finds create the codes of the coarse scan. */
const WARM_ROUNDS = 2;
/** Corpus and queries use different seeds, so that queries come from other sentences. */
const QUERY_SEED = 7;
/** Targets in ms and in finds per second, by number of chunks. */
const TARGETS: Readonly<Record<number, { readonly p50: number; readonly rate: number }>> = {
  300000: { p50: 4, rate: 500 },
  1000000: { p50: 8, rate: 250 },
};
const MAX_BYTES_PER_CHUNK = 900;

/**
 * `--chunks=100000,300000` sets the sizes. `--data=FOLDER` keeps the data directories, so that the half-hour
 * import of a million chunks is needed only once and later runs can measure another build on the same data.
 */
export const million: Bench = {
  name: "million",
  title:
    "find among texts of real sentences (manual pages and documents of this machine), imported by the server",
  async run({ quick, flag }) {
    const corpus = new RealCorpus();
    const asked = new RealCorpus(QUERY_SEED, corpus.documents).queries(quick ? QUICK_QUERIES : QUERIES);
    const sizes = flag?.("chunks")?.split(",").map(Number) ?? (quick ? QUICK_SIZES : SIZES);
    const generator = startGenerator();
    const figures: Figure[] = [];
    try {
      for (const chunks of sizes)
        figures.push(...(await measure(corpus, asked, generator, chunks, flag?.("data"))));
      return figures;
    } finally {
      generator.stop();
    }
  },
};

async function measure(
  corpus: RealCorpus,
  queries: readonly string[],
  generator: Generator,
  chunks: number,
  kept: string | undefined,
): Promise<Figure[]> {
  const folder = kept === undefined ? await temporaryFolder() : await keptFolder(join(kept, `${chunks}`));
  const size = `${chunks.toLocaleString("en-US")} chunks`;
  let server = await startServer({ dataDir: folder.path });
  try {
    const began = performance.now();
    await fillAccount(server.port, corpus, chunks);
    const seconds = (performance.now() - began) / 1000;
    await server.stop();
    server = await startServer({ dataDir: folder.path });
    const idle = memoryOf(server.pid).pss;
    const first = await firstFind(server, chunks, queries[0] ?? "");
    for (let round = 0; round < WARM_ROUNDS; round++) await ask(server, generator, chunks, queries, 1);
    const cpu = cpuSeconds(server.pid);
    const alone = await ask(server, generator, chunks, queries, 1);
    const cpuMs = ((cpuSeconds(server.pid) - cpu) * 1000) / queries.length;
    const many = await ask(server, generator, chunks, queries, IN_FLIGHT);
    const memory = memoryOf(server.pid);
    const perChunk = ((memory.pss - idle) * 1e6) / chunks;
    const target = TARGETS[chunks];
    return [
      {
        what: `${size}, one at a time`,
        measured: `p50 ${ms(alone.p50)}, p95 ${ms(alone.p95)}`,
        beside: `processor time of the server: ${ms(cpuMs)} a find`,
        ...(target && { expected: `p50 ≤ ${target.p50} ms`, met: alone.p50 <= target.p50 }),
      },
      {
        what: `${size}, ${IN_FLIGHT} in flight`,
        measured: perSecond(many.rate),
        ...(target && { expected: `≥ ${target.rate}/s`, met: many.rate >= target.rate }),
      },
      {
        what: `${size}, first find after a start`,
        measured: ms(first),
        beside: `start of the server: ${ms(server.startedInMs)}`,
      },
      {
        what: `${size}, memory above idle, a chunk`,
        measured: `${perChunk.toFixed(0)} bytes (${megabytes(memory)})`,
        expected: `≤ ${MAX_BYTES_PER_CHUNK} bytes`,
        // with few chunks the code loaded by a find needs more memory than they do
        ...(chunks >= SIZES[1]! && { met: perChunk <= MAX_BYTES_PER_CHUNK }),
      },
      { what: `${size}, import (none where they were kept)`, measured: perSecond(chunks / seconds) },
    ];
  } finally {
    await server.stop();
    await folder.remove();
  }
}

async function keptFolder(path: string) {
  await mkdir(path, { recursive: true });
  return { path, remove: async () => undefined };
}

function ask(
  server: Running,
  generator: Generator,
  chunks: number,
  queries: readonly string[],
  concurrency: number,
) {
  const requests = queries.map((query) => ({
    method: "POST",
    path: "/api/v1/search/find",
    headers: accountOf(chunks),
    body: JSON.stringify({ query }),
  }));
  return generator.run({ port: server.port, wire: "rest", concurrency, requests });
}

async function firstFind(server: Running, chunks: number, query: string): Promise<number> {
  const api = await Api.open(server.port, 1, accountOf(chunks));
  const began = performance.now();
  await api.post("/api/v1/search/find", { query });
  const took = performance.now() - began;
  api.close();
  return took;
}
