import { once } from "node:events";
import type { Readable, Writable } from "node:stream";

const NEWLINE = 0x0a;

/** A parsed line, or the reason why it is invalid. */
export type JsonLine = { readonly value: unknown } | { readonly fault: string };

/**
 * Parses each line of a stream as JSON. Invalid lines are reported and skipped; a line longer than `maxBytes`
 * ends the stream.
 */
export async function* jsonLines(input: Readable, maxBytes: number): AsyncGenerator<JsonLine> {
  let held: Buffer[] = [];
  let bytes = 0;
  const chunks: AsyncIterable<Buffer | string> = input;
  for await (const chunk of chunks) {
    const piece = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    let begin = 0;
    for (let end = piece.indexOf(NEWLINE); end !== -1; end = piece.indexOf(NEWLINE, begin)) {
      const text = Buffer.concat([...held, piece.subarray(begin, end)]).toString("utf8");
      [held, bytes, begin] = [[], 0, end + 1];
      if (text.trim() !== "") yield lineOf(text);
    }
    held.push(piece.subarray(begin));
    bytes += piece.byteLength - begin;
    if (bytes > maxBytes) {
      yield { fault: `it is longer than ${maxBytes} bytes` };
      return;
    }
  }
}

function lineOf(text: string): JsonLine {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}

/** Writes a value as one line of JSON; waits for a slow reader. */
export async function writeLine(out: Writable, value: unknown): Promise<void> {
  if (!out.write(`${JSON.stringify(value)}\n`)) await once(out, "drain");
}
