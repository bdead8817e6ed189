import type { Question } from "./question-set.ts";

/** How one question went. */
export interface Outcome {
  readonly question: Question;
  /** URIs of the hits, best first. */
  readonly found: readonly string[];
  /** Places of the expected URIs that were found, from 1. */
  readonly places: readonly number[];
  readonly recall: number;
  readonly ndcg: number;
  readonly reciprocalRank: number;
}

const gain = (place: number): number => 1 / Math.log2(place + 1);
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const mean = (values: readonly number[]): number => (values.length === 0 ? 0 : sum(values) / values.length);

/** An expected URI is found by itself, or by something below it. */
const answers = (found: string, expected: string): boolean =>
  found === expected || found.startsWith(`${expected}/`);

export function outcomeOf(question: Question, found: readonly string[]): Outcome {
  const { expected } = question;
  const places = expected
    .map((uri) => found.findIndex((hit) => answers(hit, uri)) + 1)
    .filter((place) => place > 0)
    .sort((a, b) => a - b);
  const ideal = sum(expected.slice(0, Math.max(found.length, 1)).map((_, index) => gain(index + 1)));
  return {
    question,
    found,
    places,
    recall: places.length / expected.length,
    ndcg: ideal === 0 ? 0 : Math.min(1, sum(places.map(gain)) / ideal),
    reciprocalRank: places[0] === undefined ? 0 : 1 / places[0],
  };
}

/** The means over all questions. */
export interface Summary {
  readonly recall: number;
  readonly ndcg: number;
  readonly mrr: number;
}

export const summaryOf = (outcomes: readonly Outcome[]): Summary => ({
  recall: mean(outcomes.map(({ recall }) => recall)),
  ndcg: mean(outcomes.map(({ ndcg }) => ndcg)),
  mrr: mean(outcomes.map(({ reciprocalRank }) => reciprocalRank)),
});
