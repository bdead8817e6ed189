import { itemAt } from "../../base/expect.ts";
import type { QuantisedVector } from "../../domain/quantise.ts";
import { componentsOf, FAR, writeTables } from "./code-tables.ts";
import {
  BLOCK_CODES,
  GREATEST_ENTRY,
  type Kernel,
  kernelOver,
  MEMORY_PAGE,
  memoryOf,
  SPARE_PLACES,
} from "./scan.ts";

/** Minimum number of vectors and of dimensions; below it, an exact scan is about as fast. */
const MIN_VECTORS = 16_384;
const MIN_DIMENSIONS = 128;
/**
 * Number of dimensions below which components are encoded in two bits: one bit loses too many of the nearest
 * vectors.
 */
const COARSE_DIMENSIONS = 256;
/** One of this many blocks is sampled to estimate the floor. */
const SAMPLE_STEP = 32;
/** Maximum ratio of candidates to the expected number; above it, the codes do not discriminate. */
const MAX_EXCESS = 3;
/** Number of vectors sampled to compute the mean and deviation of each component. */
const SAMPLE_VECTORS = 1024;
/** Maximum number of vectors encoded per search. */
const TAKEN_AT_ONCE = 512;
/** Number of vectors estimated together, so that their estimates stay in the L1 cache. */
const AT_ONCE = 1024;
/** Bytes per SIMD register, and number of groups whose tables are added per step. */
const PIECE = 16;
const GROUPS_AT_ONCE = 4;

const padded = (bytes: number, to = PIECE): number => Math.ceil(bytes / to) * to;

/** The vectors to scan. */
export interface QuantisedVectors {
  readonly dimensions: number;
  readonly size: number;
  /**
   * The vector in a slot from 0 to `size` (exclusive), as a view that is valid only until the next change.
   */
  at(slot: number): QuantisedVector;
}

/**
 * Coarse scan of many vectors. Each component is encoded in one bit (above its mean or not) or two (also
 * far from it or not). The query keeps full precision: for each group of components, a table holds the
 * contribution of each of the 16 codes to the dot product. Summing table entries estimates the product from
 * an eighth or a quarter of the bytes (product quantisation with SIMD table lookups: F. André et al., Cache
 * locality is not enough, 2015). Memory layout: `[means | outlier limits | vector | tables | estimates |
 * positions | blocks of codes]`.
 */
export class CoarseScan {
  readonly #vectors: QuantisedVectors;
  readonly #isFine: boolean;
  readonly #deviations: Float32Array;
  readonly #stride: number;
  readonly #groups: number;
  readonly #blockBytes: number;
  readonly #bounds: number;
  readonly #vector: number;
  readonly #tables: number;
  readonly #estimates: number;
  readonly #places: number;
  readonly #blocks: number;
  readonly #memory: WebAssembly.Memory;
  readonly #kernel: Kernel;
  readonly #byEstimate: Uint32Array;
  /** Number of encoded vectors. */
  #size = 0;

  private constructor(vectors: QuantisedVectors, memory: WebAssembly.Memory, kernel: Kernel) {
    this.#vectors = vectors;
    this.#isFine = vectors.dimensions < COARSE_DIMENSIONS;
    this.#stride = padded(vectors.dimensions);
    this.#groups = padded(this.#stride / componentsOf(this.#isFine), GROUPS_AT_ONCE);
    this.#blockBytes = this.#groups * PIECE;
    this.#bounds = this.#stride * 4;
    this.#vector = this.#bounds * 2;
    this.#tables = this.#vector + this.#stride;
    this.#estimates = this.#tables + this.#blockBytes;
    this.#places = this.#estimates + AT_ONCE * 4;
    this.#blocks = this.#places + padded((AT_ONCE + SPARE_PLACES) * 4);
    this.#memory = memory;
    this.#kernel = kernel;
    this.#byEstimate = new Uint32Array(this.#groups * GREATEST_ENTRY + 1);
    this.#reserve(0);
    this.#deviations = this.#measure();
  }

  /** Undefined without SIMD, or if the coarse scan would not be faster. */
  static open(vectors: QuantisedVectors): CoarseScan | undefined {
    if (vectors.size < MIN_VECTORS || vectors.dimensions < MIN_DIMENSIONS) return undefined;
    const memory = memoryOf(MEMORY_PAGE);
    const kernel = memory && kernelOver(memory);
    return memory && kernel && new CoarseScan(vectors, memory, kernel);
  }

  /** Memory in bytes. */
  get bytes(): number {
    return this.#memory.buffer.byteLength;
  }

