/** A temporary folder for fetched or unpacked files. */
export interface ScratchFolder {
  readonly path: string;
  /** Removes the folder with its contents; never rejects. */
  remove(): Promise<void>;
}

/** Temporary disk space, emptied at each start. */
export interface Scratch {
  folder(): Promise<ScratchFolder>;
}
