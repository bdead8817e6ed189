/** Exit codes of commands (docs/cli.md). */
export const EXIT = {
  ok: 0,
  error: 1,
  /** Unknown commands and options, missing arguments. */
  usage: 2,
  notFound: 3,
  /** No key, a wrong key, or no permission. */
  denied: 4,
  /** The server cannot be reached, is busy, or took too long: the same call may work later. */
  unavailable: 5,
  /** SIGINT, with the shells' value. */
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

/** The exit code for a code of the specification. */
export const exitCodeOf = (code: string): number => BY_CODE[code] ?? EXIT.error;
