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

/** Hashed, because the source may be a local path on the server. */
export const identityOf = (kind: SourceSpec["kind"], name: string): string => sha256(`${kind}:${name}`);

/** Opens the sources of imports. */
export interface Sources {
  /**
   * Metadata of a source that only a task opens, because fetching or unpacking takes long; checks its
   * address. Undefined for other sources.
   */
  readonly head: (spec: SourceSpec) => Promise<SourceHead | undefined>;
  /**
   * Opens a source: checks the permission to read it, fetches and unpacks it, and lists its files. The caller
   * must close it.
   */
  readonly open: (spec: SourceSpec, filter: SourceFilter, opening: Opening) => Promise<ImportSource>;
  /** Opens a source without unpacking, so that archives remain files. Need not be closed. */
  readonly openLocal: (spec: LocalSpec, filter: SourceFilter) => Promise<ImportSource>;
}

/** Sources whose changes can be detected. */
export interface ChangingSources extends Sources {
  /**
   * A fingerprint that changes with the source, computed without reading contents: for a path from the sizes
   * and times of its files, for a repository from the commit. Undefined for other sources. Errors as in
   * `open`.
   */
  readonly stateOf: (
    spec: SourceSpec,
    filter: SourceFilter,
    signal: AbortSignal,
  ) => Promise<string | undefined>;
  /**
   * Watches a local source and calls back soon after most changes. Returns a function that stops watching.
   */
  readonly watch: (path: string, onChange: () => void, signal: AbortSignal) => Promise<() => void>;
}
