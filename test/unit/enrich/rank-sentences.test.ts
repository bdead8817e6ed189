import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rankSentences } from "../../../src/enrich/rank-sentences.ts";

const DAMPING = 0.85;
const ITERATIONS = 12;
const MIN_SIMILARITY = 0.05;

const bagOf = (words: readonly string[]): ReadonlyMap<string, number> => {
  const bag = new Map<string, number>();
  for (const word of words) bag.set(word, (bag.get(word) ?? 0) + 1);
  return bag;
};

/** Computes the centrality of short-word sentences by comparing every pair. */
function comparedInPairs(sentences: readonly (readonly string[])[]): number[] {
  const bags = sentences.map(bagOf);
  const vectors = bags.map((bag) => {
    const weights = new Map(
      [...bag].map(([word, count]) => {
        const holding = bags.filter((other) => other.has(word)).length;
        return [word, count * Math.log(1 + bags.length / holding)] as const;
      }),
    );
    const norm = Math.hypot(...weights.values());
    return new Map([...weights].map(([word, weight]) => [word, weight / norm] as const));
  });
  const links = vectors.map((a, i) =>
    vectors.map((b, j) => {
      const similarity = [...a].reduce((sum, [word, weight]) => sum + weight * (b.get(word) ?? 0), 0);
      return i === j || similarity < MIN_SIMILARITY ? 0 : similarity;
    }),
  );
  const sums = links.map((row) => row.reduce((sum, value) => sum + value, 0) || 1);
  let ranks = sentences.map(() => 1);
  for (let round = 0; round < ITERATIONS; round++)
    ranks = ranks.map((_, j) =>
      ranks.reduce(
        (sum, rank, i) => sum + (DAMPING * rank * (links[i]?.[j] ?? 0)) / (sums[i] ?? 1),
        1 - DAMPING,
      ),
    );
  const greatest = ranks.reduce((most, rank) => Math.max(most, rank), 0);
  return ranks.map((rank) => rank / greatest);
}

describe("the centrality of sentences", () => {
  it("sentence centrality equals that computed from the full graph of compared pairs", () => {
    const word = fc.constantFrom("tea", "cup", "pot", "leaf", "milk", "lemon", "water", "steam");
    const sentence = fc.array(word, { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(fc.array(sentence, { minLength: 2, maxLength: 15 }), (sentences) => {
        const { centrality } = rankSentences(sentences.map((words) => `${words.join(" ")}.`));
        const expected = comparedInPairs(sentences);
        expect(centrality).toHaveLength(expected.length);
        for (const [i, value] of expected.entries()) expect(centrality[i]).toBeCloseTo(value, 9);
      }),
    );
  });

  it("a single sentence has centrality 1, and an empty text has no sentences", () => {
    expect(rankSentences(["Tea is hot."]).centrality).toEqual([1]);
    expect(rankSentences([]).centrality).toEqual([]);
  });
});
