/** How to reach a server, and as whom. */
export interface ConnectOptions {
  /** API key. */
  readonly key?: string;
  /** The agent whose spaces and memories are meant. Default: "default". */
  readonly agent?: string;
  /** Acts in this account; obeyed for the root key and by servers without keys. */
  readonly account?: string;
  /** Acts as this user; obeyed for the root key and by servers without keys. */
  readonly user?: string;
  /** Seconds that a call may take, repetitions included. Default: 60; for transfers and waits 600. */
  readonly deadlineSeconds?: number;
  /** How often a call that is safe to repeat is repeated. Default: 3. */
  readonly retries?: number;
  /**
   * Receives each warning that comes beside a result, such as that secrets were found in what was sent.
   * Warnings that a result contains are only there.
   */
  readonly onWarning?: (warning: string) => void;
}

/** What can be said of a single call. */
export interface CallOptions {
  /** Instead of that of the connection. */
  readonly deadlineSeconds?: number;
  /** Cancels the call, which then throws CANCELLED. */
  readonly signal?: AbortSignal;
}

const DEFAULT_DEADLINE_SECONDS = 60;
const DEFAULT_LONG_DEADLINE_SECONDS = 600;
const DEFAULT_RETRIES = 3;
/** What a call may take beyond the time that it asks the server to wait. */
const WAIT_MARGIN_SECONDS = 10;

/** The options of a connection with its defaults. */
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

/** The deadline of a call that may ask the server to wait for `timeout` seconds. */
export function deadlineOf(input: object, options: CallOptions, settings: Settings): number {
  if (options.deadlineSeconds !== undefined) return options.deadlineSeconds;
  const { wait, timeout } = input as { wait?: boolean; timeout?: number };
  const waits = wait === true && timeout !== undefined;
  return waits ? Math.max(settings.deadlineSeconds, timeout + WAIT_MARGIN_SECONDS) : settings.deadlineSeconds;
}
