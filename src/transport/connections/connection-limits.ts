import { readFileSync } from "node:fs";

/** Limits of a listener; times in ms. */
export interface ListenLimits {
  /**
   * From the first byte of a connection (or of a further request on it) to the end of the request headers.
   */
  readonly headersTimeoutMs: number;
  /** For a whole HTTP/1.1 request including its body. */
  readonly requestTimeoutMs: number;
  /** Idle timeout of an HTTP/2 stream while its body or response is transferred. */
  readonly bodyIdleMs: number;
  readonly keepAliveMs: number;
  /** Idle timeout of an HTTP/2 connection after a valid key. */
  readonly sessionIdleMs: number;
  /**
   * Idle time after which an HTTP/2 connection is pinged. Without a response in the same time, it is closed.
   */
  readonly aliveMs: number;
  /** Timeout of an HTTP/1.1 connection that does not read its response. */
  readonly stallMs: number;
  readonly maxHeaderBytes: number;
  /** Maximum number of connections; above it, the caller with the most loses one. */
  readonly maxConnections: number;
  /**
   * Maximum number of running requests on connections with a key. Above it, connections of the busiest caller
   * are closed.
   */
  readonly maxRequests: number;
  /** Maximum number of concurrent calls per HTTP/2 connection. */
  readonly maxStreams: number;
  readonly strangers: StrangerLimits;
}

/** Limits for connections without a valid key. */
export interface StrangerLimits {
  /**
   * Maximum number of connections; above it, the address with the most loses one. TLS handshakes in progress
   * have a separate limit of the same size.
   */
  readonly maxConnections: number;
  /**
   * Maximum number of running requests on all these connections. Above it, connections of the busiest address
   * are closed.
   */
  readonly maxRequests: number;
  /** Maximum number of concurrent calls per HTTP/2 connection. */
  readonly maxStreams: number;
  /** Idle timeout, even while the connection waits for a response. */
  readonly idleMs: number;
  /** Maximum bytes sent without a key; above it, the connection is closed. */
  readonly maxBytes: number;
}

export const LISTEN_LIMITS: ListenLimits = {
  headersTimeoutMs: 20_000,
  requestTimeoutMs: 30 * 60_000,
  bodyIdleMs: 60_000,
  keepAliveMs: 75_000,
  sessionIdleMs: 30 * 60_000,
  aliveMs: 30_000,
  stallMs: 30_000,
  maxHeaderBytes: 64 * 1024,
  maxConnections: 10_000,
  maxRequests: 20_000,
  maxStreams: 1000,
  strangers: {
    maxConnections: 2000,
    maxRequests: 1000,
    maxStreams: 100,
    idleMs: 20_000,
    maxBytes: 16 * 1024 * 1024,
  },
};

/** Share of the process's open file limit that connections may use; the store must never run out of files. */
const SHARE_OF_FILES = 0.5;
const STRANGER_SHARE_OF_FILES = 0.125;

/** Reduces the limits for a process that may open `openFiles` files, which include connections. */
export function withinOpenFiles(limits: ListenLimits, openFiles: number): ListenLimits {
  const { strangers } = limits;
  const share = (of: number, most: number) => Math.max(1, Math.min(most, Math.floor(openFiles * of)));
  return {
    ...limits,
    maxConnections: share(SHARE_OF_FILES, limits.maxConnections),
    strangers: { ...strangers, maxConnections: share(STRANGER_SHARE_OF_FILES, strangers.maxConnections) },
  };
}

/** The process's limit of open files; infinite if unknown. Node raises it to the hard limit. */
export function openFilesLimit(): number {
  try {
    const limit = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"));
    return limit === null ? Number.POSITIVE_INFINITY : Number(limit[1]);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
