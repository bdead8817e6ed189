import { type Above, kernelOver, MEMORY_PAGE, memoryOf, plainAbove, SPARE_PLACES } from "./scan.ts";

/** Scores looked through together; between two times the caller may have raised its floor. */
const AT_ONCE = 1024;
const BYTES = 4;
/** The places found lie first, then the scores of both halves. */
const HEADER_BYTES = 8192;

/** The scores of a search, where the kernel can look through them. */
export class ScoreMemory {
  /** Rows for which there is room; -1 before the first. */
  #capacity = -1;
  #memory: WebAssembly.Memory | undefined;
  #buffer = new ArrayBuffer(0);
  #above: Above = plainAbove(this.#buffer);
  #places = new Uint32Array(0);

  /** Makes room for so many rows; what was there is lost. */
  reserve(rows: number): void {
    if (rows <= this.#capacity) return;
    const bytes = HEADER_BYTES + 2 * rows * BYTES;
    const missing = bytes - this.#buffer.byteLength;
    if (this.#memory) this.#memory.grow(Math.ceil(missing / MEMORY_PAGE));
    else this.#memory = memoryOf(bytes);
    const above = this.#memory && kernelOver(this.#memory)?.above;
    this.#buffer = above ? this.#memory!.buffer : new ArrayBuffer(bytes);
    this.#above = above ?? plainAbove(this.#buffer);
    this.#places = new Uint32Array(this.#buffer, 0, AT_ONCE + SPARE_PLACES);
    this.#capacity = Math.floor((this.#buffer.byteLength - HEADER_BYTES) / (2 * BYTES));
  }

  /** The scores of one half (0 or 1) for the rows `from` to `to`. */
  half(which: 0 | 1, from: number, to: number): Float32Array {
    return new Float32Array(this.#buffer, HEADER_BYTES + (which * this.#capacity + from) * BYTES, to - from);
  }

  /**
   * Calls `take` with the place of each score above the floor, ascending; it answers the floor from then on, which may be heeded only later. `scores` are those of
   * `half`.
   */
  above(scores: Float32Array, floor: number, take: (place: number) => number): void {
    let least = floor;
    for (let first = 0; first < scores.length; first += AT_ONCE) {
      const found = this.#above(scores.byteOffset + first * BYTES, Math.min(AT_ONCE, scores.length - first), least, 0);
      for (let i = 0; i < found; i++) least = take(first + this.#places[i]!);
    }
  }
}
