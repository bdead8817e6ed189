import type { BackupManifest } from "./manifest.ts";

/** Packed records, or contents of files. */
export type ObjectKind = "records" | "contents";

/** A large content of the data directory. */
export interface ContentName {
  readonly bucket: string;
  readonly hash: string;
}

/** Readable backups, and the names of unreadable ones with the reason. */
export interface BackupList {
  /** The newest first. */
  readonly backups: readonly BackupManifest[];
  readonly damaged: readonly { readonly name: string; readonly reason: string }[];
}

/**
 * A repository of backups. Objects are named by their SHA-256 and shared by all backups, so that each backup
 * is complete but only new objects cost space. A backup exists once its manifest does, which is written last.
 * One task at a time may write.
 */
export interface BackupRepository {
  list(): Promise<BackupList>;
  /** Whether there is a backup of that name, readable or not. */
  isTaken(name: string): Promise<boolean>;
  /** Undefined if there is none of that name. Throws DamagedBackup. */
  manifest(name: string): Promise<BackupManifest | undefined>;
  /** The large contents of a backup. Throws DamagedBackup at the end if the list does not match its hash. */
  contents(backup: BackupManifest): AsyncIterable<ContentName>;
  has(kind: ObjectKind, hash: string): Promise<boolean>;
  put(kind: ObjectKind, content: Uint8Array | AsyncIterable<Uint8Array>): Promise<unknown>;
  /** An object, verified by its hash; throws Error if it is missing or damaged. */
  get(kind: ObjectKind, hash: string): Promise<Uint8Array>;
  /** Like `get`, as a stream. */
  stream(kind: ObjectKind, hash: string): AsyncIterable<Uint8Array>;
  /** Removes a damaged object, so that the next backup stores it again. */
  discard(kind: ObjectKind, hash: string): Promise<void>;
  /** Writes the manifest of a backup whose objects are all stored. */
  finish(
    manifest: Omit<BackupManifest, "contentsHash">,
    contents: readonly ContentName[],
  ): Promise<BackupManifest>;
  /** Removes a backup; `prune` removes its objects. */
  remove(name: string): Promise<void>;
  /**
   * Removes unreferenced objects; nothing if a backup is unreadable, since its references are unknown.
   * Returns the number of freed bytes.
   */
  prune(): Promise<number>;
}
