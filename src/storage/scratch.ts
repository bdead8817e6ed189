/** A folder for what is being fetched or unpacked. */
export interface ScratchFolder {
  readonly path: string;
  /** Including its contents; never rejects. */
  remove(): Promise<void>;
}

/** Temporary disk space. Emptied at the start: nothing outlives the process. */
export interface Scratch {
  folder(): Promise<ScratchFolder>;
}
