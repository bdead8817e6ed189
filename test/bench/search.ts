import { join } from "node:path";
import { analyseQuery } from "../../src/domain/analyse.ts";
import { TextIndex } from "../../src/enrich/text-index.ts";
import { openEmbedder } from "../../src/providers/open.ts";
import { Corpus } from "./harness/corpus.ts";
import { type Bench, type Figure, ms, perSecond, spreadOf } from "./harness/figure.ts";
import { type Generator, startGenerator } from "./harness/load.ts";
import { megabytes, memoryOf } from "./harness/processes.ts";
import { REPOSITORY, type Running, startServer } from "./harness/server.ts";
import { importTexts } from "./harness/source-folder.ts";

const QUERIES = 1000;
/** About three chunks, and not so long that a tree of sections is made of it. */
const WORDS_PER_FILE = 450;
const IN_FLIGHT = 8;
const PLAIN_QUERIES = 100;

export const search: Bench = {
  name: "search",
  title: `find, ${QUERIES.toLocaleString("en-US")} different queries a line; generator: own process, bare sockets, kept alive`,
  async run({ quick }) {
    const server = await startServer();
    const generator = startGenerator();
    try {
      const figures: Figure[] = [];
      for (const chunks of quick ? [1000] : [1000, 10_000]) figures.push(...(await measure(server, generator, chunks)));
      return [...figures, { what: "memory after it", measured: megabytes(memoryOf(server.pid)) }];
    } finally {
      generator.stop();
      await server.stop();
    }
  },
};

async function measure(server: Running, generator: Generator, chunks: number): Promise<Figure[]> {
  const corpus = new Corpus(chunks);
  const plain = new PlainSearch();
  const texts: string[] = [];
  while (plain.size < chunks) plain.add(texts[texts.push(corpus.text(WORDS_PER_FILE)) - 1]!);
  const account = { "x-ctx-account": `chunks-${chunks}` };
  await importTexts(server.port, account, texts);
  const requests = (queries: readonly string[]) =>
    queries.map((query) => ({ method: "POST", path: "/api/v1/search/find", headers: account, body: JSON.stringify({ query }) }));
  const shape = { port: server.port, wire: "rest" } as const;
  await generator.run({ ...shape, concurrency: 1, requests: requests(corpus.queries(QUERIES / 5)) });
  const alone = await generator.run({ ...shape, concurrency: 1, requests: requests(corpus.queries(QUERIES)) });
  const many = await generator.run({ ...shape, concurrency: IN_FLIGHT, requests: requests(corpus.queries(QUERIES)) });
  const looped = spreadOf(
    corpus.queries(PLAIN_QUERIES).map((query) => {
      const began = performance.now();
      plain.find(query);
      return performance.now() - began;
    }),
  );
  const beside = `plain BM25 + cosine loop: p50 ${ms(looped.p50)}, p95 ${ms(looped.p95)}`;
  const large = chunks >= 10_000;
  const size = `${plain.size.toLocaleString("en-US")} chunks`;
  return [
    {
      what: `${size}, one at a time`,
      measured: `p50 ${ms(alone.p50)}, p95 ${ms(alone.p95)}, ${perSecond(alone.rate)}`,
      beside,
      ratio: alone.p50 / looped.p50,
      ...(large && { expected: "p50 ≤ 1.5 ms", met: alone.p50 <= 1.5 }),
    },
    {
      what: `${size}, ${IN_FLIGHT} in flight`,
      measured: `${perSecond(many.rate)}, p50 ${ms(many.p50)}, p95 ${ms(many.p95)}`,
      beside: `plain loop: ${perSecond(1000 / looped.p50)}`,
      ratio: (many.rate * looped.p50) / 1000,
      ...(large && { expected: "≥ 1,000/s", met: many.rate >= 1000 }),
    },
  ];
}

/** The same texts in the most ordinary form: a loop over bags of terms and vectors, the ten best by sorting. */
class PlainSearch {
  readonly #embedder = openEmbedder(join(REPOSITORY, "models"));
  readonly #index = new TextIndex(this.#embedder);
  readonly #chunks: { terms: ReadonlyMap<string, number>; length: number; vector: Float32Array }[] = [];
  readonly #frequency = new Map<string, number>();
  #length = 0;

  get size(): number {
    return this.#chunks.length;
  }

  add(text: string): void {
    for (const { terms, length, instant } of this.#index.ofText(text, { title: "f", kind: "text" })) {
      this.#chunks.push({ terms, length, vector: Float32Array.from(instant.values, (value) => value * instant.scale) });
      this.#length += length;
      for (const term of terms.keys()) this.#frequency.set(term, (this.#frequency.get(term) ?? 0) + 1);
    }
  }

  find(query: string): number[] {
    const vector = this.#embedder.embedNow(query);
    const average = this.#length / this.size;
    const weights = analyseQuery(query).map((term) => {
      const frequency = this.#frequency.get(term) ?? 0;
      return [term, Math.log(1 + (this.size - frequency + 0.5) / (frequency + 0.5))] as const;
    });
    const scores = this.#chunks.map((chunk, doc) => {
      let bm25 = 0;
      for (const [term, weight] of weights) {
        const count = chunk.terms.get(term);
        if (count) bm25 += (weight * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * chunk.length) / average));
      }
      let cosine = 0;
      for (let i = 0; i < vector.length; i++) cosine += vector[i]! * chunk.vector[i]!;
      return [doc, 0.4 * bm25 + 0.6 * cosine] as const;
    });
    return scores
      .sort((a, b) => b[1] - a[1])
      .slice(0, 10)
      .map(([doc]) => doc);
  }
}
