import { INSTANT_DIMENSIONS } from "../../src/domain/chunk.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { Api } from "./harness/api.ts";
import {
  accountOf,
  FILES_PER_DIRECTORY,
  FILES_PER_IMPORT,
  fillAccount,
  WORDS_PER_FILE,
} from "./harness/chunks.ts";
import { Corpus } from "./harness/corpus.ts";
import { type Bench, type Figure, ms, perSecond, spreadOf } from "./harness/figure.ts";
import { type Generator, type LoadResult, startGenerator } from "./harness/load.ts";
import { PlainSearch, plainCosines } from "./harness/plain-search.ts";
import { megabytes, memoryOf } from "./harness/processes.ts";
import { type Running, startServer } from "./harness/server.ts";

const QUERIES = 1000;
const IN_FLIGHT = 8;
const PLAIN_QUERIES = 100;
/** With more chunks the bags of terms in the plain comparison would need gigabytes. */
const MAX_PLAIN_CHUNKS = 10_000;
const LARGE = 100_000;
const MAX_MEMORY_MB = 300;

type Body = Readonly<Record<string, unknown>>;

export const find: Bench = {
  name: "find",
  title: `find, ${QUERIES.toLocaleString("en-US")} different queries a line; generator: own process, bare sockets, kept alive`,
  async run({ quick }) {
    const data = await temporaryFolder();
    const generator = startGenerator();
    let server = await startServer({ dataDir: data.path });
    try {
      const figures: Figure[] = [];
      for (const chunks of [1000, 10_000])
        figures.push(...(await measure(new Corpus(chunks), server, generator, chunks)));
      if (quick) return [...figures, { what: "memory after it", measured: megabytes(memoryOf(server.pid)) }];
      const corpus = new Corpus(LARGE);
      figures.push(...(await measure(corpus, server, generator, LARGE)));
      for (const end of ["stop", "kill"] as const) {
        await server[end]();
        server = await startServer({ dataDir: data.path });
        const idle = memoryOf(server.pid).pss;
        figures.push(await firstFind(server, corpus, end));
        if (end === "stop") figures.push(...(await freshlyStarted(idle, server, generator, corpus)));
      }
      return figures;
    } finally {
      generator.stop();
      await server.stop();
      await data.remove();
    }
  },
};

function ask(
  server: Running,
  generator: Generator,
  chunks: number,
  queries: readonly string[],
  concurrency: number,
  more: Body = {},
) {
  const requests = queries.map((query) => ({
    method: "POST",
    path: "/api/v1/search/find",
    headers: accountOf(chunks),
    body: JSON.stringify({ query, ...more }),
  }));
  return generator.run({ port: server.port, wire: "rest", concurrency, requests });
}

async function measure(
  corpus: Corpus,
  server: Running,
  generator: Generator,
  chunks: number,
): Promise<Figure[]> {
  const directories = await fillAccount(server.port, corpus, chunks);
  const asked = (concurrency: number, more?: Body) =>
    ask(server, generator, chunks, corpus.queries(QUERIES), concurrency, more);
  await asked(1);
  const alone = await asked(1);
  const many = await asked(IN_FLIGHT);
  const plain = await plainLoop(corpus, chunks);
  const size = `${chunks.toLocaleString("en-US")} chunks`;
  const wanted = chunks === LARGE ? 3 : chunks >= 10_000 ? 1.5 : undefined;
  const figures: Figure[] = [
    {
      what: `${size}, one at a time`,
      measured: `${said(alone)}, ${perSecond(alone.rate)}`,
      beside: `${plain.name}: p50 ${ms(plain.p50)}, p95 ${ms(plain.p95)}`,
      ratio: alone.p50 / plain.p50,
      ...(wanted && { expected: `p50 ≤ ${wanted} ms`, met: alone.p50 <= wanted }),
    },
    {
      what: `${size}, ${IN_FLIGHT} in flight`,
      measured: `${perSecond(many.rate)}, ${said(many)}`,
      ...(chunks === 10_000 && { expected: "≥ 1,000/s", met: many.rate >= 1000 }),
    },
  ];
  if (chunks < LARGE) return figures;
  const scope = { target_uri: directories.slice(0, Math.ceil(directories.length / 100)) };
  const oneOfEach = Array.from(
    { length: FILES_PER_IMPORT / FILES_PER_DIRECTORY },
    (_, d) => `f${d * FILES_PER_DIRECTORY}.txt`,
  );
  const filter = { filter: { op: "must", field: "name", conds: oneOfEach } };
  for (const [what, more] of [
    ["a scope of 1 %", scope],
    ["a filter on names", filter],
  ] as const) {
    await asked(1, more);
    const narrowed = await asked(1, more);
    figures.push({
      what: `${size}, ${what}`,
      measured: `${said(narrowed)}, ${perSecond(narrowed.rate)}`,
      beside: `all of it: p50 ${ms(alone.p50)}`,
      ratio: narrowed.p50 / alone.p50,
    });
  }
  return figures;
}

const said = ({ p50, p95 }: Pick<LoadResult, "p50" | "p95">) => `p50 ${ms(p50)}, p95 ${ms(p95)}`;

async function plainLoop(
  corpus: Corpus,
  chunks: number,
): Promise<{ readonly name: string; readonly p50: number; readonly p95: number }> {
  const [name, run] = chunks > MAX_PLAIN_CHUNKS ? cosinesAlone(chunks) : await plainSearch(corpus, chunks);
  const times = corpus.queries(PLAIN_QUERIES).map((query) => {
    const began = performance.now();
    run(query);
    return performance.now() - began;
  });
  return { name, ...spreadOf(times) };
}

async function plainSearch(corpus: Corpus, chunks: number) {
  const plain = new PlainSearch();
  while (plain.size < chunks) await plain.add(corpus.text(WORDS_PER_FILE));
  return ["plain BM25 + cosine loop", (query: string) => void plain.find(query)] as const;
}

function cosinesAlone(chunks: number) {
  const cosines = plainCosines(chunks, INSTANT_DIMENSIONS);
  return ["plain cosine loop alone", () => void cosines()] as const;
}

async function firstFind(server: Running, corpus: Corpus, end: "stop" | "kill"): Promise<Figure> {
  const began = performance.now();
  const api = await Api.open(server.port, 1, accountOf(LARGE));
  await api.post("/api/v1/search/find", { query: corpus.queries(1)[0] });
  api.close();
  const took = performance.now() - began;
  const whole = server.startedInMs + took;
  return {
    what: `start to first find, after ${end === "stop" ? "a clean stop" : "a kill"}`,
    measured: `${ms(whole)}, of it the find ${ms(took)}`,
    expected: "≤ 1,500 ms",
    met: whole <= 1500,
  };
}

/**
 * Measures how a freshly started server answers, and how much memory the chunks need after the first
 * searches.
 */
async function freshlyStarted(
  idle: number,
  server: Running,
  generator: Generator,
  corpus: Corpus,
): Promise<Figure[]> {
  const asked = await ask(server, generator, LARGE, corpus.queries(QUERIES), 1);
  const used = memoryOf(server.pid);
  const more = used.pss - idle;
  return [
    {
      what: `${LARGE.toLocaleString("en-US")} chunks, one at a time, the first after a start`,
      measured: `${said(asked)}, ${perSecond(asked.rate)}`,
    },
    {
      what: `memory above idle, ${LARGE.toLocaleString("en-US")} chunks searched`,
      measured: `${more.toFixed(0)} MB (${megabytes(used)})`,
      expected: `≤ ${MAX_MEMORY_MB} MB`,
      met: more <= MAX_MEMORY_MB,
    },
  ];
}