  /**
   * Encodes some of the pending vectors; true if none are left. The work is spread over searches, so that no
   * caller waits for all of it.
   */
  encodePending(): boolean {
    const end = Math.min(this.#vectors.size, this.#size + TAKEN_AT_ONCE);
    this.#reserve(end);
    while (this.#size < end) this.#encode(this.#size++);
    return this.#size === this.#vectors.size;
  }

  /** Encodes a slot again after its vector has changed. */
  changed(slot: number): void {
    if (slot < this.#size) this.#encode(slot);
  }

  /**
   * An estimate exceeded by about this share of the vectors; undefined if the codes do not discriminate. Also
   * sets the query for `candidates`.
   */
  floorFor(query: Float32Array, share: number): number | undefined {
    if (!this.#tabulate(query)) return undefined;
    const estimates = new Float32Array(this.#memory.buffer, this.#estimates, AT_ONCE);
    const byEstimate = this.#byEstimate.fill(0);
    const blocks = Math.floor(this.#size / BLOCK_CODES / SAMPLE_STEP);
    const blocksAtOnce = AT_ONCE / BLOCK_CODES;
    for (let first = 0; first < blocks; first += blocksAtOnce) {
      const count = Math.min(blocksAtOnce, blocks - first);
      this.#estimate(first * SAMPLE_STEP, count, SAMPLE_STEP);
      for (const estimate of estimates.subarray(0, count * BLOCK_CODES)) byEstimate[estimate]!++;
    }
    const wanted = share * blocks * BLOCK_CODES;
    let estimate = byEstimate.length;
    let reached = 0;
    do reached += byEstimate[--estimate]!;
    while (reached < wanted);
    return reached > MAX_EXCESS * wanted ? undefined : estimate - 0.5;
  }

  /** Output of `candidates`. Get it again after `encodePending`. */
  get places(): Uint32Array {
    return new Uint32Array(this.#memory.buffer, this.#places, AT_ONCE);
  }

  /**
   * Among `count` vectors (at most 1,024) from `first` (a multiple of 32), finds those whose estimate exceeds
   * the floor. Returns their number; their positions, relative to `first` and ascending, are in `places`.
   */
  candidates(first: number, count: number, floor: number): number {
    this.#estimate(first / BLOCK_CODES, Math.ceil(count / BLOCK_CODES), 1);
    return this.#kernel.above(this.#estimates, count, floor, this.#places);
  }

  /** Samples each component's mean and outlier limit; returns the standard deviations. */
  #measure(): Float32Array {
    const { size, dimensions } = this.#vectors;
    const [sums, squares] = [new Float64Array(dimensions), new Float64Array(dimensions)];
    const step = Math.floor(size / SAMPLE_VECTORS);
    for (let n = 0; n < SAMPLE_VECTORS; n++) {
      const { scale, values } = this.#vectors.at(n * step);
      for (let i = 0; i < dimensions; i++) {
        const component = scale * values[i]!;
        sums[i]! += component;
        squares[i]! += component * component;
      }
    }
    const middles = sums.map((sum) => sum / SAMPLE_VECTORS);
    const deviations = Float32Array.from(squares, (square, i) =>
      Math.sqrt(Math.max(0, square / SAMPLE_VECTORS - itemAt(middles, i) ** 2)),
    );
    new Float32Array(this.#memory.buffer, 0, dimensions).set(middles);
    new Float32Array(this.#memory.buffer, this.#bounds, dimensions).set(
      deviations.map((deviation) => FAR * deviation),
    );
    return deviations;
  }

  #encode(slot: number): void {
    const { scale, values } = this.#vectors.at(slot);
    new Int8Array(this.#memory.buffer, this.#vector, values.length).set(values);
    const place = slot % BLOCK_CODES;
    const block = this.#blocks + ((slot - place) / BLOCK_CODES) * this.#blockBytes;
    // the first half of a block is stored in the low nibbles of its bytes
    const isHigh = place >= PIECE;
    const at = block + (isHigh ? place - PIECE : place);
    this.#kernel.encode(
      this.#vector,
      scale,
      0,
      this.#bounds,
      this.#stride,
      this.#isFine ? 1 : 0,
      isHigh ? 4 : 0,
      at,
    );
  }

  #estimate(block: number, count: number, step: number): void {
    const at = this.#blocks + block * this.#blockBytes;
    this.#kernel.estimate(this.#tables, at, count, step * this.#blockBytes, this.#groups, this.#estimates);
  }

  /** Computes the tables of a query; false for a zero query. */
  #tabulate(query: Float32Array): boolean {
    const weights = new Float32Array(this.#groups * componentsOf(this.#isFine));
    for (let i = 0; i < query.length; i++) weights[i] = query[i]! * this.#deviations[i]!;
    return writeTables(
      new Uint8Array(this.#memory.buffer, this.#tables, this.#blockBytes),
      weights,
      this.#isFine,
    );
  }

  #reserve(vectors: number): void {
    const bytes = this.#blocks + Math.ceil(vectors / BLOCK_CODES) * this.#blockBytes;
    const missing = bytes - this.#memory.buffer.byteLength;
    if (missing > 0) this.#memory.grow(Math.ceil(missing / MEMORY_PAGE));
  }
}
