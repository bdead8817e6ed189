import { valueFor } from "../../base/expect.ts";
import { type Chunk, INSTANT_DIMENSIONS, INSTANT_SPACE } from "../../domain/chunk.ts";
import { Matrix } from "../vectors/matrix.ts";
import { SpaceMatrices } from "../vectors/space-matrices.ts";
import { Postings } from "./postings.ts";
import { MutableRows, readRow } from "./rows.ts";
import { SealableSegment, type Tables } from "./sealable.ts";

/**
 * Minimum number of deleted rows before the tables are rewritten; above it, they are rewritten when half of
 * all rows are deleted.
 */
const MAX_REMOVED_ROWS = 1024;

export interface MutableSegmentOptions {
  readonly minKernelVectors?: number;
  readonly maxRemovedRows?: number;
}

interface TailTables extends Tables {
  readonly documents: MutableRows;
  readonly lists: Postings;
}

/** Index segment of a partition in memory: the records of `d/` and `v/`, ready for exact searches. */
export class MutableSegment extends SealableSegment {
  readonly #options: MutableSegmentOptions;
  #tables: TailTables;

  constructor(options: MutableSegmentOptions = {}) {
    super();
    this.#options = options;
    const vectors = this.#matrices();
    vectors.set(INSTANT_SPACE, this.#matrix(INSTANT_DIMENSIONS));
    this.#tables = { documents: new MutableRows(), lists: new Postings(), vectors };
  }

  /**
   * The current tables. Removals during a seal change these tables, or the new ones if the segment is
   * rewritten meanwhile.
   */
  get source(): TailTables {
    return this.#tables;
  }

  /** Number of chunks, without removed ones. */
  get count(): number {
    return this.#tables.documents.count;
  }

  /** Adds a chunk. No effect if its number exists: chunks never change. */
  add(doc: number, chunk: Chunk): void {
    if (this.has(doc)) return;
    const { documents, lists, vectors } = this.#tables;
    const row = documents.add(doc, chunk);
    lists.add(row, chunk.terms);
    valueFor(vectors, INSTANT_SPACE).set(row, chunk.instant);
  }

  /** No effect if the chunk is not in this segment. */
  remove(doc: number): void {
    const { documents } = this.#tables;
    if (documents.remove(doc) === undefined) return;
    const removed = documents.rows - documents.count;
    if (removed > Math.max(this.#options.maxRemovedRows ?? MAX_REMOVED_ROWS, documents.count))
      this.#compact();
  }

  /** Numbers of the given nodes' chunks, in all generations. */
  docsOf(nodes: Iterable<number>): number[] {
    const { documents } = this.#tables;
    const docs: number[] = [];
    for (const node of nodes) {
      for (let row = documents.firstRow(node); row >= 0; row = documents.next[row] ?? -1)
        docs.push(readRow(documents, row).doc);
    }
    return docs;
  }

  #compact(): void {
    const { documents: old, lists, vectors: matrices } = this.#tables;
    const kept = new MutableRows();
    const renumber = new Int32Array(old.rows).fill(-1);
    for (let row = 0; row < old.rows; row++) {
      const { doc, ...facts } = readRow(old, row);
      if (facts.node !== -1) renumber[row] = kept.add(doc, facts);
    }
    const vectors = this.#matrices();
    for (const [space, matrix] of matrices) {
      const copy = this.#matrix(matrix.dimensions);
      for (const [row, renumbered] of renumber.entries()) {
        const vector = renumbered < 0 ? undefined : matrix.get(row);
        if (vector !== undefined) copy.set(renumbered, vector);
      }
      vectors.set(space, copy);
    }
    this.#tables = { documents: kept, lists: lists.renumbered(renumber), vectors };
  }

  #matrices(): SpaceMatrices {
    return new SpaceMatrices((dimensions) => this.#matrix(dimensions));
  }

  #matrix(dimensions: number): Matrix {
    return new Matrix({ dimensions, minKernelVectors: this.#options.minKernelVectors });
  }
}
