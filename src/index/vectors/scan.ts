import { KERNEL } from "./scan-kernel.ts";

/**
 * The exact scan over 8-bit vectors. Both ways read the same bytes and give the same numbers, bit for bit:
 * `count` rows of `stride` bytes from `rows`, one float32 per row from `scales`, the 16-bit query at `query`;
 * each row's dot product × its scale × `factor` is written as float32 from `out`. Addresses are bytes in the
 * buffer; they and `stride` are multiples of 16.
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
 * Looks through `count` float32 scores from `at`, four at a time: the places (0 = the first) of those above
 * `floor` are written as 32-bit numbers from `out`, ascending, and maybe SPARE_PLACES more. Answers how many
 * there are. What is no number is above nothing. Addresses are bytes in the buffer, multiples of 4.
 */
export type AboveFloor = (at: number, count: number, floor: number, out: number) => number;

export const SPARE_PLACES = 3;

/**
 * Adds to the float32 scores of `count` different rows (32-bit numbers from `rows`) saturation × weight /
 * (weight + norm), all in float32, with the 16-bit weights beside them from `weights` and the float32 norm of
 * the row: what a term brings (domain/score.ts). Answers the greatest of these scores, 0 if there is none
 * above. `norms` and `scores` are the addresses of row 0; all addresses are bytes in the buffer.
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
/** Vectors whose codes lie together in a block: 16 in the low halves of its bytes, 16 in the high ones. */
export const BLOCK_CODES = 32;
/** Largest table entry of `estimate`: four are added in one byte. */
export const GREATEST_ENTRY = 63;

/**
 * As `Scan`, for the rows and scales at `count` places (32-bit numbers) from `places`, which may be where the
 * scores go: from `out`, one for each place.
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
   * Writes the codes of the 8-bit vector of `stride` bytes, times its scale, in four bits for each group of
   * components: 16 bytes apart from `out` on, in the bits of a byte from `shift` (0 or 4) on. Bits 0 to 3 of
   * a code say which of four components are above their `middles`; where it is fine (1), bits 0 and 1 say so
   * of two, and bits 2 and 3 which of them are farther from it than `spreads` says. Both are float32, one a
   * component.
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
   * Of each vector of `count` blocks of BLOCK_CODES, `step` bytes from one to the next, the sum of what the
   * tables say of its codes, as float32 from `out`. A table has CODES entries of a byte, at most
   * GREATEST_ENTRY; there is one for each of the groups, whose number is a multiple of 4. The sum stays below
   * 2^16.
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

/** The WebAssembly SIMD kernel over a memory, or undefined where the machine has none. */
export function kernelOver(memory: WebAssembly.Memory): Kernel | undefined {
  return compiled && (new WebAssembly.Instance(compiled, { index: { memory } }).exports as unknown as Kernel);
}

/** A memory of at least so many bytes, or undefined where there is no address space for one more. */
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
    for (let place = 0; place < count; place++) if (scores[place]! > floor) places[found++] = place;
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
    for (let i = 0; i < count; i++) {
      const [row, weight] = [rows[i]!, weights[i]!];
      const brought = Math.fround(Math.fround(factor * weight) / Math.fround(weight + norms[row]!));
      const score = Math.fround(scores[row]! + brought);
      scores[row] = score;
      if (score > best) best = score;
    }
    return best;
  };
}

/**
 * The greatest component of a query: below 2^31 / (127 × stride) no sum of products leaves 32 bits, and 16
 * bits hold it.
 */
export const greatestComponent = (stride: number): number =>
  Math.min(32_767, Math.floor((2 ** 31 - 1) / (127 * stride)));

function compile(): WebAssembly.Module | undefined {
  const bytes = Buffer.from(KERNEL, "base64");
  return WebAssembly.validate(bytes) ? new WebAssembly.Module(bytes) : undefined;
}
