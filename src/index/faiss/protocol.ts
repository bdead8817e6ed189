/** Calls to the process that answers; paths identify indexes. */
export type AnswerCall =
  /** Reads a file whose SHA-256 is `hash`; answers Loaded. */
  | { readonly do: "load"; readonly path: string; readonly hash: string }
  /** Answers the positions of the vectors in their file as the bytes of a Uint32Array, the nearest first. */
  | { readonly do: "search"; readonly path: string; readonly query: Float32Array; readonly count: number }
  | { readonly do: "forget"; readonly path: string };

/** Prefix of the error if the native library does not load. */
export const NO_ADDON = "FAISS cannot be loaded";

export interface Loaded {
  readonly vectors: number;
  readonly dimensions: number;
  readonly bytes: number;
}

/** Calls to the process that builds, in this order; repeat `add` until it answers 0. */
export type BuildCall =
  /**
   * Reads a file of vectors whose SHA-256 is `hash`; answers their number. `aside` is a path for a small
   * temporary file.
   */
  | {
      readonly do: "begin";
      readonly path: string;
      readonly hash: string;
      readonly space: string;
      readonly aside: string;
    }
  /** Adds some more of them and answers their number, so that no call takes long. */
  | { readonly do: "add" }
  /** Writes the index to a new file, durably; answers Built. */
  | { readonly do: "finish"; readonly path: string };

export interface BuiltIndex {
  readonly hash: string;
}
