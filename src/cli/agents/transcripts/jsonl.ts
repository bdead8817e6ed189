import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { parsed } from "../rest-call.ts";

/** One line of a transcript with its byte offsets in the file. */
export interface TranscriptLine {
  readonly start: number;
  /** Offset just after the line. */
  readonly end: number;
  /** Undefined if the line is not JSON or too long. */
  readonly value: unknown;
}

const BLOCK_BYTES = 1024 * 1024;
/** Maximum line length in bytes; longer lines, such as embedded images, are skipped. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;
const NEWLINE = 0x0a;

/**
 * The complete lines between the offsets `from` (the start of a line) and `to`. An unterminated last line is
 * left for the next call. Throws file system errors, and if the path is not a regular file.
 */
export function* readLines(path: string, from: number, to: number): Generator<TranscriptLine> {
  const file = openSync(path, "r");
  try {
    if (!fstatSync(file).isFile()) throw new Error(`${path} is not a regular file`);
    yield* linesOf(file, from, to);
  } finally {
    closeSync(file);
  }
}

function* linesOf(file: number, from: number, to: number): Generator<TranscriptLine> {
  const block = Buffer.alloc(BLOCK_BYTES);
  let held: Buffer[] = [];
  let heldBytes = 0;
  let start = from;
  for (let at = from; at < to; ) {
    const bytes = readSync(file, block, 0, Math.min(BLOCK_BYTES, to - at), at);
    if (bytes === 0) return;
    let begin = 0;
    for (let newline = block.indexOf(NEWLINE); newline !== -1 && newline < bytes; ) {
      const end = at + newline + 1;
      const isKept = heldBytes + newline - begin <= MAX_LINE_BYTES;
      const text = isKept ? Buffer.concat([...held, block.subarray(begin, newline)]).toString("utf8") : "";
      yield { start, end, value: parsed(text) };
      [held, heldBytes, start, begin] = [[], 0, end, newline + 1];
      newline = block.indexOf(NEWLINE, begin);
    }
    heldBytes += bytes - begin;
    if (heldBytes <= MAX_LINE_BYTES) held.push(Buffer.from(block.subarray(begin, bytes)));
    else held = [];
    at += bytes;
  }
}
