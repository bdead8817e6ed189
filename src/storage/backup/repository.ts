import type { BackupManifest } from "./manifest.ts";

/** Kinds of objects: packed records, or contents of files. */
export type ObjectKind = "records" | "contents";

/** Identifies a large content of the data directory. */
export interface ContentName {
  readonly bucket: string;
  readonly hash: string;
}

/** Readable backups, and names of unreadable ones with the reason. */
export interface BackupList {
  /** Newest first. */
  readonly backups: readonly BackupManifest[];
  readonly damaged: readonly { readonly name: string; readonly reason: string }[];
}

/**
 * A backup repository. Objects are named by their SHA-256 and shared between backups: each backup is
 * complete, but only new objects take space. A backup exists once its manifest does, which is written last.
 * Only one task at a time may write.
 */
export interface BackupRepository {
  list(): Promise<BackupList>;
  /** Whether a backup of this name exists, readable or not. */
  isTaken(name: string): Promise<boolean>;
  /** Undefined if no backup has this name. Throws DamagedBackup. */
  manifest(name: string): Promise<BackupManifest | undefined>;
  /**
   * The large contents of a backup. Throws DamagedBackup if the list is missing or does not match its hash.
   */
  contents(backup: BackupManifest): AsyncIterable<ContentName>;
  has(kind: ObjectKind, hash: string): Promise<boolean>;
  put(kind: ObjectKind, content: Uint8Array | AsyncIterable<Uint8Array>): Promise<unknown>;
  /** An object, verified against its hash. Throws Error if it is missing or damaged. */
  get(kind: ObjectKind, hash: string): Promise<Uint8Array>;
  /** Like `get`, as a stream; a damaged object may be detected only at its end. */
  stream(kind: ObjectKind, hash: string): AsyncIterable<Uint8Array>;
  /** Removes a damaged object, so that the next backup stores it again. */
  discard(kind: ObjectKind, hash: string): Promise<void>;
  /** Writes the manifest of a backup whose objects are all stored. */
  finish(
    manifest: Omit<BackupManifest, "contentsHash">,
    contents: readonly ContentName[],
  ): Promise<BackupManifest>;
  /** Removes a backup but not its objects (see `prune`). */
  remove(name: string): Promise<void>;
  /**
   * Removes unreferenced objects and returns the number of freed bytes. Removes nothing if a backup is
   * unreadable, because its references are unknown.
   */
  prune(): Promise<number>;
  close(): Promise<void>;
}
