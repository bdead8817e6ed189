import { sha256 } from "../base/sha256.ts";
import type { WorkspaceId } from "../domain/ids.ts";
import type { SourceFile } from "./source-file.ts";

/** Source of an import, as stored with a job. */
export type SourceSpec = LocalSpec | RemoteSpec;

/** A local source. */
export type LocalSpec =
  | { readonly kind: "path"; readonly path: string }
  /** `file` is the original name of the uploaded file, even if its source has another `name`. */
  | { readonly kind: "upload"; readonly id: string; readonly name: string; readonly file?: string };

/** A remote source; `url` is normalised. */
export type RemoteSpec =
  | { readonly kind: "url"; readonly url: string }
  /** `tree`: a branch, tag or commit, optionally followed by a folder, as in a forge's address. */
  | { readonly kind: "git"; readonly url: string; readonly tree?: readonly string[] };

export interface SourceFilter {
  readonly ignoreDirs: string;
  readonly include: string;
  readonly exclude: string;
}

/** Source metadata before it is opened. */
export interface SourceHead {
  /** File or directory name, from which the name of the root is derived. */
  readonly name: string;
  readonly isDirectory: boolean;
  /** Identity of a source: importing the same one again updates in place. */
  readonly identity: string;
}

/**
 * The validators of a fetched URL, as stored in `.meta.json`: a conditional request returns the file only if
 * it has changed.
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
  /** A source that was opened and listed, but not read. */
  readonly bytes: number;
  readonly warnings: readonly string[];
  readonly version?: FetchedVersion;
  /** Deletes what was fetched or unpacked; nothing can be read afterwards. */
  readonly close?: () => Promise<void>;
}

/** Options and callbacks of opening a source. */
export interface Opening {
  readonly signal: AbortSignal;
  /** The account (incarnation) that is charged for unpacked bytes. */
  readonly workspace: WorkspaceId;
  /** Called with the number of bytes fetched, and the expected total. */
  readonly onFetched: (done: number, total: number) => void;
  /** Stored version of a URL. */
  readonly known?: { readonly version: FetchedVersion; readonly read: () => Promise<Uint8Array> } | undefined;
}

/** A hash, since the source may be a path of the host. */
export const identityOf = (kind: SourceSpec["kind"], name: string): string => sha256(`${kind}:${name}`);

/** Opens what imports name. */
export interface Sources {
  /**
   * Metadata of a source that only a task opens, since fetching or unpacking takes long; checks its address.
   * Undefined for other sources.
   */
  readonly head: (spec: SourceSpec) => Promise<SourceHead | undefined>;
  /** Checks the permission to read it, fetches and unpacks it, lists its files. The caller closes it. */
  readonly open: (spec: SourceSpec, filter: SourceFilter, opening: Opening) => Promise<ImportSource>;
  /** A source without unpacking: archives stay files. Needs no closing. */
  readonly openLocal: (spec: LocalSpec, filter: SourceFilter) => Promise<ImportSource>;
}
