/**
 * Why a search did not use a neighbour index: a scan is faster for so few vectors, the search is narrow or
 * asks for many rows, or the index is missing, busy or broken.
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
 * Finds approximately the rows of one sealed segment that are nearest to a query in one space. Every row of
 * the segment has a vector in it.
 */
export interface NearestRows {
  readonly space: string;
  /** A scan is faster than the index. */
  readonly isSmall: boolean;
  /**
   * Up to `count` rows by their dot product with the query, the greatest first. Undefined without an answer
   * within some 20 ms: then scan. Never rejects.
   */
  nearest(query: Float32Array, count: number): Promise<Uint32Array | undefined>;
  /** Counts a search that did not use the index, for metrics. */
  passOver(reason: ExactReason): void;
}

/** A neighbour index that is open for searches. */
export interface OpenNeighbours extends NearestRows {
  /** Approximate memory in the other process. */
  readonly bytes: number;
  /** It can answer now. */
  readonly isReady: boolean;
  close(): void;
}

/** A file of vectors (VECTOR_COLUMNS) or of a neighbour index, in the files of a bucket. */
export interface IndexFile {
  readonly bucket: string;
  readonly file: string;
}

export interface OpenOptions extends IndexFile {
  readonly space: string;
  /** Rows of the segment in the order of the vectors' file. */
  readonly rows: Uint32Array;
  /** As in NearestRows. */
  readonly isSmall: boolean;
  /** Called once when the file becomes unusable; `isDamaged`: a new one from the same vectors might work. */
  readonly onLost: (isDamaged: boolean) => void;
}

export interface NeighbourCounts {
  /** Number of indexes built since the start, and of vectors in them. */
  readonly builds: number;
  readonly rows: number;
  /** Number of restarted processes. */
  readonly restarts: number;
  /** Segments searched: by their index, and by a scan instead. */
  readonly answers: number;
  readonly exact: Readonly<Record<ExactReason, number>>;
}

/** Neighbour indexes over sealed vectors, in separate processes (storage.md section 5). */
export interface NeighbourIndexes {
  readonly counts: NeighbourCounts;
  /** The library, for observers. */
  readonly name: string;
  /**
   * Builds an index over the vectors of a space; returns the name of its complete, durable file in the
   * bucket. One at a time. Rejects after repeated failures, or with the reason of the signal.
   */
  build(vectors: IndexFile & { readonly space: string }, signal: AbortSignal): Promise<string>;
  open(options: OpenOptions): OpenNeighbours;
  close(): Promise<void>;
}
