import { grow } from "../../base/grow.ts";
import type { QuantisedVector } from "../../domain/quantise.ts";
import { CoarseScan, type QuantisedVectors } from "./coarse-scan.ts";
import {
  greatestComponent,
  kernelOver,
  MEMORY_PAGE,
  memoryOf,
  plainScan,
  type Scan,
  type ScanAt,
} from "./scan.ts";
import type { Vectors } from "./vectors.ts";

/** Number of vectors per block. A block contains their scales, then their rows. */
const BLOCK_VECTORS = 1024;
/** WebAssembly's limit of 4 GiB, less a page for alignment. */
const MAX_BYTES = 2 ** 32 - MEMORY_PAGE;
const MIN_CAPACITY = 16;
/**
 * Minimum number of vectors for the kernel. Every WebAssembly memory reserves gigabytes of address space, so
 * small matrices use plain JavaScript.
 */
const MIN_KERNEL_VECTORS = 256;

export interface MatrixOptions {
  readonly dimensions: number;
  /** Minimum number of vectors for the SIMD kernel. */
  readonly minKernelVectors?: number;
  /** Expected number of vectors, if known; not a limit. */
  readonly capacity?: number;
}

/**
 * Quantised vectors in one buffer: `[query | results of a block | block | block | …]`. Scanned by the SIMD
 * kernel, or in plain JavaScript if there are few vectors or no SIMD. Grows by blocks; vectors never move.
 */
export class Matrix implements Vectors, QuantisedVectors {
  readonly dimensions: number;
  readonly #minKernelVectors: number;
  readonly #stride: number;
  readonly #out: number;
  readonly #blocks: number;
  readonly #blockBytes: number;
  #memory: WebAssembly.Memory | undefined;
  #buffer: ArrayBuffer;
  #scan: Scan;
  /** Set only if the kernel is used. */
  #scanAt: ScanAt | undefined;
  /** Created by the first search that can use it. */
  #look: CoarseScan | undefined;
  #size = 0;
  /** Row of each slot, and slot + 1 of each row (0: none). */
  #rowOf = new Int32Array(0);
  #slotOf = new Int32Array(0);
  /** Whether every row equals its slot. */
  #isInOrder = true;

  constructor({ dimensions, minKernelVectors = MIN_KERNEL_VECTORS, capacity = 0 }: MatrixOptions) {
    this.dimensions = dimensions;
    this.#minKernelVectors = minKernelVectors;
    this.#stride = Math.ceil(dimensions / 16) * 16;
    this.#out = this.#stride * 2;
    this.#blocks = this.#out + BLOCK_VECTORS * 4;
    this.#blockBytes = BLOCK_VECTORS * (4 + this.#stride);
    this.#buffer = new ArrayBuffer(0);
    this.#scan = plainScan(this.#buffer);
    this.#rowOf = new Int32Array(capacity);
    this.#slotOf = new Int32Array(capacity);
    if (capacity > minKernelVectors) this.#useKernel(this.#bytesFor(capacity));
    else if (capacity > 0) this.#useBuffer(this.#bytesFor(capacity));
  }

  get size(): number {
    return this.#size;
  }

  /** Memory in bytes. */
  get bytes(): number {
    return (
      this.#buffer.byteLength + this.#rowOf.byteLength + this.#slotOf.byteLength + (this.#look?.bytes ?? 0)
    );
  }

