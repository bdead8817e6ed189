import type { CliEnvironment } from "./profiles.ts";

/** A command's environment: its inputs and outputs. */
export interface Io {
  readonly env: CliEnvironment;
  /** For results alone. */
  readonly out: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
  /** For messages, progress and questions. */
  readonly err: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
  readonly in: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  /** Aborts when the user interrupts; the first call starts to listen. */
  readonly interrupted: () => AbortSignal;
}
