import type { OutgoingHttpHeaders } from "node:http";
import { promisify } from "node:util";
import { gzip, gzipSync } from "node:zlib";
import type { HttpRequest, HttpResponse } from "./connections/connections.ts";

/** Smaller answers are not worth compressing. */
const GZIP_FROM_BYTES = 1024;
const GZIP = { level: 4 } as const;
/**
 * Largest answer that is compressed on the main thread, in a millisecond at most: handing it to another
 * thread costs more.
 */
const GZIP_HERE_BYTES = 64 * 1024;
const LONG_TEXT = 16 * 1024;
/** Ms a client may keep sending an unread body after the response. */
const DRAIN_MS = 10_000;
/** Ms without reading before a client is disconnected. */
const STALL_MS = 30_000;
/**
 * Size of the pieces of a larger answer, each of which the client has to take in time; a smaller answer has
 * to be taken whole.
 */
const PIECE_BYTES = 128 * 1024;
/** Smaller answers have no deadline of their own: their connection has one. */
const WATCHED_BYTES = 16 * 1024;

const compress = promisify(gzip);

/** Bodies shared by many answers, and their compressed form once needed. */
const SHARED = new WeakMap<Uint8Array, Promise<Buffer> | undefined>();

/** Marks a body that many answers share: it is compressed once, and all answers use one copy. */
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

/** The overloads that responses of HTTP/1.1 and HTTP/2 share: a union of both cannot be called. */
interface Writer {
  writeHead(status: number, headers: OutgoingHttpHeaders): unknown;
  write(chunk: Uint8Array): boolean;
  end(body: string | Uint8Array): unknown;
}

export type Headers = Record<string, string | number>;

/** Sends a whole answer: compressed if accepted and worthwhile, without its body for HEAD. Never rejects. */
export async function respond(
  request: HttpRequest,
  response: HttpResponse,
  status: number,
  headers: Headers,
  content: string | Uint8Array,
): Promise<void> {
  // a long text is encoded once for its length, compression and output
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
 * Writes a complete answer and ends the response; `begin` writes its head. A client that does not take it in
 * time is cut.
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
  // a short string is sent in one piece with the head, which makes small answers cheaper
  const writer: Writer = response;
  writer.end(body);
  if (length > WATCHED_BYTES) cutUnlessTaken(response);
}

async function* piecesOf(body: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < body.length; at += PIECE_BYTES) yield body.subarray(at, at + PIECE_BYTES);
}

/**
 * The messages of an answer; cuts a client that does not take the previous one in time. Ends when the
 * response closes.
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
    // the sender requests the next part once this one was taken
    if (part.done) cutUnlessTaken(response);
    else if (!hasLeft(response)) stalled = setTimeout(() => response.destroy(), STALL_MS).unref();
    return part;
  };
  const end = async (): Promise<IteratorResult<T>> =>
    (await parts.return?.()) ?? { done: true, value: undefined };
  return { [Symbol.asyncIterator]: () => ({ next, return: end }) };
}

/** Cuts a client that does not take the rest of its answer. */
export function cutUnlessTaken(response: HttpResponse): void {
  const stalled = setTimeout(() => response.destroy(), STALL_MS).unref();
  for (const event of ["finish", "close"]) response.once(event, () => clearTimeout(stalled));
}

/** The head of an answer, over HTTP/1.1 or HTTP/2. */
export function writeHead(
  response: HttpResponse,
  status: number,
  headers: Readonly<Record<string, string | number | string[]>>,
): void {
  const writer: Writer = response;
  writer.writeHead(status, headers);
}

/** Writes a piece of an answer; false if the client has to take something first (`drained`). */
export function writePiece(response: HttpResponse, chunk: Uint8Array): boolean {
  const writer: Writer = response;
  return writer.write(chunk);
}

const ACCEPTS = {
  gzip: /(?:^|[\s,])(?:gzip|\*)(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i,
  br: /(?:^|[\s,])br(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i,
} as const;

/** Whether Accept-Encoding allows the compression. */
export function accepts(request: HttpRequest, coding: keyof typeof ACCEPTS): boolean {
  const accepted = request.headers["accept-encoding"];
  return typeof accepted === "string" && ACCEPTS[coding].test(accepted);
}

/**
 * Reads and drops the rest of a request's body, so that the client gets to read its answer; cuts the client
 * after a time.
 */
export function drain(request: HttpRequest): void {
  if (request.readableEnded || request.destroyed) return;
  const cut = setTimeout(() => ("stream" in request ? request.stream.close() : request.destroy()), DRAIN_MS);
  cut.unref();
  request.once("close", () => clearTimeout(cut)).once("end", () => clearTimeout(cut));
  request.resume();
}

/**
 * Writes a stream of bytes with back-pressure and ends the response. `begin` writes its head with the first
 * bytes: an earlier error can still have its own answer. Returns `false`, without an error, if the client
 * leaves early.
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

/** Whether the client disconnected; an HTTP/2 response does not show it. */
export const hasLeft = (response: HttpResponse): boolean =>
  "stream" in response ? response.stream.closed || response.stream.destroyed : response.destroyed;

/** Waits until a client has taken what was written; false if it has left, or was cut for taking nothing. */
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
