import { isUtf8 } from "node:buffer";
import { EventLoopYielder } from "../../base/event-loop.ts";
import { invalidArgument, ServiceError } from "../../domain/errors.ts";
import { decode } from "../../domain/text/decode.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenants } from "../tenants.ts";
import { encodingOf, SAMPLE_BYTES } from "../text-parts.ts";
import { type LineRange, lineRange, linesOf } from "./line-range.ts";
import { type Readable, readableAt } from "./readable-file.ts";

/** Maximum bytes of text in a response. Longer files must be read by lines, or downloaded. */
export const MAX_READ_BYTES = 4 * 1024 * 1024;
/** Bytes of a text that are decoded at once. */
const PIECE_BYTES = 128 * 1024;
/** Memory per byte of content read as a whole: the content and its text. */
const READ_COST = 2;

/**
 * GET content/read: a text, complete or `limit` lines from line `offset` (0-based), with line breaks. Throws
 * RESOURCE_EXHAUSTED if the response would exceed MAX_READ_BYTES or the protocol's limit. A longer file is
 * read line by line, not loaded into memory.
 */
export async function readContent(
  deps: { tenants: Tenants },
  call: ServiceCall,
  input: {
    readonly uri: string;
    readonly offset?: number | undefined;
    readonly limit?: number | undefined;
    readonly version?: number | undefined;
    readonly snapshot?: string | undefined;
  },
): Promise<{ content: string }> {
  const offset = input.offset ?? 0;
  const limit = input.limit ?? -1;
  if (offset < 0) throw invalidArgument("offset", "must not be negative");
  if (limit < -1) throw invalidArgument("limit", "must be -1 (all lines) or more");
  const file = await readableAt(deps, call, input.uri, input);
  const size = "rendered" in file ? file.rendered.listed.size : file.entry.size;
  const maxBytes = Math.min(MAX_READ_BYTES, call.maxAnswerBytes ?? MAX_READ_BYTES);
  const isWhole = offset === 0 && limit < 0;
  if (isWhole && size > maxBytes) throw tooLong(file.uri, `the file has ${size} bytes and is`, maxBytes);
  const lease = call.reserve?.(READ_COST * Math.min(size, maxBytes));
  try {
    const content = await textOf(file, size, { offset, limit }, maxBytes, call.signal);
    if (content === undefined) throw tooLong(file.uri, isWhole ? "the text is" : "these lines are", maxBytes);
    return { content };
  } finally {
    lease?.release();
  }
}

const tooLong = (uri: string, what: string, maxBytes: number) => {
  const reason = `${what} too long for a response of at most ${maxBytes} bytes: read fewer lines with offset and limit, or use content/download (DownloadContent)`;
  return new ServiceError("RESOURCE_EXHAUSTED", `${uri}: ${reason}`, {
    resource: uri,
    reason,
    limit: maxBytes,
  });
};

/** The text of UTF-8 bytes; undefined if they are invalid or may start with a byte order mark. */
const utf8In = (bytes: Uint8Array): string | undefined =>
  bytes[0] !== 0xef && isUtf8(bytes)
    ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
    : undefined;

/** Splits content that is not UTF-8 and yields in between, because decoding it is slow. */
async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  const yielder = new EventLoopYielder();
  for (let at = 0; at < bytes.byteLength; at += PIECE_BYTES) {
    yield bytes.subarray(at, at + PIECE_BYTES);
    await yielder.yieldIfDue();
  }
}

/** Undefined if the text exceeds `maxBytes`. */
async function textOf(
  file: Readable,
  size: number,
  range: LineRange,
  maxBytes: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  if ("rendered" in file) return lineRange(file.rendered.bytes(), range, { encoding: "utf-8", maxBytes });
  const { contents } = file.workspace;
  const whole = size > maxBytes ? undefined : await contents.read(file.entry);
  const isShort = whole !== undefined && whole.byteLength <= SAMPLE_BYTES;
  const decoded = isShort ? decode(whole) : undefined;
  const sample = whole ? [whole.subarray(0, SAMPLE_BYTES)] : contents.stream(file.entry, 0, SAMPLE_BYTES);
  const encoding = isShort ? decoded?.encoding : await encodingOf(sample);
  if (encoding === undefined)
    throw invalidArgument("uri", `${file.uri} is binary: download it with content/download`);
  const text = decoded?.text ?? (whole && encoding === "utf-8" ? utf8In(whole) : undefined);
  if (text !== undefined) return linesOf(text, range, maxBytes);
  if (whole) return lineRange(piecesOf(whole), range, { encoding, maxBytes });
  const bytes = contents.stream(file.entry, 0, size);
  const leave = () => bytes.destroy();
  signal.addEventListener("abort", leave, { once: true });
  try {
    return await lineRange(bytes, range, { encoding, maxBytes });
  } finally {
    signal.removeEventListener("abort", leave);
    bytes.destroy();
  }
}
