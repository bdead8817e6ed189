import { atOnce } from "../base/event-loop.ts";
import { itemAt, valueFor } from "../base/expect.ts";

const MAX_TERMS = 60;
const DAMPING = 0.85;
const ITERATIONS = 12;
/** Minimum similarity of linked sentences. */
const MIN_SIMILARITY = 0.05;
/** Sentences read or compared per step. */
const SENTENCES_PER_STEP = 32;

type Vector = ReadonlyMap<string, number>;

/** Sentences of one text with their centrality (LexRank), 0 to 1. */
export interface RankedSentences {
  readonly centrality: readonly number[];
  /**
   * Indexes of the sentences with the highest scores, in text order: at most `maxSentences` with at most
   * `maxLength` UTF-16 units together, but at least one. Each choice lowers the scores of similar sentences
   * (maximal marginal relevance).
   */
  choose(scores: readonly number[], maxSentences: number, maxLength: number): number[];
}

export const rankSentences = (sentences: readonly string[]): RankedSentences => atOnce(rankSteps(sentences));

/** Like rankSentences, in steps. */
export function* rankSteps(sentences: readonly string[]): Generator<undefined, RankedSentences> {
  const bags: Map<string, number>[] = [];
  for (const sentence of sentences) {
    bags.push(termsOf(sentence));
    if (bags.length % SENTENCES_PER_STEP === 0) yield;
  }
  const vectors = weigh(bags);
  yield;
  return {
    centrality: sentences.length < 2 ? sentences.map(() => 1) : yield* lexRank(vectors),
    choose: (scores, maxSentences, maxLength) => choose(vectors, scores, sentences, maxSentences, maxLength),
  };
}

/** Lower-case words, and pairs of adjacent characters in scripts without spaces. */
function termsOf(sentence: string): Map<string, number> {
  const terms = new Map<string, number>();
  for (const [word] of sentence.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) {
    if (terms.size >= MAX_TERMS) break;
    if (/[\u3040-\u30ff\u3400-\u9fff]/.test(word)) {
      for (let i = 0; i + 1 < word.length && terms.size < MAX_TERMS; i++) add(terms, word.slice(i, i + 2));
    } else add(terms, word.length > 5 ? word.slice(0, 6) : word);
  }
  return terms;
}

const add = (terms: Map<string, number>, term: string) => terms.set(term, (terms.get(term) ?? 0) + 1);

function weigh(bags: readonly Map<string, number>[]): Vector[] {
  const documents = new Map<string, number>();
  for (const bag of bags) for (const term of bag.keys()) add(documents, term);
  return bags.map((bag) => {
    let square = 0;
    const vector = new Map<string, number>();
    for (const [term, count] of bag) {
      const weight = count * Math.log(1 + bags.length / valueFor(documents, term));
      vector.set(term, weight);
      square += weight * weight;
    }
    const norm = Math.sqrt(square) || 1;
    for (const [term, weight] of vector) vector.set(term, weight / norm);
    return vector;
  });
}

/** Similar sentences in order, with the similarity. */
interface Links {
  readonly to: number[];
  readonly values: number[];
}

/** Centrality in the graph of similar sentences, scaled to a maximum of 1. */
function* lexRank(vectors: readonly Vector[]): Generator<undefined, number[]> {
  const n = vectors.length;
  const links = yield* similarities(vectors);
  const sums = links.map(({ values }) => values.reduce((sum, value) => sum + value, 0));
  let ranks = new Float64Array(n).fill(1);
  for (let round = 0; round < ITERATIONS; round++) {
    const next = new Float64Array(n).fill(1 - DAMPING);
    for (const [i, { to, values }] of links.entries()) {
      const given = (DAMPING * (ranks[i] ?? 0)) / (sums[i] || 1);
      for (let at = 0; at < to.length; at++) {
        const j = to[at] ?? 0;
        next[j] = (next[j] ?? 0) + given * (values[at] ?? 0);
      }
    }
    ranks = next;
    yield;
  }
  const greatest = ranks.reduce((most, rank) => Math.max(most, rank), 0) || 1;
  return Array.from(ranks, (rank) => rank / greatest);
}

interface Posting {
  readonly sentences: number[];
  readonly weights: number[];
}

/** Similarities of each sentence; most pairs have too little in common to be linked. */
function* similarities(vectors: readonly Vector[]): Generator<undefined, Links[]> {
  const links = vectors.map((): Links => ({ to: [], values: [] }));
  const row = new Float64Array(vectors.length);
  const postings = new Map<string, Posting>();
  for (const [i, vector] of vectors.entries()) {
    for (const [term, weight] of vector) {
      const posting = postings.get(term);
      if (posting === undefined) postings.set(term, { sentences: [i], weights: [weight] });
      else {
        const { sentences, weights } = posting;
        for (let at = 0; at < sentences.length; at++) {
          const j = sentences[at] ?? 0;
          row[j] = (row[j] ?? 0) + weight * (weights[at] ?? 0);
        }
        sentences.push(i);
        weights.push(weight);
      }
    }
    link(links, i, row);
    row.fill(0, 0, i);
    if (i % SENTENCES_PER_STEP === 0) yield;
  }
  return links;
}

/** Links a sentence with similar earlier ones. */
function link(links: readonly Links[], i: number, row: Float64Array): void {
  const own = itemAt(links, i);
  for (let j = 0; j < i; j++) {
    const value = row[j] ?? 0;
    if (value < MIN_SIMILARITY) continue;
    const other = itemAt(links, j);
    own.to.push(j);
    own.values.push(value);
    other.to.push(i);
    other.values.push(value);
  }
}

/** Maximal marginal relevance: each choice lowers the remaining scores by their similarity to it. */
function choose(
  vectors: readonly Vector[],
  scores: readonly number[],
  sentences: readonly string[],
  maxSentences: number,
  maxLength: number,
): number[] {
  const chosen: number[] = [];
  const left = scores.map((score) => Math.max(0, score));
  let room = maxLength;
  while (chosen.length < maxSentences) {
    let best = -1;
    for (const [i, score] of left.entries())
      if (score > 0 && (best < 0 || score > itemAt(left, best))) best = i;
    if (best < 0) break;
    left[best] = 0;
    const { length } = itemAt(sentences, best);
    if (length > room && chosen.length > 0) continue;
    room -= length + 1;
    chosen.push(best);
    for (const [i, score] of left.entries())
      if (score > 0) left[i] = score * (1 - Math.min(1, dot(itemAt(vectors, best), itemAt(vectors, i))));
  }
  return chosen.sort((a, b) => a - b);
}

function dot(a: Vector, b: Vector): number {
  let sum = 0;
  for (const [term, weight] of a) sum += weight * (b.get(term) ?? 0);
  return sum;
}
