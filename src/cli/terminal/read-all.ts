import { LocalError } from "../cli-errors.ts";

/** Reads a stream as UTF-8 text. */
export async function readAll(stream: NodeJS.ReadableStream, maxBytes: number): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of stream) {
    const part = Buffer.from(piece);
    bytes += part.length;
    if (bytes > maxBytes)
      throw new LocalError(`more than ${maxBytes} bytes on standard input: add a file instead`);
    pieces.push(part);
  }
  return Buffer.concat(pieces).toString("utf8");
}
