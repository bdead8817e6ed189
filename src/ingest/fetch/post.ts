import { askAt, tooSlow, translated } from "./checked-connection.ts";
import type { AddressGuard } from "./guard.ts";
import { portOf } from "./web-address.ts";

/** The answer of a receiver. */
export interface PostAnswer {
  /** HTTP status. */
  readonly status: number;
  /** The header Retry-After in seconds, if it is a number. */
  readonly retryAfterSeconds: number | undefined;
}

interface Posting {
  readonly guard: AddressGuard;
  readonly headers: Readonly<Record<string, string>>;
  /** From the first look-up of the name to the end of the answer. */
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

/** Bytes of an answer that are read, so that a short one ends its connection in order. */
const MAX_ANSWER_BYTES = 4096;

/**
 * Sends a body to a URL whose addresses are checked; redirects are not followed, and of the answer only the
 * status counts. Rejects with PERMISSION_DENIED for forbidden addresses, UNAVAILABLE for unreachable ones,
 * DEADLINE_EXCEEDED after `limitMs`, and the reason of the signal.
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

/** Reads the beginning of an answer: the rest does not matter once its status is known. */
async function drain(body: AsyncIterable<Uint8Array>): Promise<void> {
  let bytes = 0;
  try {
    for await (const part of body) {
      bytes += part.length;
      if (bytes > MAX_ANSWER_BYTES) break;
    }
  } catch {
    // the status has arrived: the receiver has the message
  }
}
