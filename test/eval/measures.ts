import type { Text } from "./test-set.ts";

const DEPTH = 10;
const K1 = 1.2;
const B = 0.75;

export interface Measures {
  readonly recall: number;
  readonly ndcg: number;
}

/** Recall@10 and nDCG@10 of a ranking: document ids, or undefined for a wasted rank. */
export function measured(
  ranking: readonly (string | undefined)[],
  relevant: ReadonlyMap<string, number>,
): Measures {
  const top = ranking.slice(0, DEPTH);
  const gain = top.reduce(
    (sum, id, i) => sum + (id === undefined ? 0 : (relevant.get(id) ?? 0) / Math.log2(i + 2)),
    0,
  );
  const ideal = [...relevant.values()]
    .sort((a, b) => b - a)
    .slice(0, DEPTH)
    .reduce((sum, value, i) => sum + value / Math.log2(i + 2), 0);
  const found = new Set(top.filter((id) => id !== undefined && relevant.has(id)));
  return { recall: found.size / relevant.size, ndcg: gain / ideal };
}

export function mean(all: readonly Measures[]): Measures {
  const of = (pick: (one: Measures) => number) => all.reduce((sum, one) => sum + pick(one), 0) / all.length;
  return { recall: of(({ recall }) => recall), ndcg: of(({ ndcg }) => ndcg) };
}

const HUMP = /(?<=[a-z0-9])(?=[A-Z])/;
const WORD = /\p{Ideographic}|[[\p{L}\p{N}]--\p{Ideographic}]+/gv;

/**
 * Splits a text into runs of letters and digits, identifiers into their parts, and Chinese into characters.
 */
const words = (text: string): string[] => text.split(HUMP).join(" ").toLowerCase().match(WORD) ?? [];

/** Plain BM25 over words, the baseline that a search must beat. Returns the best documents for a query. */
export function plainBm25(documents: readonly Text[]): (query: string) => string[] {
  const postings = new Map<string, Map<number, number>>();
  const lengths = documents.map(({ title = "", text }, i) => {
    const found = words(`${title} ${text}`);
    for (const word of found) {
      if (!postings.has(word)) postings.set(word, new Map());
      const list = postings.get(word)!;
      list.set(i, (list.get(i) ?? 0) + 1);
    }
    return found.length;
  });
  const average = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  return (query) => {
    const scores = new Map<number, number>();
    for (const word of words(query)) {
      const list = postings.get(word) ?? new Map<number, number>();
      const idf = Math.log(1 + (documents.length - list.size + 0.5) / (list.size + 0.5));
      for (const [i, count] of list) {
        const score = (idf * count * (K1 + 1)) / (count + K1 * (1 - B + (B * lengths[i]!) / average));
        scores.set(i, (scores.get(i) ?? 0) + score);
      }
    }
    const best = [...scores].sort(([a, x], [b, y]) => y - x || a - b).slice(0, DEPTH);
    return best.map(([i]) => documents[i]!.id);
  };
}
