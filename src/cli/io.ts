import type { CliEnvironment } from "./profiles.ts";

/** The world around a command: where results and messages go, and what it is told. */
export interface Io {
  readonly env: CliEnvironment;
  /** For results alone. */
  readonly out: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
  /** For messages, progress and questions. */
  readonly err: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
  readonly in: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  /** Aborts where the user interrupts; the first to ask for it begins to listen. */
  readonly interrupted: () => AbortSignal;
}
