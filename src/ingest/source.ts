import { sha256 } from "../base/sha256.ts";
import type { WorkspaceId } from "../domain/ids.ts";
import type { SourceFile } from "./source-file.ts";

/** Source of an import, as stored with a job. */
export type SourceSpec = LocalSpec | RemoteSpec;

/** A local source. */
export type LocalSpec =
  | { readonly kind: "path"; readonly path: string }
  /** `file` is what the uploaded file was called, whatever `name` its source was given. */
  | { readonly kind: "upload"; readonly id: string; readonly name: string; readonly file?: string };

/** A remote source; `url` is normalised. */
export type RemoteSpec =
  | { readonly kind: "url"; readonly url: string }
  /** `tree`: a branch, tag or commit, and where its name ends a folder, as a page of a forge has it. */
  | { readonly kind: "git"; readonly url: string; readonly tree?: readonly string[] };

export interface SourceFilter {
  readonly ignoreDirs: string;
  readonly include: string;
  readonly exclude: string;
}

/** Source metadata before it is opened. */
export interface SourceHead {
  /** File or directory name: where the name of the root comes from. */
  readonly name: string;
  readonly isDirectory: boolean;
  /** Identity of a source: the same one updates in place. */
  readonly identity: string;
}

/**
 * The state in which the file of a URL was fetched, as `.meta.json` keeps it: asked for again, it comes again
 * only where it is another.
 */
export interface FetchedVersion {
  /** URL after redirects. */
  readonly url: string;
  /** Name below the root. */
  readonly name: string;
  /** SHA-256 of its bytes. */
  readonly hash: string;
  readonly etag?: string;
  readonly last_modified?: string;
}

/** A source that was opened and looked through, not yet read. */
export interface ImportSource extends SourceHead {
  readonly files: readonly SourceFile[];
  /** Bytes of all files. */
  readonly bytes: number;
  readonly warnings: readonly string[];
  readonly version?: FetchedVersion;
  /** Takes away what was fetched or unpacked for it; nothing can be read after that. */
  readonly close?: () => Promise<void>;
}

/** Options and callbacks of opening a source. */
export interface Opening {
  readonly signal: AbortSignal;
  /** The incarnation of the account that is charged for what is unpacked. */
  readonly workspace: WorkspaceId;
  /** Bytes fetched, of as many as are known to come. */
  readonly onFetched: (done: number, total: number) => void;
  /** Stored version of a URL. */
  readonly known?: { readonly version: FetchedVersion; readonly read: () => Promise<Uint8Array> } | undefined;
}

/** Not the source itself, which may be a path of the host. */
export const identityOf = (kind: SourceSpec["kind"], name: string): string => sha256(`${kind}:${name}`);
