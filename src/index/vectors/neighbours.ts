/**
 * Why an index of neighbours is not asked, or has not answered: a scan is faster for so few numbers, the
 * search is narrow or asks for much, or the index is not there, busy, or has failed.
 */
export const EXACT_REASONS = [
  "small",
  "filter",
  "scope",
  "depth",
  "loading",
  "busy",
  "slow",
  "failed",
] as const;

export type ExactReason = (typeof EXACT_REASONS)[number];

/**
 * Finds the rows of one sealed part that are nearest to a query in one space, approximately. Every row of the
 * part has its vector in it.
 */
export interface NearestRows {
  readonly space: string;
  /** A scan takes less time than asking. */
  readonly isSmall: boolean;
  /**
   * Up to `count` rows by their dot product with the query, the greatest first. Undefined where there is no
   * answer within some 20 ms: then a scan has to answer. Never rejects.
   */
  nearest(query: Float32Array, count: number): Promise<Uint32Array | undefined>;
  /** Notes that a search did not ask, for the figures. */
  passOver(reason: ExactReason): void;
}

/** A neighbour index that is open for searches. */
export interface OpenNeighbours extends NearestRows {
  /** Memory that it takes elsewhere, roughly. */
  readonly bytes: number;
  /** It can be asked now. */
  readonly isReady: boolean;
  close(): void;
}

/** A file of vectors (VECTOR_COLUMNS) or of their neighbours, among the files of a bucket. */
export interface IndexFile {
  readonly bucket: string;
  readonly file: string;
}

export interface OpenOptions extends IndexFile {
  readonly space: string;
  /** Rows of the part in the order of the vectors' file. */
  readonly rows: Uint32Array;
  /** As in NearestRows. */
  readonly isSmall: boolean;
  /**
   * Hears once that the file cannot be used any more; `isDamaged`: another one made from the same vectors
   * might be.
   */
  readonly onLost: (isDamaged: boolean) => void;
}

export interface NeighbourCounts {
  /** Indexes built since the start, and vectors in them. */
  readonly builds: number;
  readonly rows: number;
  /** Processes that were started again. */
  readonly restarts: number;
  /** Parts searched: by their index, and by a scan in its place. */
  readonly answers: number;
  readonly exact: Readonly<Record<ExactReason, number>>;
}

/** Indexes of neighbours over sealed vectors, in processes of their own (storage.md section 5). */
export interface NeighbourIndexes {
  readonly counts: NeighbourCounts;
  /** The library, for observers. */
  readonly name: string;
  /**
   * Builds an index over the vectors of a space and answers the name of its file, which is whole and durable,
   * in the bucket. One at a time. Rejects where that fails time and again, or with the reason of the signal.
   */
  build(vectors: IndexFile & { readonly space: string }, signal: AbortSignal): Promise<string>;
  open(options: OpenOptions): OpenNeighbours;
  close(): Promise<void>;
}
