import type { OutgoingHttpHeaders } from "node:http";
import { promisify } from "node:util";
import { gzip, gzipSync } from "node:zlib";
import type { HttpRequest, HttpResponse } from "./connections/connections.ts";

/** Minimum size in bytes of a compressed response. */
const GZIP_FROM_BYTES = 1024;
const GZIP = { level: 4 } as const;
/**
 * Maximum size in bytes of a response that is compressed on the main thread: for small ones, using another thread
 * costs more.
 */
const GZIP_HERE_BYTES = 64 * 1024;
const LONG_TEXT = 16 * 1024;
/** Time in ms that a client may keep sending an unread body after the response. */
const DRAIN_MS = 10_000;
/** Time in ms after which a client that does not read is disconnected. */
const STALL_MS = 30_000;
/**
 * Size in bytes of the parts of a large response, each of which the client must read in time. A smaller
 * response must be read in time as a whole.
 */
const PIECE_BYTES = 128 * 1024;
/** Minimum size in bytes of a response with a read deadline; smaller ones rely on the connection's. */
const WATCHED_BYTES = 16 * 1024;

const compress = promisify(gzip);

/** Bodies shared by many responses, and their compressed form once needed. */
const SHARED = new WeakMap<Uint8Array, Promise<Buffer> | undefined>();

/** Marks a body that many responses share: it is compressed once, and all responses use the same bytes. */
export function shared(body: Uint8Array): Uint8Array {
  SHARED.set(body, undefined);
  return body;
}

function compressed(body: string | Uint8Array): Promise<Buffer> {
  if (typeof body === "string" || !SHARED.has(body)) return compress(body, GZIP);
  const known = SHARED.get(body) ?? compress(body, GZIP);
  SHARED.set(body, known);
  return known;
}

/** Overloads common to HTTP/1.1 and HTTP/2 responses, because a union of both cannot be called. */
interface Writer {
  writeHead(status: number, headers: OutgoingHttpHeaders): unknown;
  write(chunk: Uint8Array): boolean;
  end(body: string | Uint8Array): unknown;
}

export type Headers = Record<string, string | number>;

/**
 * Sends a complete response: compressed if accepted and worthwhile; without a body for HEAD. Never rejects.
 */
export async function respond(
  request: HttpRequest,
  response: HttpResponse,
  status: number,
  headers: Headers,
  content: string | Uint8Array,
): Promise<void> {
  // encode a long text once, for its length, compression and output
  let body = typeof content === "string" && content.length > LONG_TEXT ? Buffer.from(content) : content;
  let length = Buffer.byteLength(body);
  if (length >= GZIP_FROM_BYTES && headers["Content-Encoding"] === undefined) {
    headers.Vary = response.hasHeader("Vary") ? "Origin, Accept-Encoding" : "Accept-Encoding";
    if (accepts(request, "gzip")) {
      body = length <= GZIP_HERE_BYTES ? gzipSync(body, GZIP) : await compressed(body);
      length = body.length;
      headers["Content-Encoding"] = "gzip";
    }
  }
  headers["Content-Length"] = length;
  if (hasLeft(response)) return;
  const begin = () => writeHead(response, status, headers);
  if (request.method === "HEAD") {
    begin();
    response.end();
  } else {
    await writeWhole(response, begin, body, length);
  }
  drain(request);
}

/**
 * Writes a complete response and ends it; `begin` writes the headers. A client that does not read it in time
 * is disconnected.
 */
export async function writeWhole(
  response: HttpResponse,
  begin: () => void,
  body: string | Uint8Array,
  length: number,
): Promise<void> {
  if (length > PIECE_BYTES) {
    await writeAll(response, begin, piecesOf(typeof body === "string" ? Buffer.from(body) : body));
    return;
  }
  begin();
  // a short string is sent together with the headers, which is cheaper
  const writer: Writer = response;
  writer.end(body);
  if (length > WATCHED_BYTES) cutUnlessTaken(response);
}

async function* piecesOf(body: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < body.length; at += PIECE_BYTES) yield body.subarray(at, at + PIECE_BYTES);
}

