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
  /** Writes a file. `name`: returns the file's name for the SHA-256 of its content, in hex. */
  put(
    name: (hash: string) => string,
    content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  ): Promise<void>;
  /** Makes all earlier files durable, then writes a file that may refer to them. */
  commit(name: string, content: Uint8Array): Promise<void>;
  remove(name: string): Promise<void>;
  /**
   * Frees the space of removed files and interrupted writes. `removed`: number of removals since the last
   * call.
   */
  reclaim(removed: number): Promise<void>;
  close(): Promise<void>;
}
