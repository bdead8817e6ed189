import { fused, idf, lengthNorm, type QueryScale, queryScale, saturated } from "../domain/score.ts";
import type { DocumentColumns, SearchPartition } from "../storage/partition.ts";
import type { SearchQuery, SearchView } from "./view.ts";

/** Both halves of the formula for every document of a partition, by row. */
export interface PartitionEvidence {
  readonly partition: SearchPartition;
  readonly documents: DocumentColumns;
  /** 1 = counts. */
  readonly live: Uint8Array;
  readonly bm25: Float32Array;
  /** In the best space in which the document has a vector; NaN if it has none, which is not 0: nothing is known. */
  readonly cosine: Float32Array;
}

export interface Evidence {
  readonly partitions: readonly PartitionEvidence[];
  readonly scale: QueryScale;
  /** Live documents of all partitions. */
  readonly documents: number;
}

interface Statistics {
  readonly documents: number;
  readonly averageLength: number;
}

/** Scores every live document in both halves. Statistics, best score and cover are those of the whole scope, whatever the partitions. */
export function gather(view: SearchView, query: SearchQuery): Evidence {
  const partitions = view.partitions.map((partition) => empty(partition));
  const statistics = count(partitions, view);
  const ceiling = scoreTerms(partitions, query.terms, statistics);
  for (const evidence of partitions) scoreVectors(evidence, query.vectors);
  return { partitions, scale: queryScale(query.known, bestOf(partitions), ceiling), documents: statistics.documents };
}

/** F of one document. */
export const fusedRow = (evidence: Evidence, partition: PartitionEvidence, row: number): number =>
  fused(evidence.scale, partition.bm25[row]!, partition.cosine[row]!);

function empty(partition: SearchPartition): PartitionEvidence {
  const { documents } = partition;
  const { rows } = documents;
  return {
    partition,
    documents,
    live: new Uint8Array(rows),
    bm25: new Float32Array(rows),
    cosine: new Float32Array(rows).fill(Number.NaN),
  };
}

/** Marks the live rows. */
function count(partitions: readonly PartitionEvidence[], { nodes, scope }: SearchView): Statistics {
  let documents = 0;
  let length = 0;
  const { size, generation: present } = nodes;
  for (const { documents: columns, live } of partitions) {
    const { node, generation, length: lengths } = columns;
    for (let row = 0; row < live.length; row++) {
      const at = node[row]!;
      if (at < 0 || at >= size || scope[at] !== 1 || present[at] !== generation[row]) continue;
      live[row] = 1;
      documents++;
      length += lengths[row]!;
    }
  }
  return { documents, averageLength: documents === 0 ? 0 : length / documents };
}

/** Answers the most any document could have. */
function scoreTerms(partitions: readonly PartitionEvidence[], terms: readonly string[], { documents, averageLength }: Statistics): number {
  const times = new Map<string, number>();
  for (const term of terms) times.set(term, (times.get(term) ?? 0) + 1);
  const norm = lengthNorm(averageLength);
  let ceiling = 0;
  for (const [term, occurrences] of times) {
    let frequency = 0;
    for (const { partition, live } of partitions) frequency += partition.terms.frequency(term, live);
    const saturation = saturated(idf(documents, frequency)) * occurrences;
    ceiling += saturation;
    if (frequency === 0) continue;
    for (const { partition, documents: columns, live, bm25 } of partitions) {
      partition.terms.accumulate(term, live, saturation, norm, columns.length, bm25);
    }
  }
  return ceiling;
}

/** The worst space first, so that a better one lies over it. */
function scoreVectors({ partition, cosine }: PartitionEvidence, queries: ReadonlyMap<string, Float32Array>): void {
  for (const [space, query] of [...queries].reverse()) partition.vectors.get(space)?.scan(query, cosine);
}

function bestOf(partitions: readonly PartitionEvidence[]): number {
  let best = 0;
  for (const { bm25 } of partitions) {
    for (let row = 0; row < bm25.length; row++) {
      if (bm25[row]! > best) best = bm25[row]!;
    }
  }
  return best;
}
