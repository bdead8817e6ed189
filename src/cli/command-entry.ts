import type { Define } from "./define.ts";

export interface CommandEntry {
  readonly name: string;
  readonly alias?: string;
  readonly summary: string;
  readonly example: string;
  readonly group: string;
  /** Loads the command's module and its dependencies on demand. */
  readonly load: () => Promise<{ readonly define: Define }>;
}
