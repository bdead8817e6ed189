import { candidateSentences } from "./candidate-sentences.ts";

const MAX_TERMS = 60;
const DAMPING = 0.85;
const ITERATIONS = 12;
const POSITION_WEIGHT = 0.4;

export interface RankOptions {
  /** Markdown's marks, tables, lists of links and code are left out of Markdown only. */
  readonly isMarkdown: boolean;
  /** Words that the reader sees anyway (the title): sentences about them weigh more. */
  readonly about?: string;
}

/** The best sentences in the order of the text: at most `maxSentences`, together at most `maxLength` UTF-16 units, but always one. */
export type Extract = (maxSentences: number, maxLength: number) => string[];

type Vector = ReadonlyMap<string, number>;

/**
 * Ranks the sentences of a text by how much of it they say: LexRank over their words, early ones preferred, repetitions avoided. Reads the first 200 sentences and
 * a sample of the rest. What it answers with gives none where the text holds no sentence.
 */
export function rankSentences(text: string, options: RankOptions): Extract {
  const sentences = candidateSentences(text, options.isMarkdown);
  if (sentences.length <= 1) return () => sentences;
  const bags = sentences.map(termsOf);
  const vectors = weigh(bags);
  const about = termsOf(options.about ?? "");
  const scores = lexRank(vectors).map(
    (rank, i) => rank * (1 - POSITION_WEIGHT) + POSITION_WEIGHT / (1 + i / 3) + 0.2 * share(about, bags[i]!),
  );
  return (maxSentences, maxLength) => choose(vectors, scores, sentences, maxSentences, maxLength);
}

/** Lower-case words, and pairs of neighbours in scripts without spaces. */
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
      const weight = count * Math.log(1 + bags.length / documents.get(term)!);
      vector.set(term, weight);
      square += weight * weight;
    }
    const norm = Math.sqrt(square) || 1;
    for (const [term, weight] of vector) vector.set(term, weight / norm);
    return vector;
  });
}

/** Centrality in the graph of similar sentences, the greatest 1. */
function lexRank(vectors: readonly Vector[]): number[] {
  const n = vectors.length;
  const links = similarities(vectors);
  const sums = links.map((row) => row.reduce((sum, [, value]) => sum + value, 0) || 1);
  let ranks = new Array<number>(n).fill(1);
  for (let round = 0; round < ITERATIONS; round++) {
    const next = new Array<number>(n).fill(1 - DAMPING);
    for (let i = 0; i < n; i++) for (const [j, value] of links[i]!) next[j]! += (DAMPING * ranks[i]! * value) / sums[i]!;
    ranks = next;
  }
  const greatest = ranks.reduce((most, rank) => Math.max(most, rank), 0) || 1;
  return ranks.map((rank) => rank / greatest);
}

function similarities(vectors: readonly Vector[]): [number, number][][] {
  const postings = new Map<string, [number, number][]>();
  const links: [number, number][][] = vectors.map(() => []);
  const row = new Float64Array(vectors.length);
  for (const [i, vector] of vectors.entries()) {
    row.fill(0, 0, i);
    for (const [term, weight] of vector) {
      const list = postings.get(term);
      if (!list) postings.set(term, [[i, weight]]);
      else {
        for (const [j, other] of list) row[j]! += weight * other;
        list.push([i, weight]);
      }
    }
    for (let j = 0; j < i; j++) {
      if (row[j]! < 0.05) continue;
      links[i]!.push([j, row[j]!]);
      links[j]!.push([i, row[j]!]);
    }
  }
  return links;
}

/** Maximal marginal relevance: each choice takes from what is left as much as it resembles it. */
function choose(
  vectors: readonly Vector[],
  scores: readonly number[],
  sentences: readonly string[],
  maxSentences: number,
  maxLength: number,
): string[] {
  const chosen: number[] = [];
  const left = [...scores];
  let room = maxLength;
  while (chosen.length < maxSentences) {
    let best = -1;
    for (const [i, score] of left.entries()) if (score >= 0 && (best < 0 || score > left[best]!)) best = i;
    if (best < 0) break;
    left[best] = -1;
    const { length } = sentences[best]!;
    if (length > room && chosen.length > 0) continue;
    room -= length + 1;
    chosen.push(best);
    for (const [i, score] of left.entries()) if (score >= 0) left[i] = score * (1 - Math.min(1, dot(vectors[best]!, vectors[i]!)));
  }
  return chosen.sort((a, b) => a - b).map((i) => sentences[i]!);
}

function dot(a: Vector, b: Vector): number {
  let sum = 0;
  for (const [term, weight] of a) sum += weight * (b.get(term) ?? 0);
  return sum;
}

function share(about: Vector, bag: Vector): number {
  if (about.size === 0) return 0;
  let common = 0;
  for (const term of about.keys()) if (bag.has(term)) common++;
  return common / about.size;
}
