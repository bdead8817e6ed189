/** A value as a list; empty for anything else. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Limit of what is put together of one stream, in UTF-16 units: sessions store less. */
const MAX_STREAMED = 1024 * 1024;

/** The texts of one stream, which come in pieces; what exceeds the limit of all is left out. */
export class StreamedTexts {
  #left = MAX_STREAMED;

  /** `text` with a further piece. */
  grown(text: string, piece: string | undefined): string {
    if (piece === undefined || this.#left === 0) return text;
    const taken = piece.length > this.#left ? piece.slice(0, this.#left) : piece;
    this.#left -= taken.length;
    return text + taken;
  }
}

/** The input of a tool call, parsed; the text itself if it is not JSON. */
export function parsedInput(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
