import { itemAt } from "../../base/expect.ts";
import type { QuantisedVector } from "../../domain/chunk.ts";
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

/** Minimum number of vectors, and of dimensions: below it an exact scan is about as fast. */
const MIN_VECTORS = 16_384;
const MIN_DIMENSIONS = 128;
/**
 * Below this number of dimensions each component has two bits: with one bit of 128 dimensions, 2 of 100 of
 * the nearest ten would be missed.
 */
const COARSE_DIMENSIONS = 256;
/** One block in so many is sampled to estimate the floor of the nearest. */
const SAMPLE_STEP = 32;
/** Above this multiple of expected candidates the codes do not discriminate. */
const MAX_EXCESS = 3;
/** Number of vectors from which median and deviation of each component are taken. */
const SAMPLE_VECTORS = 1024;
/** Vectors that one search encodes: about .3 ms. */
const TAKEN_AT_ONCE = 512;
/** Vectors judged together, so that their estimates stay in the L1 cache. */
const AT_ONCE = 1024;
/** Bytes that the kernel reads at once, and the number of groups whose tables it adds in a step. */
const PIECE = 16;
const GROUPS_AT_ONCE = 4;

const padded = (bytes: number, to = PIECE): number => Math.ceil(bytes / to) * to;

/** The vectors to scan. */
export interface QuantisedVectors {
  readonly dimensions: number;
  readonly size: number;
  /** The vector of a slot, 0 to `size` (exclusive), as a view: read it immediately. */
  at(slot: number): QuantisedVector;
}

/**
 * Coarse scan of many vectors: each component in one bit (above its median or not) or two (also far from it
 * or not). The query keeps full precision: a table per group of components holds what each of its 16 codes
 * adds to the dot product, and the sum of the entries estimates it from an eighth or a quarter of the bytes
 * (product quantisation with SIMD table lookups: F. André and others, Cache locality is not enough, 2015).
 * Its memory is `[medians | far limits | vector | tables | estimates | positions | blocks of codes]`.
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
  /** Vectors taken in. */
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

  /** Undefined without SIMD, or if it would be of no use. */
  static open(vectors: QuantisedVectors): CoarseScan | undefined {
    if (vectors.size < MIN_VECTORS || vectors.dimensions < MIN_DIMENSIONS) return undefined;
    const memory = memoryOf(MEMORY_PAGE);
    const kernel = memory && kernelOver(memory);
    return memory && kernel && new CoarseScan(vectors, memory, kernel);
  }

  /** Memory held. */
  get bytes(): number {
    return this.#memory.buffer.byteLength;
  }

  /**
   * Encodes some of the pending vectors; true when none are left. Each search encodes some, so that no caller
   * waits for all of them.
   */
  encodePending(): boolean {
    const end = Math.min(this.#vectors.size, this.#size + TAKEN_AT_ONCE);
    this.#reserve(end);
    while (this.#size < end) this.#encode(this.#size++);
    return this.#size === this.#vectors.size;
  }

  /** Marks a slot whose vector has changed. */
  changed(slot: number): void {
    if (slot < this.#size) this.#encode(slot);
  }

  /**
   * An estimate that about this share of the vectors exceed; undefined if their codes do not discriminate.
   * `candidates` then refers to this query.
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

  /** Output of `candidates`; fetch again after `encodePending`. */
  get places(): Uint32Array {
    return new Uint32Array(this.#memory.buffer, this.#places, AT_ONCE);
  }

  /**
   * Finds those of `count` vectors (at most 1,024) from `first` (a multiple of 32) on whose estimate exceeds
   * the floor, and returns their number; their positions are at the start of `places`, ascending, 0 =
   * `first`.
   */
  candidates(first: number, count: number, floor: number): number {
    this.#estimate(first / BLOCK_CODES, Math.ceil(count / BLOCK_CODES), 1);
    return this.#kernel.above(this.#estimates, count, floor, this.#places);
  }

  /** Writes the approximate medians and far limits of the components; returns the deviations. */
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
    // the first half of a block lies in the low halves of its bytes
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

  /** False for a zero query. */
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
