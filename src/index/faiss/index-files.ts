/** Paths of index files, for the child processes that read and write them. */
export interface IndexFiles {
  pathOf(bucket: string, file: string): string;
  /** Path for an incomplete file; leftovers are deleted at the next start. */
  aside(): string;
  /** Renames a durable temporary file to its SHA-256. */
  adopt(bucket: string, aside: string, hash: string): Promise<void>;
}
