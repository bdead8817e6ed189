/**
 * Why a search did not use a neighbour index: a scan of so few vectors is faster, the search is narrow or
 * needs many rows, or the index is missing, busy or broken.
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
 * Approximate nearest-neighbour search in one sealed segment and one space. Every row of the segment has a
 * vector in that space.
 */
export interface NearestRows {
  readonly space: string;
  /** Whether a scan is faster than the index. */
  readonly isSmall: boolean;
  /**
   * Up to `count` rows by dot product with the query, greatest first. Undefined if there is no answer within
   * about 20 ms; scan instead. Never rejects.
   */
  nearest(query: Float32Array, count: number): Promise<Uint32Array | undefined>;
  /** Counts a search that did not use the index, for metrics. */
  passOver(reason: ExactReason): void;
}

/** A neighbour index open for searches. */
export interface OpenNeighbours extends NearestRows {
  /** Approximate memory in bytes, including that of the search process. */
  readonly bytes: number;
  /** Whether the index can answer now. */
  readonly isReady: boolean;
  close(): void;
}

/** A vector file (VECTOR_COLUMNS) or a neighbour index file of a bucket. */
export interface IndexFile {
  readonly bucket: string;
  readonly file: string;
}

export interface OpenOptions extends IndexFile {
  readonly space: string;
  /** Rows of the segment in the order of the vector file. */
  readonly rows: Uint32Array;
  /** See NearestRows.isSmall. */
  readonly isSmall: boolean;
  /** Called once if the file becomes unusable. `isDamaged`: a new index of the same vectors might work. */
  readonly onLost: (isDamaged: boolean) => void;
}

export interface NeighbourCounts {
  /** Number of indexes built since the start, and their total number of vectors. */
  readonly builds: number;
  readonly rows: number;
  /** Number of process restarts. */
  readonly restarts: number;
  /** Number of segments searched with their index, and number scanned instead, by reason. */
  readonly answers: number;
  readonly exact: Readonly<Record<ExactReason, number>>;
}

/** Neighbour indexes of sealed vectors, in separate processes (storage.md section 5). */
export interface NeighbourIndexes {
  readonly counts: NeighbourCounts;
  /** Name of the library, for observers. */
  readonly name: string;
  /**
   * Builds an index of a space's vectors; returns the name of the complete, durable file in the bucket. Runs
   * one build at a time. Rejects after repeated failures, or with the reason of the signal.
   */
  build(vectors: IndexFile & { readonly space: string }, signal: AbortSignal): Promise<string>;
  open(options: OpenOptions): OpenNeighbours;
  close(): Promise<void>;
}
