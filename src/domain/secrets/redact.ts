import type { Secret } from "./scan.ts";

/** Encoding of a text; every ASCII-compatible encoding counts as UTF-8. */
export type TextWidth = "utf-8" | "utf-16le" | "utf-16be";

/** Code units or secrets processed between two steps. */
const UNITS_PER_STEP = 64 * 1024;
const SECRETS_PER_STEP = 256;
/** Replacement for code units above one byte, which do not occur in secrets. */
const WIDE = 0xff;

/** UTF-16 for a text with its byte order mark, otherwise UTF-8. */
export function widthOf([first, second]: Uint8Array): TextWidth {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}

/** Converts each code unit to one byte, for the search. */
export function* narrowedSteps(bytes: Uint8Array, width: TextWidth): Generator<undefined, Uint8Array> {
  if (width === "utf-8") return bytes;
  const narrow = new Uint8Array(bytes.length >> 1);
  const [low, high] = width === "utf-16le" ? [0, 1] : [1, 0];
  for (let unit = 0; unit < narrow.length; unit++) {
    narrow[unit] = bytes[2 * unit + high] === 0 ? (bytes[2 * unit + low] ?? WIDE) : WIDE;
    if (unit % UNITS_PER_STEP === 0) yield;
  }
  return narrow;
}

/**
 * Replaces every secret in a text by a marker that names its kind. Positions of secrets are in code units.
 */
export function* redactedSteps(
  bytes: Uint8Array,
  secrets: readonly Secret[],
  width: TextWidth,
): Generator<undefined, Buffer> {
  const unit = width === "utf-8" ? 1 : 2;
  const marks = new Map<string, Buffer>();
  let length = bytes.length;
  for (const [at, { kind, start, end }] of secrets.entries()) {
    const mark = marks.get(kind) ?? markOf(kind, width);
    marks.set(kind, mark);
    length += mark.length - unit * (end - start);
    if (at % SECRETS_PER_STEP === 0) yield;
  }
  const written = Buffer.allocUnsafe(length);
  let [from, to] = [0, 0];
  for (const [at, { kind, start, end }] of secrets.entries()) {
    written.set(bytes.subarray(from, unit * start), to);
    to += unit * start - from;
    to += marks.get(kind)?.copy(written, to) ?? 0;
    from = unit * end;
    if (at % SECRETS_PER_STEP === 0) yield;
  }
  written.set(bytes.subarray(from), to);
  return written;
}

function markOf(kind: string, width: TextWidth): Buffer {
  const text = `[redacted: ${kind}]`;
  if (width === "utf-8") return Buffer.from(text);
  const mark = Buffer.from(text, "utf16le");
  return width === "utf-16be" ? mark.swap16() : mark;
}
