import { decode } from "../domain/text/decode.ts";

/** Number of bytes from which the encoding of a long file is detected. */
export const SAMPLE_BYTES = 64 * 1024;
/** Maximum bytes of a character in any encoding. */
const LONGEST_CHARACTER = 4;

/** Length of a piece in UTF-16 units, unless a line is longer. */
const PIECE_LENGTH = 1024 * 1024;
/** Maximum length of a line; longer ones are divided. */
const MAX_LINE_LENGTH = 4 * 1024 * 1024;

/** A part of a text that ends with a line, or inside a line longer than MAX_LINE_LENGTH. */
export interface TextPiece {
  readonly text: string;
  readonly linesBefore: number;
}

/** Detects the encoding of a long text from its first SAMPLE_BYTES; undefined for binary content. */
export async function encodingOf(
  beginning: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<string | undefined> {
  const parts: Uint8Array[] = [];
  for await (const part of beginning) parts.push(part);
  return decode(wholeCharacters(Buffer.concat(parts)))?.encoding;
}

/** Cuts a sample after the last line break or ASCII character, because what follows may be incomplete. */
function wholeCharacters(sample: Buffer): Uint8Array {
  const lineEnd = sample.lastIndexOf(0x0a);
  if (lineEnd > 0) return sample.subarray(0, lineEnd);
  let end = sample.length;
  while (end > sample.length - LONGEST_CHARACTER && (sample[end - 1] ?? 0) >= 0x80) end--;
  return sample.subarray(0, end);
}

/** A text of any length, with one piece in memory at a time. */
export async function* textPieces(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  encoding: string,
): AsyncGenerator<TextPiece> {
  const decoder = new TextDecoder(encoding);
  let kept: string[] = [];
  let length = 0;
  let linesBefore = 0;
  const cut = (end: number): TextPiece => {
    const whole = kept.join("");
    const text = whole.slice(0, end);
    kept = [whole.slice(end)];
    length = whole.length - end;
    const piece = { text, linesBefore };
    linesBefore += linesIn(text);
    return piece;
  };
  for await (const part of bytes) {
    const text = decoder.decode(part, { stream: true });
    kept.push(text);
    length += text.length;
    if (length < PIECE_LENGTH) continue;
    const lineEnd = text.lastIndexOf("\n");
    if (lineEnd >= 0) yield cut(length - text.length + lineEnd + 1);
    else if (length >= MAX_LINE_LENGTH) yield cut(length);
  }
  kept.push(decoder.decode());
  const rest = kept.join("");
  if (rest !== "") yield { text: rest, linesBefore };
}

function linesIn(text: string): number {
  let lines = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}
