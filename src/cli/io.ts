import type { CliEnvironment } from "./profiles.ts";

/** Input and output streams and environment of a command. */
export interface Io {
  readonly env: CliEnvironment;
  /** For results only. */
  readonly out: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
  /** For messages, progress and prompts. */
  readonly err: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
  readonly in: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  /** A signal that aborts on SIGINT; the handler is installed by the first call. */
  readonly interrupted: () => AbortSignal;
}
