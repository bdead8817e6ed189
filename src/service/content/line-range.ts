export interface LineRange {
  /** First line, from 0. */
  readonly offset: number;
  /** Number of lines; negative: all. */
  readonly limit: number;
}

/**
 * A range of lines from a text that arrives in parts, including line breaks. Reads only up to the last line,
 * and buffers nothing else. Undefined if the lines exceed `maxBytes` of UTF-8.
 */
export async function lineRange(
  parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { offset, limit }: LineRange,
  { encoding, maxBytes }: { readonly encoding: string; readonly maxBytes: number },
): Promise<string | undefined> {
  const decoder = new TextDecoder(encoding);
  const lines = new Lines({ offset, limit }, maxBytes);
  if (limit === 0) return "";
  for await (const part of parts) {
    lines.take(decoder.decode(part, { stream: true }));
    if (lines.isTooLong) return undefined;
    if (lines.isDone) return lines.text;
  }
  lines.take(decoder.decode());
  return lines.isTooLong ? undefined : lines.text;
}

/** Like `lineRange`, for a complete text. */
export function linesOf(text: string, { offset, limit }: LineRange, maxBytes: number): string | undefined {
  if (offset === 0 && limit < 0) return Buffer.byteLength(text) > maxBytes ? undefined : text;
  const lines = new Lines({ offset, limit }, maxBytes);
  lines.take(text);
  return lines.isTooLong ? undefined : lines.text;
}

class Lines {
  readonly #kept: string[] = [];
  readonly #maxBytes: number;
  #bytes = 0;
  #skip: number;
  #left: number;

  constructor({ offset, limit }: LineRange, maxBytes: number) {
    this.#skip = offset;
    this.#left = limit < 0 ? Number.POSITIVE_INFINITY : limit;
    this.#maxBytes = maxBytes;
  }

  get isDone(): boolean {
    return this.#left === 0;
  }

  get isTooLong(): boolean {
    return this.#bytes > this.#maxBytes;
  }

  get text(): string {
    return this.#kept.join("");
  }

  take(text: string): void {
    let from = 0;
    while (this.#skip > 0) {
      const end = text.indexOf("\n", from);
      if (end < 0) return;
      from = end + 1;
      this.#skip--;
    }
    let to = from;
    while (this.#left > 0) {
      const end = text.indexOf("\n", to);
      if (end < 0) {
        to = text.length;
        break;
      }
      to = end + 1;
      this.#left--;
    }
    const wanted = text.slice(from, to);
    this.#kept.push(wanted);
    this.#bytes += Buffer.byteLength(wanted);
  }
}
