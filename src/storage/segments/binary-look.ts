import { quantise } from "../../domain/chunk.ts";
import { type Kernel, kernelOver, MEMORY_PAGE, memoryOf, SPARE_PLACES } from "./scan.ts";

/** Fewer vectors are scanned as fast; of fewer components the bits say too little: of 128, 7 of 100 of the nearest ten would be missed. */
const MIN_VECTORS = 16_384;
const MIN_DIMENSIONS = 384;
/** One vector of so many is looked at to guess where the nearest begin. */
const SAMPLE_STEP = 32;
/** Where so many times as many as are wanted agree as well their bits tell too little. */
const MAX_EXCESS = 3;
/** Vectors from which the middle of each component is taken. */
const CENTRE_VECTORS = 1024;
/** Vectors compared together, so that what is said of them stays in the processor's first cache. */
const AT_ONCE = 1024;
/** Bytes that the kernel reads at once. */
const PIECE = 16;

const pieces = (bytes: number): number => Math.ceil(bytes / PIECE) * PIECE;

/** The middle of each component of many vectors, about; undefined where their bits would be of no use. */
export function centreOf(values: Int8Array, dimensions: number): Int8Array | undefined {
  const vectors = values.length / dimensions;
  if (vectors < MIN_VECTORS || dimensions < MIN_DIMENSIONS) return undefined;
  const step = Math.floor(vectors / CENTRE_VECTORS) * dimensions;
  return Int8Array.from({ length: dimensions }, (_, i) => {
    let sum = 0;
    for (let at = i, n = 0; n < CENTRE_VECTORS; n++, at += step) sum += values[at]!;
    return Math.round(sum / CENTRE_VECTORS);
  });
}

/**
 * The first look at many vectors: one bit a component, whether it is above the middle of that component (binary quantisation). Where most bits agree the dot product is great,
 * as a rule, and an eighth of the bytes is read to see it. Its memory is `[centre | vector | bits of the query | agreement | places | bits of the vectors]`.
 */
export class BinaryLook {
  readonly #dimensions: number;
  readonly #stride: number;
  /** Bytes of the bits of a vector. */
  readonly #width: number;
  readonly #query: number;
  readonly #agreement: number;
  readonly #places: number;
  readonly #bits: number;
  readonly #memory: WebAssembly.Memory;
  readonly #kernel: Kernel;
  #size = 0;

  private constructor(memory: WebAssembly.Memory, kernel: Kernel, centre: Int8Array) {
    this.#dimensions = centre.length;
    this.#stride = pieces(this.#dimensions);
    this.#width = pieces(this.#dimensions / 8);
    this.#query = 2 * this.#stride;
    this.#agreement = this.#query + this.#width;
    this.#places = this.#agreement + AT_ONCE * 4;
    this.#bits = this.#places + pieces((AT_ONCE + SPARE_PLACES) * 4);
    this.#memory = memory;
    this.#kernel = kernel;
    new Int8Array(memory.buffer).set(centre);
  }

  /** Undefined where there is no SIMD. */
  static open(centre: Int8Array): BinaryLook | undefined {
    const memory = memoryOf(MEMORY_PAGE);
    const kernel = memory && kernelOver(memory);
    return memory && kernel && new BinaryLook(memory, kernel, centre);
  }

  /** Memory held. */
  get bytes(): number {
    return this.#memory.buffer.byteLength;
  }

  /** Takes a vector, in place of the one that was there; `slot` is at most the number of those that are there. */
  set(slot: number, values: Int8Array): void {
    this.#size = Math.max(this.#size, slot + 1);
    const missing = this.#bits + this.#size * this.#width - this.#memory.buffer.byteLength;
    if (missing > 0) this.#memory.grow(Math.ceil(missing / MEMORY_PAGE));
    this.#write(values, this.#bits + slot * this.#width);
  }

  /** An agreement with a query which about that share of the vectors are above; undefined where their bits do not tell. `name` is about this query then. */
  floorFor(query: Float32Array, share: number): number | undefined {
    const { scale, values } = quantise(query);
    if (this.#size < MIN_VECTORS || scale === 0) return undefined;
    this.#write(values, this.#query);
    const agreement = new Float32Array(this.#memory.buffer, this.#agreement, AT_ONCE);
    const byDifference = new Uint32Array(this.#dimensions + 1);
    const sample = Math.floor(this.#size / SAMPLE_STEP);
    for (let first = 0; first < sample; first += AT_ONCE) {
      const count = Math.min(AT_ONCE, sample - first);
      this.#compare(first * SAMPLE_STEP, count, SAMPLE_STEP);
      for (let i = 0; i < count; i++) byDifference[-agreement[i]!]!++;
    }
    const wanted = share * sample;
    let difference = 0;
    let reached = byDifference[0]!;
    while (reached < wanted) reached += byDifference[++difference]!;
    return reached > MAX_EXCESS * wanted ? undefined : -difference - 0.5;
  }

  /** Where `name` writes what it finds; to be taken anew after a `set`. */
  get places(): Uint32Array {
    return new Uint32Array(this.#memory.buffer, this.#places, AT_ONCE);
  }

  /**
   * Finds those of `count` vectors (at most 1,024) from `first` on whose agreement is above the floor, and answers how many there are: as many of `places` are theirs,
   * ascending, 0 = `first`.
   */
  name(first: number, count: number, floor: number): number {
    this.#compare(first, count, 1);
    return this.#kernel.above(this.#agreement, count, floor, this.#places);
  }

  #compare(first: number, count: number, step: number): void {
    this.#kernel.agreement(this.#query, this.#bits + first * this.#width, count, step * this.#width, this.#width, this.#agreement);
  }

  #write(values: Int8Array, bits: number): void {
    new Int8Array(this.#memory.buffer, this.#stride, this.#dimensions).set(values);
    this.#kernel.binarise(this.#stride, 0, this.#stride, bits);
  }
}
