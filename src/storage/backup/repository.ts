import type { BackupManifest } from "./manifest.ts";

/** Packed records, or contents of files. */
export type ObjectKind = "records" | "contents";

/** A large content of the data directory. */
export interface ContentName {
  readonly bucket: string;
  readonly hash: string;
}

/** Backups that could be read, and the names of those that could not, with the reason. */
export interface BackupList {
  /** The newest first. */
  readonly backups: readonly BackupManifest[];
  readonly damaged: readonly { readonly name: string; readonly reason: string }[];
}

/**
 * A place for backups. Objects are named by their SHA-256 and shared by all backups, so that each backup is
 * complete and costs only what is new. A backup is there once its manifest is, which is written last. One
 * task at a time may write.
 */
export interface BackupRepository {
  list(): Promise<BackupList>;
  /** Whether there is a backup of that name, readable or not. */
  isTaken(name: string): Promise<boolean>;
  /** Undefined where there is none of that name. Throws DamagedBackup. */
  manifest(name: string): Promise<BackupManifest | undefined>;
  /** The large contents of a backup. Ends with DamagedBackup where the list does not match its hash. */
  contents(backup: BackupManifest): AsyncIterable<ContentName>;
  has(kind: ObjectKind, hash: string): Promise<boolean>;
  put(kind: ObjectKind, content: Uint8Array | AsyncIterable<Uint8Array>): Promise<unknown>;
  /** An object, checked against its hash; an Error where it is missing or damaged. */
  get(kind: ObjectKind, hash: string): Promise<Uint8Array>;
  /** As `get`, as a stream. */
  stream(kind: ObjectKind, hash: string): AsyncIterable<Uint8Array>;
  /** Removes an object that turned out to be damaged, so that the next backup stores it again. */
  discard(kind: ObjectKind, hash: string): Promise<void>;
  /** Makes a backup whose objects are all stored. */
  finish(
    manifest: Omit<BackupManifest, "contentsHash">,
    contents: readonly ContentName[],
  ): Promise<BackupManifest>;
  /** Removes a backup; its objects go with `prune`. */
  remove(name: string): Promise<void>;
  /**
   * Removes the objects that no backup refers to; nothing where a backup cannot be read, since what it refers
   * to is not known. Returns the bytes that were freed.
   */
  prune(): Promise<number>;
}