  set(row: number, { scale, values }: QuantisedVector): void {
    if (values.length !== this.dimensions)
      throw new RangeError(`a vector of ${values.length} components in a space of ${this.dimensions}`);
    const slot = this.#slotFor(row);
    const block = this.#blockOf(slot);
    const index = slot % BLOCK_VECTORS;
    new Float32Array(this.#buffer, block + index * 4, 1)[0] = scale;
    new Int8Array(this.#buffer, block + BLOCK_VECTORS * 4 + index * this.#stride, this.#stride).set(values);
    this.#look?.changed(slot);
  }

  has(row: number): boolean {
    return this.#slotAt(row) >= 0;
  }

  /** Slot of a row; -1 without a vector. */
  #slotAt(row: number): number {
    return (this.#slotOf[row] ?? 0) - 1;
  }

  /** The row's vector; undefined if it has none. */
  get(row: number): QuantisedVector | undefined {
    const slot = this.#slotAt(row);
    if (slot < 0) return undefined;
    const { scale, values } = this.at(slot);
    return { scale, values: values.slice() };
  }

  /** The vector in a slot, as a view that is valid only until the next change. */
  at(slot: number): QuantisedVector {
    const block = this.#blockOf(slot);
    const index = slot % BLOCK_VECTORS;
    const scale = new Float32Array(this.#buffer, block + index * 4, 1)[0]!;
    const at = block + BLOCK_VECTORS * 4 + index * this.#stride;
    return { scale, values: new Int8Array(this.#buffer, at, this.dimensions) };
  }

  scan(query: Float32Array, scores: Float32Array, live?: Uint8Array): void {
    if (query.length !== this.dimensions)
      throw new RangeError(`a query of ${query.length} components in a space of ${this.dimensions}`);
    if (this.#size === 0) return;
    const factor = this.#place(query);
    const result = new Float32Array(this.#buffer, this.#out, BLOCK_VECTORS);
    for (let first = 0; first < this.#size; first += BLOCK_VECTORS) {
      if (live !== undefined && this.#isInOrder) {
        const next = live.indexOf(1, first);
        if (next < 0 || next >= this.#size) return;
        first = next - (next % BLOCK_VECTORS);
      }
      const count = Math.min(BLOCK_VECTORS, this.#size - first);
      const block = this.#blockOf(first);
      this.#scan(0, factor, block + BLOCK_VECTORS * 4, block, count, this.#stride, this.#out);
      if (this.#isInOrder) scores.set(count < BLOCK_VECTORS ? result.subarray(0, count) : result, first);
      else for (let i = 0; i < count; i++) scores[this.#rowOf[first + i]!] = result[i]!;
    }
  }

  scanNearest(query: Float32Array, scores: Float32Array, share: number): number[] | undefined {
    if (query.length !== this.dimensions)
      throw new RangeError(`a query of ${query.length} components in a space of ${this.dimensions}`);
    if (this.#scanAt) this.#look ??= CoarseScan.open(this);
    const [look, scanAt] = [this.#look, this.#scanAt];
    const floor = look?.encodePending() ? look.floorFor(query, share) : undefined;
    if (!look || !scanAt || floor === undefined) return undefined;
    const factor = this.#place(query);
    const { places } = look;
    const rows: number[] = [];
    const taken = new Uint32Array(this.#buffer, this.#out, BLOCK_VECTORS);
    const result = new Float32Array(this.#buffer, this.#out, BLOCK_VECTORS);
    for (let first = 0; first < this.#size; first += BLOCK_VECTORS) {
      const named = look.candidates(first, Math.min(BLOCK_VECTORS, this.#size - first), floor);
      taken.set(places.subarray(0, named));
      const block = this.#blockOf(first);
      scanAt(0, factor, block + BLOCK_VECTORS * 4, block, this.#out, named, this.#stride, this.#out);
      for (let i = 0; i < named; i++) {
        const slot = first + places[i]!;
        const row = this.#isInOrder ? slot : this.#rowOf[slot]!;
        scores[row] = result[i]!;
        rows.push(row);
      }
    }
    return rows;
  }

  scorer(query: Float32Array): (row: number) => number {
    if (query.length !== this.dimensions)
      throw new RangeError(`a query of ${query.length} components in a space of ${this.dimensions}`);
    if (this.#size === 0) return () => Number.NaN;
    const factor = this.#place(query);
    const result = new Float32Array(this.#buffer, this.#out, 1);
    return (row) => {
      const slot = this.#slotAt(row);
      if (slot < 0) return Number.NaN;
      const block = this.#blockOf(slot);
      const index = slot % BLOCK_VECTORS;
      // a scale is a single number and needs no alignment; rows start at multiples of 16
      this.#scan(
        0,
        factor,
        block + BLOCK_VECTORS * 4 + index * this.#stride,
        block + index * 4,
        1,
        this.#stride,
        this.#out,
      );
      return result[0]!;
    };
  }

  /** Writes the query to memory as 16-bit numbers; returns the factor that reverses the scaling. */
  #place(query: Float32Array): number {
    let greatest = 0;
    for (const value of query) greatest = Math.max(greatest, Math.abs(value));
    const components = new Int16Array(this.#buffer, 0, this.#stride).fill(0);
    if (greatest === 0) return 0;
    const factor = greatest / greatestComponent(this.#stride);
    for (let i = 0; i < query.length; i++) components[i] = Math.round(query[i]! / factor);
    return factor;
  }

  #slotFor(row: number): number {
    this.#slotOf = grow(this.#slotOf, row + 1);
    if (this.has(row)) return this.#slotAt(row);
    const slot = this.#size;
    this.#rowOf = grow(this.#rowOf, slot + 1);
    this.#reserve(slot + 1);
    this.#rowOf[slot] = row;
    this.#isInOrder &&= row === slot;
    this.#slotOf[row] = slot + 1;
    this.#size++;
    return slot;
  }

  #blockOf(slot: number): number {
    return this.#blocks + Math.floor(slot / BLOCK_VECTORS) * this.#blockBytes;
  }

  #reserve(size: number): void {
    if (size === this.#minKernelVectors + 1 && this.#memory === undefined)
      this.#useKernel(this.#bytesFor(size));
    const missing = this.#bytesFor(size) - this.#buffer.byteLength;
    if (missing <= 0) return;
    if (this.#memory !== undefined) {
      this.#memory.grow(Math.ceil(missing / MEMORY_PAGE));
      this.#buffer = this.#memory.buffer;
      return;
    }
    this.#useBuffer(this.#bytesFor(Math.max(MIN_CAPACITY, size * 2)));
  }

  #useBuffer(bytes: number): void {
    const buffer = new ArrayBuffer(bytes);
    new Uint8Array(buffer).set(new Uint8Array(this.#buffer));
    this.#buffer = buffer;
    this.#scan = plainScan(buffer);
  }

  /** Memory for a number of vectors. The last block needs space only for its scales and the rows in use. */
  #bytesFor(size: number): number {
    const whole = Math.floor(size / BLOCK_VECTORS);
    const rest = size % BLOCK_VECTORS;
    const bytes =
      this.#blocks + whole * this.#blockBytes + (rest > 0 ? BLOCK_VECTORS * 4 + rest * this.#stride : 0);
    if (bytes > MAX_BYTES)
      throw new RangeError(`${size} vectors of ${this.dimensions} components in one matrix`);
    return bytes;
  }

  /** Moves the data into a WebAssembly memory, if SIMD and address space are available. */
  #useKernel(bytes: number): void {
    const memory = memoryOf(Math.max(bytes, this.#buffer.byteLength));
    const kernel = memory && kernelOver(memory);
    if (memory === undefined || kernel === undefined) return;
    new Uint8Array(memory.buffer).set(new Uint8Array(this.#buffer));
    this.#memory = memory;
    this.#buffer = memory.buffer;
    this.#scan = kernel.scan;
    this.#scanAt = kernel.scanAt;
  }
}
