/** A folder for what is being fetched or unpacked. */
export interface ScratchFolder {
  readonly path: string;
  /** With all that is in it; never rejects. */
  remove(): Promise<void>;
}

/**
 * Room on disk for what is being worked on. Nothing in it outlives the process that put it there: it is
 * emptied at the start.
 */
export interface Scratch {
  folder(): Promise<ScratchFolder>;
}
