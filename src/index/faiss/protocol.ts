/** Calls to the search process. Indexes are identified by their paths. */
export type AnswerCall =
  /** Loads a file whose SHA-256 is `hash`; answers with Loaded. */
  | { readonly do: "load"; readonly path: string; readonly hash: string }
  /**
   * Answers with the positions of the nearest vectors in their file, nearest first, as the bytes of a
   * Uint32Array.
   */
  | { readonly do: "search"; readonly path: string; readonly query: Float32Array; readonly count: number }
  | { readonly do: "forget"; readonly path: string };

/** Prefix of the error message if the native library cannot be loaded. */
export const NO_ADDON = "FAISS cannot be loaded";

export interface Loaded {
  readonly vectors: number;
  readonly dimensions: number;
  readonly bytes: number;
}

/** Calls to the build process, in this order; repeat `add` until it answers 0. */
export type BuildCall =
  /**
   * Reads a vector file whose SHA-256 is `hash`; answers with the number of vectors. `aside`: path for a
   * small temporary file.
   */
  | {
      readonly do: "begin";
      readonly path: string;
      readonly hash: string;
      readonly space: string;
      readonly aside: string;
    }
  /** Adds a limited number of vectors, so that the call stays short; answers with that number. */
  | { readonly do: "add" }
  /** Durably writes the index to a new file; answers with BuiltIndex. */
  | { readonly do: "finish"; readonly path: string };

export interface BuiltIndex {
  readonly hash: string;
}
