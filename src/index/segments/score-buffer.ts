import type { PostingList } from "../terms.ts";
import {
  type AboveFloor,
  type Add,
  greatestOf,
  kernelOver,
  MEMORY_PAGE,
  memoryOf,
  PEAK_ROWS,
  type Peaks,
  plainAbove,
  plainAdd,
  plainPeaks,
  SPARE_PLACES,
} from "../vectors/scan.ts";

/** Number of scores compared per kernel call; between calls the caller may raise the floor. */
const AT_ONCE = 1024;
/** Number of postings added per kernel call. */
const POSTINGS_AT_ONCE = 4096;
const BYTES = 4;
/** Memory layout: found positions, then postings being added, then the columns. */
const ROWS_AT = 8192;
const WEIGHTS_AT = ROWS_AT + POSTINGS_AT_ONCE * 4;
const HEADER_BYTES = WEIGHTS_AT + POSTINGS_AT_ONCE * 2;
/** Columns by row: the scores of a search, and the length norms of rows. */
const COLUMNS = ["bm25", "cosine", "norms"] as const;

type Column = (typeof COLUMNS)[number];

/** The rows of a column of cosines that a search has written. */
export interface ScoredRows {
  readonly cosine: Float32Array;
  /** Undefined if all rows may have a cosine. */
  nearest: number[] | undefined;
  /** Rows that were scored individually, in addition to the nearest ones. */
  readonly single: number[];
}

/** Scores of a search, in the kernel's memory. */
export class ScoreBuffer {
  /** Capacity in rows; -1 before the first use. */
  #capacity = -1;
  #memory: WebAssembly.Memory | undefined;
  #buffer = new ArrayBuffer(0);
  #above: AboveFloor = plainAbove(this.#buffer);
  #add: Add = plainAdd(this.#buffer);
  #peaks: Peaks = plainPeaks(this.#buffer);
  #places = new Uint32Array(0);
  #rows = new Uint32Array(0);
  #weights = new Uint16Array(0);
  #normsOf: readonly unknown[] = [];
  #scored: readonly ScoredRows[] = [];

  /** Makes room for a number of rows; growing discards the contents. */
  reserve(rows: number): void {
    if (rows <= this.#capacity) return;
    const bytes = HEADER_BYTES + COLUMNS.length * rows * BYTES;
    const missing = bytes - this.#buffer.byteLength;
    if (this.#memory) this.#memory.grow(Math.ceil(missing / MEMORY_PAGE));
    else this.#memory = memoryOf(bytes);
    const memory = this.#memory;
    const kernel = memory && kernelOver(memory);
    this.#buffer = kernel ? memory.buffer : new ArrayBuffer(bytes);
    this.#above = kernel?.above ?? plainAbove(this.#buffer);
    this.#add = kernel?.add ?? plainAdd(this.#buffer);
    this.#peaks = kernel?.peaks ?? plainPeaks(this.#buffer);
    this.#places = new Uint32Array(this.#buffer, 0, AT_ONCE + SPARE_PLACES);
    this.#rows = new Uint32Array(this.#buffer, ROWS_AT, POSTINGS_AT_ONCE);
    this.#weights = new Uint16Array(this.#buffer, WEIGHTS_AT, POSTINGS_AT_ONCE);
    this.#capacity = Math.floor((this.#buffer.byteLength - HEADER_BYTES) / (COLUMNS.length * BYTES));
    this.#normsOf = [];
    this.#scored = [];
    this.column("cosine", 0, this.#capacity).fill(Number.NaN);
  }

  /**
   * Resets the cosines of the previous search to NaN. `next`: what this search writes, reset by the next
   * call.
   */
  clearCosines(next: readonly ScoredRows[]): void {
    for (const { cosine, nearest, single } of this.#scored) {
      if (!nearest) cosine.fill(Number.NaN);
      else for (const rows of [nearest, single]) for (const row of rows) cosine[row] = Number.NaN;
    }
    this.#scored = next;
  }

  /** A column for the rows from `from` to `to`. */
  column(name: Column, from: number, to: number): Float32Array {
    return new Float32Array(
      this.#buffer,
      HEADER_BYTES + (COLUMNS.indexOf(name) * this.#capacity + from) * BYTES,
      to - from,
    );
  }

  /**
   * False if the norms were last computed for exactly these objects and are still in memory. Otherwise
   * returns true once; the caller must then write the norms.
   */
  needsNorms(of: readonly unknown[]): boolean {
    if (of.length === this.#normsOf.length && of.every((one, i) => one === this.#normsOf[i])) return false;
    this.#normsOf = of;
    return true;
  }

  /**
   * Adds a term's contribution (domain/score.ts termScore) to the scores of the rows with that term. `norms`
   * and `scores` are columns of the same rows. Norms are in halves, like the weights; an infinite norm
   * excludes a row. Returns the highest resulting score, or 0 if no counted row has the term.
   */
  addTerm(
    { rows, weights }: PostingList,
    saturation: number,
    norms: Float32Array,
    scores: Float32Array,
  ): number {
    let best = 0;
    for (let first = 0; first < rows.length; first += POSTINGS_AT_ONCE) {
      const end = Math.min(first + POSTINGS_AT_ONCE, rows.length);
      this.#rows.set(rows.subarray(first, end));
      this.#weights.set(weights.subarray(first, end));
      best = Math.max(
        best,
        this.#add(ROWS_AT, WEIGHTS_AT, end - first, saturation, norms.byteOffset, scores.byteOffset),
      );
    }
    return best;
  }

  /** The greatest of each PEAK_ROWS scores of a column without NaN. */
  peaks(scores: Float32Array): Float32Array {
    const whole = Math.floor(scores.length / PEAK_ROWS);
    const peaks = new Float32Array(Math.ceil(scores.length / PEAK_ROWS));
    for (let first = 0; first < whole; first += AT_ONCE) {
      const count = Math.min(AT_ONCE, whole - first);
      this.#peaks(scores.byteOffset + first * PEAK_ROWS * BYTES, count, 0);
      peaks.set(new Float32Array(this.#buffer, 0, count), first);
    }
    if (whole < peaks.length) peaks[whole] = greatestOf(scores.subarray(whole * PEAK_ROWS));
    return peaks;
  }

  /**
   * Calls `take` with the position of each score above the floor, in ascending order. `take` returns a new
   * floor, which may apply with a delay.
   */
  above(scores: Float32Array, floor: number, take: (place: number) => number): void {
    let least = floor;
    for (let first = 0; first < scores.length; first += AT_ONCE) {
      const found = this.#above(
        scores.byteOffset + first * BYTES,
        Math.min(AT_ONCE, scores.length - first),
        least,
        0,
      );
      for (let i = 0; i < found; i++) least = take(first + this.#places[i]!);
    }
  }
}
