import type { WorkspaceId } from "../domain/ids.ts";
/**
 * Embedders: texts in, unit vectors out. A workspace keeps its vectors in named spaces, in order of
 * preference, and a text is compared in the best space in which it has a vector (retrieval.md, "Two vector
 * spaces, one mechanism").
 */

/**
 * Vectors are comparable only within one space: a model, its revision, its dimensions. Another revision is
 * another name.
 */
export interface EmbeddingSpace {
  /** Stands in keys: no slash in it. */
  readonly name: string;
  /** 0 as long as a remote model has not said. */
  readonly dimensions: number;
}

/** Texts per call of `embed`. */
export const MAX_EMBED_TEXTS = 256;

export interface Embedder {
  readonly space: EmbeddingSpace;
  /**
   * True where a vector costs microseconds, so that it is made in the transaction that stores the text;
   * otherwise it comes by the Embedding queue.
   */
  readonly instant: boolean;
  /**
   * One vector of unit length for each text, in the order of the texts; a text in which the model knows
   * nothing gets zeros. At most MAX_EMBED_TEXTS. Texts beyond the model's window are cut at its end. Queries
   * are embedded alone: a vector depends a little on its batch, so vectors are never compared for equality.
   * `workspace` is charged for the tokens of a remote model; the server where it is missing. Throws
   * EMBEDDING_FAILED (the model cannot or will not), UNAVAILABLE (not now, or not before somebody mends it:
   * jobs wait), or the reason of `signal` once it is aborted.
   */
  embed(texts: readonly string[], signal?: AbortSignal, workspace?: WorkspaceId): Promise<Float32Array[]>;
  /**
   * The share of a text's word pieces that the model understands, 0 to 1: `g` of the formula. 1 for a
   * multilingual model.
   */
  knownShare(text: string): number;
}

/**
 * An embedder whose vectors are worth waiting for: documents come by the Embedding queue, queries by a way of
 * their own.
 */
export interface QueuedEmbedder extends Embedder {
  readonly instant: false;
  /**
   * False from the moment on at which it is known that it will not work before the next start: nobody need
   * ask it any more.
   */
  readonly isUsable: boolean;
  /** Texts worth giving to one call of `embed`: more would hold up others, fewer would waste a round trip. */
  readonly textsPerCall: number;
  /**
   * The vector of a query, or of what the model understands of it, without waiting for the texts that are
   * being embedded.
   */
  embedQuery(text: string, signal?: AbortSignal, workspace?: WorkspaceId): Promise<Float32Array>;
  /** Refuses further texts and ends what it has started. */
  close(): Promise<void>;
}

export interface InstantEmbedder extends Embedder {
  readonly instant: true;
  /** As `embed`, at once. */
  embedNow(text: string): Float32Array;
  /** Word pieces of a text: the measure of chunks. */
  countPieces(text: string): number;
}

/** The embedders of a server. */
export interface Embedders {
  readonly instant: InstantEmbedder;
  /**
   * Those that can embed queries for spaces that hold vectors, the preferred one first: its space is the main
   * space, which is filled; the others serve until it is.
   */
  readonly queued: readonly QueuedEmbedder[];
}
