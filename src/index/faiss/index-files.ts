/** Paths of index files, for the child processes that read and write them. */
export interface IndexFiles {
  pathOf(bucket: string, file: string): string;
  /** A path for a file that is not whole yet; what is left there goes at the next start. */
  aside(): string;
  /** Gives a durable file written aside its name, its SHA-256. */
  adopt(bucket: string, aside: string, hash: string): Promise<void>;
}
