import { fused, idf, lengthNorm, type QueryScale, queryScale, quoted, saturated } from "../domain/score.ts";
import { ScoreMemory } from "../index/segments/score-buffer.ts";
import { HALVES } from "../index/terms.ts";
import type { Vectors } from "../index/vectors/vectors.ts";
import { addConversations } from "./conversations.ts";
import type { PartitionEvidence } from "./evidence.ts";
import { addFiles, MAX_TELLING_PASSAGES } from "./files.ts";
import { countLive, liveRows } from "./live.ts";
import { isQuoted } from "./quotes.ts";
import type { Quotes, SearchQuery, SearchView } from "./view.ts";

/** Rows of a search for which memory is kept for the next one. */
const MAX_KEPT_ROWS = 2 ** 20;

const MAX_COSINE = 1;

export interface Evidence {
  readonly partitions: readonly PartitionEvidence[];
  /** Holds both scores of the partitions. */
  readonly memory: ScoreMemory;
  readonly scale: QueryScale;
  /** Live documents of all partitions. */
  readonly documents: number;
  /** By node, as in NodeColumns. */
  readonly isCode: Uint8Array;
}

/** With less of a part in the scope all of it is scanned. */
export const MIN_LIVE_SHARE = 0.5;

/** Of all rows of a search those that a first look names, at least so many: nearly all of the nearest ten are among them (docs/storage.md, section 5). */
const NAMED_SHARE = 1 / 125;
const MIN_NAMED = 800;

/** The share of its rows that each part of a search of so many rows names. */
export const namedShare = (rows: number): number => Math.max(NAMED_SHARE, MIN_NAMED / rows);

interface Statistics {
  readonly documents: number;
  readonly averageLength: number;
}

/**
 * Scores every live document in both halves. Statistics, best score and cover are those of the whole scope, whatever the partitions. The scores lie where those of
 * the next search will lie.
 */
export function gather(view: SearchView, query: SearchQuery): Evidence {
  const { partitions, memory, rows } = scored(view);
  const statistics = count(partitions);
  const terms = occurrencesOf(query.terms);
  // the vectors first, which drive all else out of the processor's cache: what the terms bring into it is wanted by what follows
  const share = namedShare(rows);
  for (const evidence of partitions) if (!scoreNearest(evidence, view, query.vectors, share)) scoreVectors(evidence, query.vectors);
  const { saturations, ...byPassage } = scoreTerms(memory, partitions, terms, statistics);
  const { best, ceiling } = addConversations(view, partitions, terms, addFiles(view, partitions, saturations, byPassage));
  liftQuotes(view, partitions, best);
  const scale = queryScale(query.known, best, ceiling, query.reading);
  return { partitions, memory, scale, documents: statistics.documents, isCode: view.nodes.isCode };
}

/** F of one document of a node. */
export function fusedRow({ scale, isCode }: Evidence, { bm25, cosine, scoreRow }: PartitionEvidence, node: number, row: number): number {
  if (scoreRow && Number.isNaN(cosine[row])) cosine[row] = scoreRow(row);
  return fused(scale, bm25[row]!, cosine[row]!, isCode[node] === 1);
}

/** Scans what was not, for those who go through all rows; false if there is nothing of the kind. */
export function scoreAll({ quotes }: SearchView, { partitions }: Evidence, { vectors }: SearchQuery): boolean {
  const rest = partitions.filter(({ scoreRow }) => scoreRow !== undefined);
  for (const evidence of rest) {
    evidence.scoreRow = undefined;
    scoreVectors(evidence, vectors);
    eachQuoted(quotes, evidence, (row) => {
      evidence.cosine[row] = quoted(evidence.cosine[row]!, MAX_COSINE);
    });
  }
  return rest.length > 0;
}

/** One memory for all searches: each ends before the next begins. */
const kept = new ScoreMemory();

/** The partitions with nothing in their scores, where these lie, and how many there are. */
function scored(view: SearchView): { partitions: PartitionEvidence[]; memory: ScoreMemory; rows: number } {
  const rows = view.partitions.reduce((sum, { documents }) => sum + documents.rows, 0);
  const memory = rows <= MAX_KEPT_ROWS ? kept : new ScoreMemory();
  memory.reserve(rows);
  memory.column("bm25", 0, rows).fill(0);
  memory.column("cosine", 0, rows).fill(Number.NaN);
  let first = 0;
  const partitions = view.partitions.map((partition) => {
    const { documents } = partition;
    const [from, to] = [first, first + documents.rows];
    first = to;
    const column = (name: "bm25" | "cosine" | "norms") => memory.column(name, from, to);
    const live = liveRows(view, documents);
    return { partition, documents, live, norms: column("norms"), bm25: column("bm25"), cosine: column("cosine") };
  });
  return { partitions, memory, rows };
}

