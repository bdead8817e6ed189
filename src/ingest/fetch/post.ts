import { askAt, tooSlow, translated } from "./checked-connection.ts";
import type { AddressGuard } from "./guard.ts";
import { portOf } from "./web-address.ts";

/** The response to a delivery. */
export interface PostAnswer {
  /** HTTP status. */
  readonly status: number;
  /** Value of Retry-After in seconds; undefined if it is not a number. */
  readonly retryAfterSeconds: number | undefined;
}

interface Posting {
  readonly guard: AddressGuard;
  readonly headers: Readonly<Record<string, string>>;
  /** Total time limit in ms, from resolving the name to the end of the response. */
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

/** Maximum bytes read from a response: reading a short one to its end closes the connection cleanly. */
const MAX_ANSWER_BYTES = 4096;

/**
 * Posts a body to a URL after checking its addresses. Does not follow redirects; only the status of the
 * response matters. Rejects with PERMISSION_DENIED (forbidden address), UNAVAILABLE (unreachable),
 * DEADLINE_EXCEEDED after `limitMs`, or the signal's reason.
 */
export async function post(
  url: URL,
  body: Uint8Array,
  { guard, headers, limitMs, signal }: Posting,
): Promise<PostAnswer> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(tooSlow(url.host, limitMs)), limitMs);
  const until = AbortSignal.any([signal, late.signal]);
  try {
    const addresses = await guard.addressesOf(url.hostname, portOf(url));
    until.throwIfAborted();
    const { message, end } = await askAt(addresses, url, { method: "POST", headers, body, signal: until });
    try {
      const retryAfter = Number(message.headers["retry-after"] ?? Number.NaN);
      await drain(message);
      return {
        status: message.statusCode ?? 0,
        retryAfterSeconds: retryAfter >= 0 ? retryAfter : undefined,
      };
    } finally {
      end();
    }
  } catch (error) {
    until.throwIfAborted();
    throw translated(error, url);
  } finally {
    clearTimeout(timer);
  }
}

/** Reads the beginning of a response; the rest is not needed once the status is known. */
async function drain(body: AsyncIterable<Uint8Array>): Promise<void> {
  let bytes = 0;
  try {
    for await (const part of body) {
      bytes += part.length;
      if (bytes > MAX_ANSWER_BYTES) break;
    }
  } catch {
    // ignore errors: the status has arrived, so the message was received
  }
}
