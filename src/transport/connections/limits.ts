import { readFileSync } from "node:fs";

/** Limits of one listener; times in milliseconds. */
export interface ListenLimits {
  /** From the first byte of a connection, or of a request on a kept connection, to the end of its head. */
  readonly headersTimeoutMs: number;
  /** For the whole request, its body included (HTTP/1.1). */
  readonly requestTimeoutMs: number;
  /**
   * A stream on which nothing moves this long is given up while its body or its answer is under way (HTTP/2).
   */
  readonly bodyIdleMs: number;
  readonly keepAliveMs: number;
  /** An HTTP/2 connection that has shown a key and has had no request for so long is closed. */
  readonly sessionIdleMs: number;
  /**
   * An HTTP/2 connection that is silent this long is asked for a sign of life, and cut where none comes in
   * the same time.
   */
  readonly aliveMs: number;
  /** A connection of HTTP/1.1 that takes nothing of what is being sent to it is cut after so long. */
  readonly stallMs: number;
  readonly maxHeaderBytes: number;
  /** Beyond, one of the caller that holds the most makes room. */
  readonly maxConnections: number;
  /**
   * Requests under way of connections that have shown a key. Beyond, connections of the caller with the most
   * are cut.
   */
  readonly maxRequests: number;
  /** Calls at once on one HTTP/2 connection. */
  readonly maxStreams: number;
  readonly strangers: StrangerLimits;
}

/** Limits of the connections that have shown no valid key. */
export interface StrangerLimits {
  /**
   * Beyond, one of the address that holds the most makes room. TLS handshakes under way have this limit for
   * themselves.
   */
  readonly maxConnections: number;
  /**
   * Their requests under way, of all of them together. Beyond, connections of the address with the most are
   * cut.
   */
  readonly maxRequests: number;
  /** Calls at once on one HTTP/2 connection. */
  readonly maxStreams: number;
  /** A connection is cut after so long without a byte, whatever it waits for. */
  readonly idleMs: number;
  /** A connection that has sent more than this without a key is cut. */
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

/**
 * Of the files that the process may open, the share for connections: the rest is for the store, which must
 * never lack one.
 */
const SHARE_OF_FILES = 0.5;
const STRANGER_SHARE_OF_FILES = 0.125;

/** The limits for a process that may open `openFiles` files: connections are files too. */
export function withinOpenFiles(limits: ListenLimits, openFiles: number): ListenLimits {
  const { strangers } = limits;
  const share = (of: number, most: number) => Math.max(1, Math.min(most, Math.floor(openFiles * of)));
  return {
    ...limits,
    maxConnections: share(SHARE_OF_FILES, limits.maxConnections),
    strangers: { ...strangers, maxConnections: share(STRANGER_SHARE_OF_FILES, strangers.maxConnections) },
  };
}

/**
 * How many files this process may open; infinite where the system does not say. Node itself raises it to the
 * hard limit.
 */
export function openFilesLimit(): number {
  try {
    const limit = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"));
    return limit === null ? Number.POSITIVE_INFINITY : Number(limit[1]);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
