import { join } from "node:path";
import { analyseQuery } from "../../../src/domain/text/analyse.ts";
import { TextIndex } from "../../../src/enrich/text-index.ts";
import { openEmbedders } from "../../../src/providers/open.ts";
import { silentLog } from "../../support/silent-log.ts";
import { REPOSITORY } from "./server.ts";

/**
 * Baseline for benchmarks: a linear scan of the same texts over term bags and vectors, then a sort for the
 * ten best.
 */
export class PlainSearch {
  readonly #embedder = openEmbedders("light", join(REPOSITORY, "models"), silentLog).instant;
  readonly #index = new TextIndex(this.#embedder);
  readonly #chunks: { terms: ReadonlyMap<string, number>; length: number; vector: Float32Array }[] = [];
  readonly #frequency = new Map<string, number>();
  #length = 0;

  get size(): number {
    return this.#chunks.length;
  }

  async add(text: string): Promise<void> {
    for (const { terms, length, instant } of await this.#index.ofText(text, { title: "f", kind: "text" })) {
      this.#chunks.push({
        terms,
        length,
        vector: Float32Array.from(instant.values, (value) => value * instant.scale),
      });
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

/** Computes only the cosines of the given number of chunks, number by number. */
export function plainCosines(chunks: number, dimensions: number): () => number {
  const rows = Float32Array.from({ length: chunks * dimensions }, (_, i) => Math.sin(i));
  const query = rows.slice(0, dimensions);
  return () => {
    let best = 0;
    for (let at = 0; at < rows.length; at += dimensions) {
      let cosine = 0;
      for (let i = 0; i < dimensions; i++) cosine += query[i]! * rows[at + i]!;
      if (cosine > best) best = cosine;
    }
    return best;
  };
}
