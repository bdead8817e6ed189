import { sha256 } from "../base/sha256.ts";
import type { SourceFile } from "./import-tree.ts";

/** What an import was asked to read, in a form that can be kept with a job. */
export type SourceSpec =
  | { readonly kind: "path"; readonly path: string }
  | { readonly kind: "upload"; readonly id: string; readonly name: string };

export interface SourceFilter {
  readonly ignoreDirs: string;
  readonly include: string;
  readonly exclude: string;
}

/** A source that was opened and looked through, not yet read. */
export interface Source {
  /** File or directory name: where the name of the root comes from. */
  readonly name: string;
  readonly isDirectory: boolean;
  /** Tells sources apart: the same one updates in place (ruling R5). */
  readonly identity: string;
  readonly files: readonly SourceFile[];
  /** Bytes of all files. */
  readonly bytes: number;
  readonly warnings: readonly string[];
}

/** Not the source itself, which may be a path of the host. */
export const identityOf = (kind: SourceSpec["kind"], name: string): string => sha256(`${kind}:${name}`);
