import { LocalError } from "../cli-errors.ts";

/** Reads a stream as UTF-8 text. Throws LocalError if it is longer than `maxBytes`. */
export async function readAll(stream: NodeJS.ReadableStream, maxBytes: number): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of stream) {
    const part = Buffer.from(piece);
    bytes += part.length;
    if (bytes > maxBytes)
      throw new LocalError(`standard input is longer than ${maxBytes} bytes: use a file instead`);
    pieces.push(part);
  }
  return Buffer.concat(pieces).toString("utf8");
}
