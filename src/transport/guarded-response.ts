import {
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
} from "node:http";
import { Http2ServerResponse } from "node:http2";

/**
 * Headers of every response: pages of other origins cannot load the response as a script, image or frame, and
 * browsers do not guess its type. Responses that CORS allows a page to read are not affected.
 */
export const BROWSER_GUARDS = {
  "Cross-Origin-Resource-Policy": "same-origin",
  "X-Content-Type-Options": "nosniff",
} as const;

/** Policy for untrusted content: shown as a page, it runs no scripts, loads nothing and has no origin. */
export const FOREIGN_CONTENT_POLICY = "sandbox; default-src 'none'; frame-ancestors 'none'";

type HeadersGiven = OutgoingHttpHeaders | OutgoingHttpHeader[] | undefined;

/** Adds the guards to the given headers if they are an object, otherwise to the response. */
function guarded(response: ServerResponse | Http2ServerResponse, given: HeadersGiven): HeadersGiven {
  // one object is much cheaper than setting headers one by one
  if (given !== undefined && !Array.isArray(given)) return Object.assign(given, BROWSER_GUARDS);
  for (const [name, value] of Object.entries(BROWSER_GUARDS)) response.setHeader(name, value);
  return given;
}

/** HTTP/1.1 responses, including those that Node sends itself. */
export class GuardedHttp1Response<R extends IncomingMessage = IncomingMessage> extends ServerResponse<R> {
  override writeHead(status: number, reason?: string | HeadersGiven, headers?: HeadersGiven): this {
    if (typeof reason === "string") return super.writeHead(status, reason, guarded(this, headers));
    return super.writeHead(status, guarded(this, reason));
  }
}

/** HTTP/2 responses, including those that Node sends itself. HTTP/2 has no reason phrases. */
export class GuardedHttp2Response extends Http2ServerResponse {
  override writeHead(status: number, reason?: string | HeadersGiven, headers?: HeadersGiven): this {
    const given = guarded(this, typeof reason === "string" ? headers : reason);
    return super.writeHead(status, given as OutgoingHttpHeaders);
  }

  /** Resets the stream with an error: without one, an incomplete response would look complete. */
  override destroy(error?: Error): this {
    return super.destroy(error ?? new Error("the response was broken off"));
  }
}
