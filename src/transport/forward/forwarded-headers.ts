import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http2";
import { invalidArgument } from "../../domain/errors.ts";
import type { HttpRequest, HttpResponse } from "../connections/connections.ts";
import { ofConnection } from "../connections/hop-by-hop.ts";
import { COMPLETE, HOP, MOVED } from "./hop.ts";

/** Headers between servers of a store; they are removed from requests and responses of callers. */
const INTERNAL: ReadonlySet<string> = new Set([HOP, MOVED, COMPLETE]);
/** Header size as HTTP/2 counts it: overhead per header, and a limit slightly below the receiver's. */
const HEADER_OVERHEAD = 32;
const MAX_HEADER_BYTES = 60 * 1024;

/** Request headers for the owner. Throws INVALID_ARGUMENT with status 431 if they are too large. */
export function headersOn(request: HttpRequest): OutgoingHttpHeaders {
  const sent: OutgoingHttpHeaders = {};
  const skipped = ofConnection(request.headers.connection);
  let bytes = 0;
  for (const [name, value] of Object.entries(request.headers)) {
    if (value === undefined || name.startsWith(":") || skipped(name) || INTERNAL.has(name)) continue;
    sent[name] = value;
    const length = typeof value === "string" ? value.length : value.join("").length;
    bytes += name.length + length + HEADER_OVERHEAD;
  }
  if (/(?:^|,)\s*trailers\s*(?:,|$)/i.test(String(request.headers.te))) sent.te = "trailers";
  if (bytes > MAX_HEADER_BYTES)
    throw invalidArgument("request", `the headers are larger than ${MAX_HEADER_BYTES} bytes`, 431);
  return sent;
}

/** Response headers for the caller. */
export function headersBack(
  given: IncomingHttpHeaders,
  response: HttpResponse,
): Record<string, string | string[]> {
  const sent: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || name.startsWith(":") || INTERNAL.has(name)) continue;
    sent[name] = value;
  }
  // this server has already set Vary for the page's origin
  const vary = response.getHeader("vary");
  if (vary !== undefined && given.vary !== undefined) sent.vary = `${vary}, ${given.vary}`;
  return sent;
}
