import { clientLeft } from "../call.ts";
import type { HttpRequest, HttpResponse } from "../connections/connections.ts";
import { FOREIGN_CONTENT_POLICY } from "../guarded-response.ts";
import type { HeaderView } from "../identity.ts";
import type { ByteStream } from "../operation.ts";
import { drain, type Headers, writeAll, writeHead } from "../respond.ts";
import { attachment, type ByteRange, parseRange } from "./range.ts";

/**
 * Sends a file, or the one range of it that the request asks for; without its bytes for HEAD. `more` makes
 * further headers. Throws before anything is sent if the range lies outside of the file.
 */
export async function sendFile(
  request: HttpRequest,
  response: HttpResponse,
  stream: ByteStream,
  headers: HeaderView,
  more: () => Headers,
): Promise<void> {
  const range =
    stream.size === undefined || ifRangeFails(headers, stream)
      ? undefined
      : parseRange(headers.get("range"), stream.size);
  const begin = () =>
    writeHead(response, range === undefined ? 200 : 206, { ...more(), ...streamHeaders(stream, range) });
  if (request.method === "HEAD") {
    begin();
    response.end();
  } else if (!(await sendBytes(response, begin, stream.read(range)))) throw clientLeft();
  drain(request);
}

/** Sends a body. After the headers are sent, only closing the connection can signal an error. */
export async function sendBytes(
  response: HttpResponse,
  begin: () => void,
  bytes: AsyncIterable<Uint8Array>,
): Promise<boolean> {
  try {
    return await writeAll(response, begin, bytes);
  } catch (error) {
    if (response.headersSent) response.destroy();
    throw error;
  }
}

function streamHeaders(stream: ByteStream, range: ByteRange | undefined): Headers {
  const headers: Headers = {
    "Content-Type": stream.contentType,
    "Content-Disposition": attachment(stream.name),
    "Content-Security-Policy": FOREIGN_CONTENT_POLICY,
  };
  if (stream.etag !== undefined) headers.ETag = `"${stream.etag}"`;
  if (stream.size === undefined) return headers;
  headers["Accept-Ranges"] = "bytes";
  headers["Content-Length"] = range === undefined ? stream.size : range.end - range.start;
  if (range !== undefined) headers["Content-Range"] = `bytes ${range.start}-${range.end - 1}/${stream.size}`;
  return headers;
}

/** A range of another version of the file is useless: then the whole file is sent. */
function ifRangeFails(headers: HeaderView, stream: ByteStream): boolean {
  const wanted = headers.get("if-range");
  return wanted !== undefined && wanted !== `"${stream.etag}"`;
}
