import type { Terms } from "./terms.ts";
import type { Vectors } from "./vectors.ts";

/** One column per fact of a document, by row. The arrays are replaced when they grow: take them anew for every query, read up to `rows`. */
export interface DocumentColumns {
  readonly rows: number;
  /** Node of the document; -1: removed. */
  readonly node: Int32Array;
  readonly generation: Uint32Array;
  readonly level: Uint8Array;
  /** As Chunk.length. */
  readonly length: Float32Array;
  /** The document's number in its partition. */
  readonly doc: Uint32Array;
  /** The next row of the same node, -1 at the end. */
  readonly next: Int32Array;
}

/** What a search reads of an index partition. */
export interface SearchPartition {
  readonly documents: DocumentColumns;
  readonly terms: Terms;
  /** By the name of the space. */
  readonly vectors: ReadonlyMap<string, Vectors>;
  /** The first row of a node's documents (the others by `documents.next`), -1 if it has none here. All generations are in the list. */
  firstRow(node: number): number;
}
