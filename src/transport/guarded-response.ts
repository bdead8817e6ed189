import {
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
} from "node:http";
import { Http2ServerResponse } from "node:http2";

/**
 * Headers of every answer on every wire: no page of another origin may load it as a script, picture or frame,
 * and no browser may guess another type. They do not affect what CORS allows a page to read.
 */
export const BROWSER_GUARDS = {
  "Cross-Origin-Resource-Policy": "same-origin",
  "X-Content-Type-Options": "nosniff",
} as const;

/**
 * For content of others: if a browser shows it as a page, it runs nothing, loads nothing and has no origin.
 */
export const FOREIGN_CONTENT_POLICY = "sandbox; default-src 'none'; frame-ancestors 'none'";

type HeadersGiven = OutgoingHttpHeaders | OutgoingHttpHeader[] | undefined;

/**
 * The headers of an answer with the guards added; headers that are not an object are read from the response.
 */
function guarded(response: ServerResponse | Http2ServerResponse, given: HeadersGiven): HeadersGiven {
  // one object costs a third of setting headers one by one
  if (given !== undefined && !Array.isArray(given)) return Object.assign(given, BROWSER_GUARDS);
  for (const [name, value] of Object.entries(BROWSER_GUARDS)) response.setHeader(name, value);
  return given;
}

/** Answers of the HTTP/1.1 server, including those that Node sends itself. */
export class GuardedHttp1Response<R extends IncomingMessage = IncomingMessage> extends ServerResponse<R> {
  override writeHead(status: number, reason?: string | HeadersGiven, headers?: HeadersGiven): this {
    if (typeof reason === "string") return super.writeHead(status, reason, guarded(this, headers));
    return super.writeHead(status, guarded(this, reason));
  }
}

/** Answers of the HTTP/2 server, including those that Node sends itself. HTTP/2 has no reason phrases. */
export class GuardedHttp2Response extends Http2ServerResponse {
  override writeHead(status: number, reason?: string | HeadersGiven, headers?: HeadersGiven): this {
    const given = guarded(this, typeof reason === "string" ? headers : reason);
    return super.writeHead(status, given as OutgoingHttpHeaders);
  }
}
