import { KERNEL } from "./scan-kernel.ts";

/**
 * Exact scan of 8-bit vectors. Kernel and JavaScript read the same bytes and give bit-identical results.
 * Reads `count` rows of `stride` bytes from `rows`, one float32 per row from `scales`, and the 16-bit query
 * at `query`; writes each dot product × scale × `factor` as float32 to `out`. Addresses are byte offsets in
 * the buffer; they and `stride` are multiples of 16.
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
 * Compares `count` float32 scores from `at`, four at a time. Writes the positions (relative to the first) of
 * those above `floor` to `out` as 32-bit numbers, ascending, with up to SPARE_PLACES extra ones. Returns
 * their number. NaN never matches. Addresses are byte offsets, multiples of 4.
 */
export type AboveFloor = (at: number, count: number, floor: number, out: number) => number;

export const SPARE_PLACES = 3;

/**
 * Adds saturation × weight / (weight + norm) (domain/score.ts) to the scores of `count` different rows
 * (32-bit numbers at `rows`), with 16-bit weights at `weights` and float32 norms, all in float32. Returns the
 * greatest of these scores, or 0 if none is positive. `norms` and `scores` are the addresses of row 0.
 * Addresses are byte offsets in the buffer.
 */
export type Add = (
  rows: number,
  weights: number,
  count: number,
  saturation: number,
  norms: number,
  scores: number,
) => number;

/** Number of scores per peak. */
export const PEAK_ROWS = 64;

/**
 * Writes the greatest of each PEAK_ROWS float32 scores from `at` to `out`, `count` times. No score is NaN.
 * Addresses are byte offsets, multiples of 4.
 */
export type Peaks = (at: number, count: number, out: number) => void;

/** Number of 4-bit codes. */
export const CODES = 16;
/** Vectors per block of codes: 16 in the low nibbles of its bytes, 16 in the high ones. */
export const BLOCK_CODES = 32;
/** Largest table entry of `estimate`, because four entries are added in one byte. */
export const GREATEST_ENTRY = 63;

/**
 * Like `Scan`, for `count` rows whose positions are at `places` (32-bit numbers; may overlap `out`). Writes
 * one score per position.
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

/** Functions exported by the kernel. */
export interface Kernel {
  readonly scan: Scan;
  readonly above: AboveFloor;
  readonly peaks: Peaks;
  readonly add: Add;
  readonly scanAt: ScanAt;
  /**
   * Encodes an 8-bit vector of `stride` bytes, multiplied by its scale, with four bits per group of
   * components. Codes are written 16 bytes apart from `out` on, into the bits of each byte from `shift` (0 or
   * 4). A bit is set for each of four components that is above its value in `middles`. Fine codes (1): bits 0
   * and 1 are set likewise for two components, and bits 2 and 3 if their distance from it exceeds `spreads`.
   * `middles` and `spreads` have one float32 per component.
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
   * Sums the table entries for the codes of each vector in `count` blocks of BLOCK_CODES vectors, `step`
   * bytes apart; writes float32 to `out`. There is one table per group, with CODES one-byte entries of at
   * most GREATEST_ENTRY; the number of groups is a multiple of 4. Sums stay below 2^16.
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

/** The WebAssembly SIMD kernel for a memory; undefined without SIMD. */
export function kernelOver(memory: WebAssembly.Memory): Kernel | undefined {
  return compiled && (new WebAssembly.Instance(compiled, { index: { memory } }).exports as unknown as Kernel);
}

/** A memory of at least this many bytes; undefined if the address space is exhausted. */
export function memoryOf(bytes: number): WebAssembly.Memory | undefined {
  try {
    return new WebAssembly.Memory({ initial: Math.ceil(bytes / MEMORY_PAGE) });
  } catch {
    return undefined;
  }
}

export const MEMORY_PAGE = 65_536;

/** `Scan` in plain JavaScript. */
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

/** `AboveFloor` in plain JavaScript. */
export function plainAbove(buffer: ArrayBuffer): AboveFloor {
  return (at, count, floor, out) => {
    const scores = new Float32Array(buffer, at, count);
    const places = new Uint32Array(buffer, out, count);
    let found = 0;
    for (const [place, score] of scores.entries()) if (score > floor) places[found++] = place;
    return found;
  };
}

export const greatestOf = (scores: Float32Array): number =>
  scores.reduce((most, score) => Math.max(most, score), Number.NEGATIVE_INFINITY);

/** `Peaks` in plain JavaScript. */
export function plainPeaks(buffer: ArrayBuffer): Peaks {
  return (at, count, out) => {
    const peaks = new Float32Array(buffer, out, count);
    for (let i = 0; i < count; i++)
      peaks[i] = greatestOf(new Float32Array(buffer, at + i * PEAK_ROWS * 4, PEAK_ROWS));
  };
}

/** `Add` in plain JavaScript. */
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

/** The largest query component that fits into 16 bits and keeps all sums of products below 2^31. */
export const greatestComponent = (stride: number): number =>
  Math.min(32_767, Math.floor((2 ** 31 - 1) / (127 * stride)));

function compile(): WebAssembly.Module | undefined {
  const bytes = Buffer.from(KERNEL, "base64");
  return WebAssembly.validate(bytes) ? new WebAssembly.Module(bytes) : undefined;
}
