import { checkJsonValues } from "../value-count.ts";

/** Returns the value if it is an array; otherwise an empty array. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Returns the value if it is a number; otherwise NaN. Converting another value may throw. */
export const numberOf = (value: unknown): number => (typeof value === "number" ? value : Number.NaN);

/** Maximum length of all texts assembled from one stream, in UTF-16 units; sessions store less. */
const MAX_STREAMED = 1024 * 1024;

/** Maximum length and number of values of a tool input's JSON; sessions store a few short fields. */
const MAX_INPUT_LENGTH = 1024 * 1024;
const MAX_INPUT_VALUES = 10_000;
const BYTES_PER_UNIT = 2;

/** Texts of one stream, assembled from pieces; text above the common limit is dropped. */
export class StreamedTexts {
  #left = MAX_STREAMED;

  /** Upper bound of the bytes kept so far. */
  get bytes(): number {
    return (MAX_STREAMED - this.#left) * BYTES_PER_UNIT;
  }

  /** Appends a piece to `text`. */
  grown(text: string, piece: string | undefined): string {
    if (piece === undefined || this.#left === 0) return text;
    const taken = piece.length > this.#left ? piece.slice(0, this.#left) : piece;
    this.#left -= taken.length;
    return text + taken;
  }
}

/** Parses a tool input; returns the text itself if it is not JSON or too large. */
export function parsedInput(text: string): unknown {
  if (text.length > MAX_INPUT_LENGTH) return text;
  try {
    checkJsonValues(Buffer.from(text), MAX_INPUT_VALUES);
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Serializes a value as JSON; "" if that is impossible, or it is nested too deeply. */
export function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "";
  }
}
