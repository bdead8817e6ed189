import { clientLeft } from "../call.ts";
import type { HttpRequest, HttpResponse } from "../connections/connections.ts";
import { FOREIGN_CONTENT_POLICY } from "../guarded-response.ts";
import type { HeaderView } from "../identity.ts";
import type { ByteStream } from "../operation.ts";
import { drain, type Headers, writeAll, writeHead } from "../respond.ts";
import { attachment, type ByteRange, parseRange } from "./range.ts";

/**
 * Sends a file, or the requested range of it; without its bytes for HEAD. `more`: additional headers. Throws
 * before sending anything if the range cannot be satisfied.
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

/** Sends a body. Once the headers are sent, an error can only be signalled by closing the connection. */
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

/** Whether an If-Range header fails: the file has changed, so that the whole file must be sent. */
function ifRangeFails(headers: HeaderView, stream: ByteStream): boolean {
  const wanted = headers.get("if-range");
  return wanted !== undefined && wanted !== `"${stream.etag}"`;
}
