/** A file of a backup store. */
export interface BackupFile {
  readonly name: string;
  readonly bytes: number;
}

/**
 * Named files that hold backups in the layout of a backup folder: `NAME.json`, `NAME.contents` and
 * `objects/KIND/AA/HASH`. Only one task at a time may write.
 */
export interface BackupFiles {
  /** Files whose names begin with `prefix`. */
  list(prefix: string): AsyncIterable<BackupFile>;
  has(name: string): Promise<boolean>;
  /** The content of a file; undefined if there is none. */
  open(name: string): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** Writes a file that is named by the SHA-256 of its content. */
  put(
    name: (hash: string) => string,
    content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  ): Promise<void>;
  /** Writes a file after which all files before it are durable, so that it may refer to them. */
  commit(name: string, content: Uint8Array): Promise<void>;
  remove(name: string): Promise<void>;
  /** Frees the space of removed files, `removed` of them since the last call, and of broken-off writes. */
  reclaim(removed: number): Promise<void>;
  close(): Promise<void>;
}
