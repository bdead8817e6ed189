import type { Dispatcher } from "undici";
import { itemAt } from "../../base/expect.ts";
import { codeOf } from "../../base/faults.ts";
import { invalidArgument, ServiceError, unavailable } from "../../domain/errors.ts";
import type { Address } from "./name-lookup.ts";

const CONNECT_LIMIT_MS = 10_000;
/** Idle timeout in ms: abort if no bytes arrive. */
const SILENCE_LIMIT_MS = 15_000;
const MAX_HEADER_BYTES = 32 * 1024;

/** Connects to exactly these addresses, whatever DNS says later. Follows no redirects; destroy it at the end. */
export async function dispatcherTo(addresses: readonly Address[]): Promise<Dispatcher> {
  const { Agent } = await import("undici");
  const first = itemAt(addresses, 0);
  return new Agent({
    connect: {
      timeout: CONNECT_LIMIT_MS,
      lookup: (_, { all }, found) =>
        all ? found(null, [...addresses]) : found(null, first.address, first.family),
    },
    headersTimeout: SILENCE_LIMIT_MS,
    bodyTimeout: SILENCE_LIMIT_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
  });
}

export const tooSlow = (host: string, ms: number) =>
  new ServiceError("DEADLINE_EXCEEDED", `${host} did not answer within ${ms / 1000} s`, {
    operation: "fetch",
    timeout: ms / 1000,
  });

const DISK: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT", "EROFS", "EMFILE"]);
const SLOW: ReadonlySet<string> = new Set(["UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"]);

/** The error for callers. Library messages may contain addresses; their codes do not. */
export function translated(error: unknown, url: URL): unknown {
  if (error instanceof ServiceError) return error;
  const code = codeOf(error);
  if (DISK.has(code)) return unavailable("the server's disk is full");
  if (SLOW.has(code)) return tooSlow(url.host, SILENCE_LIMIT_MS);
  if (
    code.startsWith("Z_") ||
    code.startsWith("ERR_BROTLI") ||
    code.startsWith("HPE_") ||
    code === "UND_ERR_HEADERS_OVERFLOW"
  )
    return invalidArgument("path", `${url.host} sent an invalid HTTP response`);
  if (/^(E[A-Z_]+|UND_ERR_\w+|CERT_\w+|DEPTH_\w+|UNABLE_\w+|SELF_\w+|ERR_TLS_\w+|ERR_SSL_\w+)$/.test(code))
    return unavailable(`${url.host} cannot be reached (${code})`);
  return error;
}
