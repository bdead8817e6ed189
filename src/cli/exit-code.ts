/** Exit codes of commands (docs/cli.md). */
export const EXIT = {
  ok: 0,
  error: 1,
  /** Unknown command or option, or missing argument. */
  usage: 2,
  notFound: 3,
  /** No key, a wrong key, or no permission. */
  denied: 4,
  /** The server is unreachable or busy, or timed out: the same call may succeed later. */
  unavailable: 5,
  /** Interrupted by SIGINT; the value that shells use. */
  interrupted: 130,
} as const;

const BY_CODE: Readonly<Record<string, number>> = {
  NOT_FOUND: EXIT.notFound,
  SESSION_EXPIRED: EXIT.notFound,
  UNAUTHENTICATED: EXIT.denied,
  PERMISSION_DENIED: EXIT.denied,
  UNAVAILABLE: EXIT.unavailable,
  RESOURCE_EXHAUSTED: EXIT.unavailable,
  DEADLINE_EXCEEDED: EXIT.unavailable,
  CANCELLED: EXIT.interrupted,
};

/** Exit code for an error code of the API. */
export const exitCodeOf = (code: string): number => BY_CODE[code] ?? EXIT.error;