function count(partitions: readonly PartitionEvidence[]): Statistics {
  let documents = 0;
  let length = 0;
  for (const { live } of partitions) {
    documents += live.count;
    length += live.length;
  }
  return { documents, averageLength: documents === 0 ? 0 : length / documents };
}

/** How often a query names each of its terms. */
function occurrencesOf(terms: readonly string[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const term of terms) times.set(term, (times.get(term) ?? 0) + 1);
  return times;
}

/** Answers the best score, the most any document could have, and the saturation of each term that tells something of a file. */
function scoreTerms(
  memory: ScoreMemory,
  partitions: readonly PartitionEvidence[],
  terms: ReadonlyMap<string, number>,
  { documents, averageLength }: Statistics,
): { best: number; ceiling: number; saturations: ReadonlyMap<string, number> } {
  writeNorms(memory, partitions, averageLength);
  const saturations = new Map<string, number>();
  let best = 0;
  let ceiling = 0;
  for (const [term, occurrences] of terms) {
    const lists = partitions.map(({ partition }) => partition.terms.list(term));
    const frequency = lists.reduce((sum, list, i) => sum + (list ? countLive(partitions[i]!.live, list.rows) : 0), 0);
    const saturation = saturated(idf(documents, frequency)) * occurrences;
    ceiling += saturation;
    if (frequency <= MAX_TELLING_PASSAGES) saturations.set(term, saturation);
    if (frequency === 0) continue;
    for (const [i, { norms, bm25 }] of partitions.entries())
      if (lists[i]) best = Math.max(best, memory.add(lists[i], saturation, norms, bm25));
  }
  return { best, ceiling, saturations };
}

/** They are those of the search before, unless its scope was another or something has changed. */
function writeNorms(memory: ScoreMemory, partitions: readonly PartitionEvidence[], averageLength: number): void {
  if (!memory.needsNorms([averageLength, ...partitions.map(({ live }) => live)])) return;
  const { base, slope } = lengthNorm(averageLength);
  for (const { documents, live, norms } of partitions) {
    for (let row = 0; row < norms.length; row++)
      norms[row] = live.mask[row] === 1 ? HALVES * (base + slope * documents.length[row]!) : Number.POSITIVE_INFINITY;
  }
}

/** The line that is quoted has all words and means what the query means. Neither the best score nor the cover change by it: it moves nothing else. */
function liftQuotes({ quotes }: SearchView, partitions: readonly PartitionEvidence[], best: number): void {
  for (const evidence of partitions) {
    const { bm25, cosine, scoreRow } = evidence;
    eachQuoted(quotes, evidence, (row) => {
      bm25[row] = quoted(bm25[row]!, best);
      cosine[row] = quoted(scoreRow ? scoreRow(row) : cosine[row]!, MAX_COSINE);
    });
  }
}

function eachQuoted(quotes: Quotes | undefined, { partition, documents, live }: PartitionEvidence, lift: (row: number) => void): void {
  for (const node of quotes?.keys() ?? []) {
    for (let row = partition.firstRow(node); row >= 0; row = documents.next[row]!)
      if (live.mask[row] === 1 && isQuoted(quotes, documents, row)) lift(row);
  }
}

/** Scores the nearest rows alone, where they are enough and most rows count: among many that do not, too few of the nearest may be left. */
function scoreNearest(
  evidence: PartitionEvidence,
  { nearest, isBroad }: SearchView,
  queries: ReadonlyMap<string, Float32Array>,
  share: number,
): boolean {
  const { partition, documents, cosine, live } = evidence;
  if (!isBroad || live.count < documents.rows * MIN_LIVE_SHARE) return false;
  const [space, query] = [...queries].find(([name]) => partition.vectors.has(name)) ?? [];
  const vectors = partition.vectors.get(space ?? "");
  if (!query || !vectors || vectors.size < documents.rows) return false;
  const rows = partition.neighbours?.space === space ? nearest?.get(partition) : undefined;
  if (!rows && !vectors.scanNearest(query, cosine, share)) return false;
  const scoreRow = vectors.scorer(query);
  for (const row of rows ?? []) cosine[row] = scoreRow(row);
  evidence.scoreRow = scoreRow;
  return true;
}

/** The worst space first, so that a better one lies over it. */
function scoreVectors({ partition, live, cosine }: PartitionEvidence, queries: ReadonlyMap<string, Float32Array>): void {
  const scans: (readonly [Vectors, Float32Array])[] = [];
  for (const [space, query] of queries) {
    const vectors = partition.vectors.get(space);
    if (vectors !== undefined) scans.unshift([vectors, query]);
    // nothing of what a worse space says would be left
    if ((vectors?.size ?? 0) >= partition.documents.rows) break;
  }
  for (const [vectors, query] of scans) vectors.scan(query, cosine, live.mask);
}