/**
 * Yields the messages of a response; disconnects a client that does not read in time. Ends when the response
 * closes.
 */
export function whileTaken<T>(messages: AsyncIterable<T>, response: HttpResponse): AsyncIterable<T> {
  const parts = messages[Symbol.asyncIterator]();
  let stalled: NodeJS.Timeout | undefined;
  response.once("close", () => {
    clearTimeout(stalled);
    parts.return?.().catch(() => undefined);
  });
  const next = async (): Promise<IteratorResult<T>> => {
    clearTimeout(stalled);
    const part = await parts.next();
    // the client requests the next part only after it has received this one
    if (part.done) cutUnlessTaken(response);
    else if (!hasLeft(response)) stalled = setTimeout(() => response.destroy(), STALL_MS).unref();
    return part;
  };
  const end = async (): Promise<IteratorResult<T>> =>
    (await parts.return?.()) ?? { done: true, value: undefined };
  return { [Symbol.asyncIterator]: () => ({ next, return: end }) };
}

/** Disconnects a client that does not read the rest of its response. */
export function cutUnlessTaken(response: HttpResponse): void {
  const stalled = setTimeout(() => response.destroy(), STALL_MS).unref();
  for (const event of ["finish", "close"]) response.once(event, () => clearTimeout(stalled));
}

/** Writes the status and headers of a response over HTTP/1.1 or HTTP/2. */
export function writeHead(
  response: HttpResponse,
  status: number,
  headers: Readonly<Record<string, string | number | string[]>>,
): void {
  const writer: Writer = response;
  writer.writeHead(status, headers);
}

/** Writes a part of a response; false if the client must read first (see `drained`). */
export function writePiece(response: HttpResponse, chunk: Uint8Array): boolean {
  const writer: Writer = response;
  return writer.write(chunk);
}

const ACCEPTS = {
  gzip: /(?:^|[\s,])(?:gzip|\*)(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i,
  br: /(?:^|[\s,])br(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i,
} as const;

/** Whether Accept-Encoding allows this compression. */
export function accepts(request: HttpRequest, coding: keyof typeof ACCEPTS): boolean {
  const accepted = request.headers["accept-encoding"];
  return typeof accepted === "string" && ACCEPTS[coding].test(accepted);
}

/**
 * Reads and drops the rest of a request's body, so that the client can read the response; disconnects a
 * client that still sends after DRAIN_MS.
 */
export function drain(request: HttpRequest): void {
  if (request.readableEnded || request.destroyed) return;
  const cut = setTimeout(() => ("stream" in request ? request.stream.close() : request.destroy()), DRAIN_MS);
  cut.unref();
  request.once("close", () => clearTimeout(cut)).once("end", () => clearTimeout(cut));
  request.resume();
}

/**
 * Writes a stream of bytes with back-pressure and ends the response. `begin` writes the headers with the
 * first bytes, so that an earlier error can still be reported. Returns `false`, without an error, if the
 * client disconnects early.
 */
export async function writeAll(
  response: HttpResponse,
  begin: () => void,
  chunks: AsyncIterable<Uint8Array>,
): Promise<boolean> {
  for await (const chunk of chunks) {
    if (hasLeft(response) || response.writableEnded) return false;
    if (!response.headersSent) begin();
    if (!writePiece(response, chunk) && !(await drained(response))) return false;
  }
  if (!response.headersSent) begin();
  response.end();
  cutUnlessTaken(response);
  return true;
}

/** Whether the client has disconnected; for HTTP/2 only the stream shows that. */
export const hasLeft = (response: HttpResponse): boolean =>
  "stream" in response ? response.stream.closed || response.stream.destroyed : response.destroyed;

/**
 * Waits until the client has read what was written; false if it disconnected, or was disconnected for not
 * reading.
 */
export function drained(response: HttpResponse): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (value: boolean) => {
      clearTimeout(stalled);
      response.off("drain", onDrain);
      response.off("close", onClose);
      resolve(value);
    };
    const onDrain = () => settle(true);
    const onClose = () => settle(false);
    const stalled = setTimeout(() => response.destroy(), STALL_MS).unref();
    response.on("drain", onDrain);
    response.on("close", onClose);
  });
}
