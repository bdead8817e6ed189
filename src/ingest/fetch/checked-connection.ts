import type { LookupFunction } from "node:net";
import { itemAt } from "../../base/expect.ts";
import { codeOf } from "../../base/faults.ts";
import { type HttpAnswer, type HttpAsk, httpAsk, LATE_ANSWER } from "../../base/http-client.ts";
import { invalidArgument, ServiceError, unavailable } from "../../domain/errors.ts";
import type { Address } from "./name-lookup.ts";

const CONNECT_LIMIT_MS = 10_000;
/** Idle timeout in ms: abort if no bytes arrive. */
const SILENCE_LIMIT_MS = 15_000;
const MAX_HEADER_BYTES = 32 * 1024;
const LIMITS = {
  connectMs: CONNECT_LIMIT_MS,
  headersMs: SILENCE_LIMIT_MS,
  silenceMs: SILENCE_LIMIT_MS,
  maxHeaderBytes: MAX_HEADER_BYTES,
};

/**
 * Sends a request to exactly these addresses, regardless of later DNS answers. Does not follow redirects. The
 * caller must end the response.
 */
export function askAt(
  addresses: readonly Address[],
  url: URL,
  ask: Pick<HttpAsk, "method" | "body" | "signal"> & { readonly headers: Readonly<Record<string, string>> },
): Promise<HttpAnswer> {
  const first = itemAt(addresses, 0);
  const lookup: LookupFunction = (_, { all }, found) =>
    all ? found(null, [...addresses]) : found(null, first.address, first.family);
  return httpAsk(url, { ...ask, headers: Object.entries(ask.headers).flat(), limits: LIMITS, lookup });
}

export const tooSlow = (host: string, ms: number) =>
  new ServiceError("DEADLINE_EXCEEDED", `${host} did not answer within ${ms / 1000} s`, {
    operation: "fetch",
    timeout: ms / 1000,
  });

const DISK: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT", "EROFS", "EMFILE"]);

/** Converts an error for callers. Messages of libraries may contain addresses; error codes do not. */
export function translated(error: unknown, url: URL): unknown {
  if (error instanceof ServiceError) return error;
  const code = codeOf(error);
  if (DISK.has(code)) return unavailable("the server's disk is full");
  if (code === LATE_ANSWER) return tooSlow(url.host, SILENCE_LIMIT_MS);
  if (code.startsWith("Z_") || code.startsWith("ERR_BROTLI") || code.startsWith("HPE_"))
    return invalidArgument("path", `${url.host} sent an invalid HTTP response`);
  if (/^(E[A-Z_]+|CERT_\w+|DEPTH_\w+|UNABLE_\w+|SELF_\w+|ERR_TLS_\w+|ERR_SSL_\w+)$/.test(code))
    return unavailable(`${url.host} cannot be reached (${code}): check the address, or try again later`);
  return error;
}
