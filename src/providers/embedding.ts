import type { WorkspaceId } from "../domain/ids.ts";
/**
 * Embedders: texts in, unit vectors out. A workspace keeps its vectors in named spaces, in order of
 * preference, and a text is compared in the best space in which it has a vector (retrieval.md, "Two vector
 * spaces, one mechanism").
 */

/**
 * Vectors are comparable only within one space: a model, its revision, its dimensions. Another revision needs
 * another name.
 */
export interface EmbeddingSpace {
  /** Part of keys: must not contain a slash. */
  readonly name: string;
  /** 0 until a remote model has answered. */
  readonly dimensions: number;
}

/** Texts per call of `embed`. */
export const MAX_EMBED_TEXTS = 256;

export interface Embedder {
  readonly space: EmbeddingSpace;
  /**
   * True if a vector costs microseconds, so that it is made in the transaction that stores the text;
   * otherwise the Embedding queue makes it.
   */
  readonly instant: boolean;
  /**
   * One vector of unit length per text, in order; a text with nothing that the model knows gets zeros. At
   * most MAX_EMBED_TEXTS. Texts beyond the model's window are cut. Queries are embedded alone: a vector
   * depends slightly on its batch, so vectors are never compared for equality. `workspace` is charged for the
   * tokens of a remote model; the server if it is missing. Throws EMBEDDING_FAILED (the model cannot embed
   * it), UNAVAILABLE (temporary, or until an operator acts: jobs wait), or the reason of `signal` once it is
   * aborted.
   */
  embed(texts: readonly string[], signal?: AbortSignal, workspace?: WorkspaceId): Promise<Float32Array[]>;
  /**
   * The share of a text's word pieces that the model understands, 0 to 1: `g` of the formula. 1 for a
   * multilingual model.
   */
  knownShare(text: string): number;
}

/** An embedder with slow vectors: documents go through the Embedding queue, queries have a separate path. */
export interface QueuedEmbedder extends Embedder {
  readonly instant: false;
  /** False once it is known that it cannot work before the next start: no further calls are needed. */
  readonly isUsable: boolean;
  /**
   * Sensible number of texts per call of `embed`: more would delay others, fewer would waste a round trip.
   */
  readonly textsPerCall: number;
  /** The vector of a query, or of its understood part; does not wait for texts that are being embedded. */
  embedQuery(text: string, signal?: AbortSignal, workspace?: WorkspaceId): Promise<Float32Array>;
  /** Refuses further texts and ends everything it has started. */
  close(): Promise<void>;
}

export interface InstantEmbedder extends Embedder {
  readonly instant: true;
  /** As `embed`, at once. */
  embedNow(text: string): Float32Array;
  /** Word pieces of a text: the unit of chunk sizes. */
  countPieces(text: string): number;
}

/** The embedders of a server. */
export interface Embedders {
  readonly instant: InstantEmbedder;
  /**
   * Those that can embed queries for spaces with vectors, the preferred one first: its space is the main
   * space, which is being filled; the others serve until then.
   */
  readonly queued: readonly QueuedEmbedder[];
}
