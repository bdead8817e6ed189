import { sha256 } from "../base/sha256.ts";
import type { WorkspaceId } from "../domain/ids.ts";
import type { SourceFile } from "./source-file.ts";

/** Source of an import, as stored in a job. */
export type SourceSpec = LocalSpec | RemoteSpec;

/** A local source. */
export type LocalSpec =
  | { readonly kind: "path"; readonly path: string }
  /** `file`: original name of the uploaded file, even if the source has a different `name`. */
  | { readonly kind: "upload"; readonly id: string; readonly name: string; readonly file?: string };

/** A remote source with a normalised `url`. */
export type RemoteSpec =
  | { readonly kind: "url"; readonly url: string }
  /** `tree`: a branch, tag or commit, optionally followed by a folder, as in URLs of a forge. */
  | { readonly kind: "git"; readonly url: string; readonly tree?: readonly string[] };

export interface SourceFilter {
  readonly ignoreDirs: string;
  readonly include: string;
  readonly exclude: string;
}

/** Metadata of a source that is not opened yet. */
export interface SourceHead {
  /** Name of the file or directory; the root's name is derived from it. */
  readonly name: string;
  readonly isDirectory: boolean;
  /** Identity of the source: importing the same source again updates the existing content. */
  readonly identity: string;
}

/**
 * Validators of a fetched URL, as stored in `.meta.json`. A conditional request returns the file only if it
 * has changed.
 */
export interface FetchedVersion {
  /** URL after redirects. */
  readonly url: string;
  /** File name below the root. */
  readonly name: string;
  /** SHA-256 of the content. */
  readonly hash: string;
  readonly etag?: string;
  readonly last_modified?: string;
}

/** A source whose files are listed, but not read yet. */
export interface ImportSource extends SourceHead {
  readonly files: readonly SourceFile[];
  /** Total size of the files in bytes, as listed. */
  readonly bytes: number;
  readonly warnings: readonly string[];
  readonly version?: FetchedVersion;
  /** Deletes fetched or unpacked files; later reads fail. */
  readonly close?: () => Promise<void>;
}

/** Options and callbacks for opening a source. */
export interface Opening {
  readonly signal: AbortSignal;
  /** Account (incarnation) that is charged for unpacked bytes. */
  readonly workspace: WorkspaceId;
  /** Called with the number of bytes fetched and the expected total. */
  readonly onFetched: (done: number, total: number) => void;
  /** The stored version of a URL. */
  readonly known?: { readonly version: FetchedVersion; readonly read: () => Promise<Uint8Array> } | undefined;
}

/** Hashed, because the source may be a path on the server's machine. */
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

/** Sources whose changes can be noticed. */
export interface ChangingSources extends Sources {
  /**
   * A text that changes when a source does, without reading its contents: of a path from its files' sizes and
   * times, of a repository the commit. Undefined for other sources. Errors as in `open`.
   */
  readonly stateOf: (
    spec: SourceSpec,
    filter: SourceFilter,
    signal: AbortSignal,
  ) => Promise<string | undefined>;
  /**
   * Watches a local source and calls back soon after most changes; others wait for the next look. The result
   * ends it.
   */
  readonly watch: (path: string, onChange: () => void, signal: AbortSignal) => Promise<() => void>;
}
