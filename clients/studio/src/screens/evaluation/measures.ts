/** A question and the URIs that should answer it. */
export interface Question {
  readonly query: string;
  readonly expected: readonly string[];
}

/** What a hit refers to: a file or folder, and the file from which it is derived. */
export interface Found {
  readonly uri: string;
  readonly source?: string;
}

/** Result of one question. */
export interface Outcome {
  readonly question: Question;
  /** URI of the first hit; undefined if nothing was found. */
  readonly best?: string;
  /** Ranks of the hits that answer the question, ascending from 1. */
  readonly places: readonly number[];
  /** Expected URIs that no hit answers. */
  readonly missed: readonly string[];
  readonly recall: number;
  readonly ndcg: number;
  readonly reciprocalRank: number;
}

const gain = (place: number): number => 1 / Math.log2(place + 1);
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const mean = (values: readonly number[]): number => (values.length === 0 ? 0 : sum(values) / values.length);

/** Whether a hit is an expected URI, is below an expected folder, or is a section of an expected file. */
const answers = ({ uri, source }: Found, expected: string): boolean =>
  uri === expected || source === expected || uri.startsWith(`${expected}/`);

/** The measures of a question for its first `k` hits. A hit counts for at most one expected URI. */
export function outcomeOf(question: Question, hits: readonly Found[], k: number): Outcome {
  const missed = new Set(question.expected);
  const places: number[] = [];
  for (const [index, hit] of hits.slice(0, k).entries()) {
    const answered = missed.has(hit.uri) ? hit.uri : [...missed].find((uri) => answers(hit, uri));
    if (answered === undefined) continue;
    missed.delete(answered);
    places.push(index + 1);
  }
  const [first] = places;
  const ideal = sum(question.expected.slice(0, k).map((_, index) => gain(index + 1)));
  return {
    question,
    ...(hits[0] !== undefined && { best: hits[0].uri }),
    places,
    missed: [...missed],
    recall: places.length / question.expected.length,
    ndcg: sum(places.map(gain)) / ideal,
    reciprocalRank: first === undefined ? 0 : 1 / first,
  };
}

/** Mean values over all questions. */
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
