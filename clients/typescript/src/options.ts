/** Address of a server, and the caller's identity. */
export interface ConnectOptions {
  /** API key. */
  readonly key?: string;
  /** Agent whose spaces and memories are used. Default: "default". */
  readonly agent?: string;
  /** Account to act in; only effective with the root key, and on servers without keys. */
  readonly account?: string;
  /** User to act as; only effective with the root key, and on servers without keys. */
  readonly user?: string;
  /** Time limit of a call in seconds, including retries. Default: 60; for transfers and waits 600. */
  readonly deadlineSeconds?: number;
  /** Maximum number of retries of a call that is safe to retry. Default: 3. */
  readonly retries?: number;
  /**
   * Called with each warning in addition to a result, for example about secrets in the request. Not called
   * for warnings that are part of a result.
   */
  readonly onWarning?: (warning: string) => void;
}

/** Options of a single call. */
export interface CallOptions {
  /** Overrides the time limit of the connection. */
  readonly deadlineSeconds?: number;
  /** Cancels the call, which then throws CANCELLED. */
  readonly signal?: AbortSignal;
}

const DEFAULT_DEADLINE_SECONDS = 60;
const DEFAULT_LONG_DEADLINE_SECONDS = 600;
const DEFAULT_RETRIES = 3;
/** Additional time of a call beyond the time that it asks the server to wait, in seconds. */
const WAIT_MARGIN_SECONDS = 10;

/** The options of a connection, completed with defaults. */
export interface Settings {
  readonly headers: Readonly<Record<string, string>>;
  readonly deadlineSeconds: number;
  readonly longDeadlineSeconds: number;
  readonly retries: number;
  readonly onWarning: ((warning: string) => void) | undefined;
}

export function settingsOf(options: ConnectOptions): Settings {
  const { key, agent, account, user, deadlineSeconds, retries = DEFAULT_RETRIES, onWarning } = options;
  const headers = { "X-API-Key": key, "X-Ctx-Agent": agent, "X-Ctx-Account": account, "X-Ctx-User": user };
  return {
    headers: Object.fromEntries(
      Object.entries(headers).filter((header): header is [string, string] => header[1] !== undefined),
    ),
    deadlineSeconds: deadlineSeconds ?? DEFAULT_DEADLINE_SECONDS,
    longDeadlineSeconds: deadlineSeconds ?? DEFAULT_LONG_DEADLINE_SECONDS,
    retries,
    onWarning,
  };
}

/** Deadline of a call that may let the server wait for `timeout` seconds. */
export function deadlineOf(input: object, options: CallOptions, settings: Settings): number {
  if (options.deadlineSeconds !== undefined) return options.deadlineSeconds;
  const { wait, timeout } = input as { wait?: boolean; timeout?: number };
  const waits = wait === true && timeout !== undefined;
  return waits ? Math.max(settings.deadlineSeconds, timeout + WAIT_MARGIN_SECONDS) : settings.deadlineSeconds;
}
