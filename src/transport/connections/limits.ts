import { readFileSync } from "node:fs";

/** Limits of one listener; times in milliseconds. */
export interface ListenLimits {
  /** From the first byte of a connection, or of a request on a kept connection, to the end of its headers. */
  readonly headersTimeoutMs: number;
  /** For the whole request, its body included (HTTP/1.1). */
  readonly requestTimeoutMs: number;
  /** Idle timeout of an HTTP/2 stream while its body or answer is being transferred. */
  readonly bodyIdleMs: number;
  readonly keepAliveMs: number;
  /** Idle timeout of an HTTP/2 connection that has shown a key. */
  readonly sessionIdleMs: number;
  /** Silence after which an HTTP/2 connection is pinged; it is cut without an answer in the same time. */
  readonly aliveMs: number;
  /** Timeout of an HTTP/1.1 connection that does not read its answer. */
  readonly stallMs: number;
  readonly maxHeaderBytes: number;
  /** Above it, the caller with the most connections loses one. */
  readonly maxConnections: number;
  /**
   * Limit of running requests on connections with a key. Above it, connections of the caller with the most
   * are cut.
   */
  readonly maxRequests: number;
  /** Concurrent calls on one HTTP/2 connection. */
  readonly maxStreams: number;
  readonly strangers: StrangerLimits;
}

/** Limits of connections without a valid key. */
export interface StrangerLimits {
  /**
   * Above it, the address with the most connections loses one. Running TLS handshakes have the same limit
   * separately.
   */
  readonly maxConnections: number;
  /** Limit of all their running requests. Above it, connections of the address with the most are cut. */
  readonly maxRequests: number;
  /** Concurrent calls on one HTTP/2 connection. */
  readonly maxStreams: number;
  /** Idle timeout, whatever the connection waits for. */
  readonly idleMs: number;
  /** Limit of bytes sent without a key; the connection is then cut. */
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

/** Share of the process's file limit for connections: the rest is for the store, which must never run out. */
const SHARE_OF_FILES = 0.5;
const STRANGER_SHARE_OF_FILES = 0.125;

/** The limits for a process that may open `openFiles` files, which include connections. */
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
