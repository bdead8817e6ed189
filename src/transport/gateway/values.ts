import { checkJsonValues } from "../value-count.ts";

/** A value as a list; empty for anything else. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Limit of what is put together of one stream, in UTF-16 units: sessions store less. */
const MAX_STREAMED = 1024 * 1024;

/** Limits of the JSON of a tool call's input; sessions store a few short fields of it. */
const MAX_INPUT_LENGTH = 1024 * 1024;
const MAX_INPUT_VALUES = 10_000;
const BYTES_PER_UNIT = 2;

/** The texts of one stream, which come in pieces; what exceeds the limit of all is left out. */
export class StreamedTexts {
  #left = MAX_STREAMED;

  /** Bytes of what was taken, at most. */
  get bytes(): number {
    return (MAX_STREAMED - this.#left) * BYTES_PER_UNIT;
  }

  /** `text` with a further piece. */
  grown(text: string, piece: string | undefined): string {
    if (piece === undefined || this.#left === 0) return text;
    const taken = piece.length > this.#left ? piece.slice(0, this.#left) : piece;
    this.#left -= taken.length;
    return text + taken;
  }
}

/** The input of a tool call, parsed; the text itself if it is not JSON, or too much of it. */
export function parsedInput(text: string): unknown {
  if (text.length > MAX_INPUT_LENGTH) return text;
  try {
    checkJsonValues(Buffer.from(text), MAX_INPUT_VALUES);
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A value as JSON; "" for one that has none, or is nested too deeply. */
export function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "";
  }
}
