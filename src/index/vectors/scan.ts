import { KERNEL } from "./scan-kernel.ts";

/**
 * The exact scan over 8-bit vectors. Kernel and JavaScript read the same bytes and give bit-identical
 * results: `count` rows of `stride` bytes from `rows`, one float32 per row from `scales`, the 16-bit query at
 * `query`; each row's dot product × its scale × `factor` is written as float32 from `out`. Addresses are
 * bytes in the buffer; they and `stride` are multiples of 16.
 */
export type Scan = (
  query: number,
  factor: number,
  rows: number,
  scales: number,
  count: number,
  stride: number,
  out: number,
) => void;

/**
 * Scans `count` float32 scores from `at`, four at a time: the positions (0 = the first) of those above
 * `floor` are written as 32-bit numbers from `out`, ascending, with up to SPARE_PLACES extra ones. Returns
 * their number. NaN never matches. Addresses are bytes in the buffer, multiples of 4.
 */
export type AboveFloor = (at: number, count: number, floor: number, out: number) => number;

export const SPARE_PLACES = 3;

/**
 * Adds saturation × weight / (weight + norm) (domain/score.ts) to the float32 scores of `count` different
 * rows (32-bit numbers from `rows`), all in float32, with the parallel 16-bit weights from `weights` and the
 * float32 norm of the row. Returns the greatest of these scores, or 0 if none is positive. `norms` and
 * `scores` are the addresses of row 0; all addresses are bytes in the buffer.
 */
export type Add = (
  rows: number,
  weights: number,
  count: number,
  saturation: number,
  norms: number,
  scores: number,
) => number;

/** Number of 4-bit codes. */
export const CODES = 16;
/** Vectors whose codes share a block: 16 in the low halves of its bytes, 16 in the high ones. */
export const BLOCK_CODES = 32;
/** Largest table entry of `estimate`: four are added in one byte. */
export const GREATEST_ENTRY = 63;

/**
 * Like `Scan`, for the rows and scales at `count` positions (32-bit numbers) from `places`, which may overlap
 * `out`: one score per position.
 */
export type ScanAt = (
  query: number,
  factor: number,
  rows: number,
  scales: number,
  places: number,
  count: number,
  stride: number,
  out: number,
) => void;

const compiled = compile();

/** Functions of the kernel. */
export interface Kernel {
  readonly scan: Scan;
  readonly above: AboveFloor;
  readonly add: Add;
  readonly scanAt: ScanAt;
  /**
   * Writes the codes of the 8-bit vector of `stride` bytes, times its scale, four bits per group of
   * components: 16 bytes apart from `out` on, in the bits of a byte from `shift` (0 or 4) on. Bits 0 to 3 of
   * a code say which of four components are above their `middles`; in fine codes (1), bits 0 and 1 say so for
   * two components, and bits 2 and 3 which of them are farther from it than `spreads`. Both are float32, one
   * per component.
   */
  readonly encode: (
    vector: number,
    scale: number,
    middles: number,
    spreads: number,
    stride: number,
    isFine: number,
    shift: number,
    out: number,
  ) => void;
  /**
   * Sums the table entries of the codes of each vector, for `count` blocks of BLOCK_CODES vectors, `step`
   * bytes apart; float32 from `out`. A table has CODES one-byte entries, at most GREATEST_ENTRY; there is one
   * per group, and the number of groups is a multiple of 4. The sum stays below 2^16.
   */
  readonly estimate: (
    tables: number,
    blocks: number,
    count: number,
    step: number,
    groups: number,
    out: number,
  ) => void;
}

/** The WebAssembly SIMD kernel over a memory; undefined if the machine has no SIMD. */
export function kernelOver(memory: WebAssembly.Memory): Kernel | undefined {
  return compiled && (new WebAssembly.Instance(compiled, { index: { memory } }).exports as unknown as Kernel);
}

/** A memory of at least so many bytes; undefined if the address space is exhausted. */
export function memoryOf(bytes: number): WebAssembly.Memory | undefined {
  try {
    return new WebAssembly.Memory({ initial: Math.ceil(bytes / MEMORY_PAGE) });
  } catch {
    return undefined;
  }
}

export const MEMORY_PAGE = 65_536;

/** The same in plain JavaScript. */
export function plainScan(buffer: ArrayBuffer): Scan {
  return (query, factor, rows, scales, count, stride, out) => {
    const bytes = new Int8Array(buffer, rows, count * stride);
    const components = new Int16Array(buffer, query, stride);
    const scale = new Float32Array(buffer, scales, count);
    const result = new Float32Array(buffer, out, count);
    const queryFactor = Math.fround(factor);
    for (let row = 0, at = 0; row < count; row++, at += stride) {
      let sum = 0;
      for (let i = 0; i < stride; i++) sum += components[i]! * bytes[at + i]!;
      result[row] = Math.fround(Math.fround(sum) * scale[row]!) * queryFactor;
    }
  };
}

/** The same in plain JavaScript. */
export function plainAbove(buffer: ArrayBuffer): AboveFloor {
  return (at, count, floor, out) => {
    const scores = new Float32Array(buffer, at, count);
    const places = new Uint32Array(buffer, out, count);
    let found = 0;
    for (const [place, score] of scores.entries()) if (score > floor) places[found++] = place;
    return found;
  };
}

/** The same in plain JavaScript. */
export function plainAdd(buffer: ArrayBuffer): Add {
  return (rowsAt, weightsAt, count, saturation, normsAt, scoresAt) => {
    const rows = new Uint32Array(buffer, rowsAt, count);
    const weights = new Uint16Array(buffer, weightsAt, count);
    const norms = new Float32Array(buffer, normsAt);
    const scores = new Float32Array(buffer, scoresAt);
    const factor = Math.fround(saturation);
    let best = 0;
    for (const [i, row] of rows.entries()) {
      const weight = weights[i]!;
      const brought = Math.fround(Math.fround(factor * weight) / Math.fround(weight + norms[row]!));
      const score = Math.fround(scores[row]! + brought);
      scores[row] = score;
      if (score > best) best = score;
    }
    return best;
  };
}

/**
 * The greatest component of a query that fits into 16 bits and keeps every sum of products below 2^31 / (127
 * × stride).
 */
export const greatestComponent = (stride: number): number =>
  Math.min(32_767, Math.floor((2 ** 31 - 1) / (127 * stride)));

function compile(): WebAssembly.Module | undefined {
  const bytes = Buffer.from(KERNEL, "base64");
  return WebAssembly.validate(bytes) ? new WebAssembly.Module(bytes) : undefined;
}
