import type { WorkspaceId } from "../domain/ids.ts";
/**
 * Embedders: texts in, unit vectors out. A workspace keeps vectors in named spaces, in order of preference;
 * each text is compared in the best space in which it has a vector (retrieval.md, "Two vector spaces, one
 * mechanism").
 */

/**
 * A vector space: one revision of a model with its dimensions. Vectors are comparable only within a space, so
 * another revision needs another name.
 */
export interface EmbeddingSpace {
  /** Name, which is part of keys and must not contain a slash. */
  readonly name: string;
  /** 0 until a remote model has responded. */
  readonly dimensions: number;
}

/** Maximum number of texts per call of `embed`. */
export const MAX_EMBED_TEXTS = 256;

export interface Embedder {
  readonly space: EmbeddingSpace;
  /**
   * True if embedding takes microseconds: the vector is made in the transaction that stores the text.
   * Otherwise jobs of the embedding queue make it.
   */
  readonly instant: boolean;
  /**
   * Returns one unit vector per text, in order; zeros if the model knows nothing in the text. At most
   * MAX_EMBED_TEXTS texts; text beyond the model's window is ignored. Queries are embedded alone: a vector
   * depends slightly on its batch, so vectors must not be compared for equality. Tokens of a remote model are
   * charged to `workspace`, or to the server if it is undefined. Throws EMBEDDING_FAILED (the text cannot be
   * embedded), UNAVAILABLE (temporary, or until an operator intervenes: jobs wait), or the signal's reason.
   */
  embed(texts: readonly string[], signal?: AbortSignal, workspace?: WorkspaceId): Promise<Float32Array[]>;
  /**
   * Share of a text's word pieces that the model understands, 0 to 1 (`g` in the score formula). 1 for
   * multilingual models.
   */
  knownShare(text: string): number;
}

/** An embedder that is slow: documents go through the embedding queue, queries have a separate path. */
export interface QueuedEmbedder extends Embedder {
  readonly instant: false;
  /** False if the embedder cannot work until the next start; further calls are pointless. */
  readonly isUsable: boolean;
  /**
   * Recommended number of texts per call of `embed`: more would delay other callers, fewer would waste round
   * trips.
   */
  readonly textsPerCall: number;
  /**
   * The vector of a query, or of its understood part. Does not wait for documents that are being embedded.
   */
  embedQuery(text: string, signal?: AbortSignal, workspace?: WorkspaceId): Promise<Float32Array>;
  /** Refuses further texts and ends its processes and calls. */
  close(): Promise<void>;
}

export interface InstantEmbedder extends Embedder {
  readonly instant: true;
  /** Like `embed`, but synchronous. */
  embedNow(text: string): Float32Array;
  /** Number of word pieces in a text: the unit of chunk sizes. */
  countPieces(text: string): number;
}

/** The embedders of a server. */
export interface Embedders {
  readonly instant: InstantEmbedder;
  /**
   * Embedders for queries in spaces with vectors, the preferred one first. The space of the first one is the
   * main space, which is being filled; the others serve until that is done.
   */
  readonly queued: readonly QueuedEmbedder[];
}
