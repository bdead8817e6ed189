import { valueFor } from "../../base/expect.ts";
import { type Chunk, INSTANT_DIMENSIONS, INSTANT_SPACE } from "../../domain/chunk.ts";
import { Matrix } from "../vectors/matrix.ts";
import { SpaceMatrices } from "../vectors/space-matrices.ts";
import { Postings } from "./postings.ts";
import { MutableRows, readRow } from "./rows.ts";
import { SealableSegment, type Tables } from "./sealable.ts";

/** Deleted rows tolerated before the tables are rewritten; above this number, half of all rows. */
const MAX_REMOVED_ROWS = 1024;

export interface MutableSegmentOptions {
  readonly minKernelVectors?: number;
  readonly maxRemovedRows?: number;
}

interface TailTables extends Tables {
  readonly documents: MutableRows;
  readonly lists: Postings;
}

/** The index of one partition in memory: the contents of `d/` and `v/`, ready for an exact search. */
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
   * While a mutable segment is being sealed, removals change its tables until it rewrites itself; then they
   * change the new ones.
   */
  get source(): TailTables {
    return this.#tables;
  }

  /** Documents that were added and not removed since. */
  get count(): number {
    return this.#tables.documents.count;
  }

  /** Adds a chunk under its number. An existing number is left unchanged: chunks never change. */
  add(doc: number, chunk: Chunk): void {
    if (this.has(doc)) return;
    const { documents, lists, vectors } = this.#tables;
    const row = documents.add(doc, chunk);
    lists.add(row, chunk.terms);
    valueFor(vectors, INSTANT_SPACE).set(row, chunk.instant);
  }

  /** No effect if the document is not here. */
  remove(doc: number): void {
    const { documents } = this.#tables;
    if (documents.remove(doc) === undefined) return;
    const removed = documents.rows - documents.count;
    if (removed > Math.max(this.#options.maxRemovedRows ?? MAX_REMOVED_ROWS, documents.count))
      this.#compact();
  }

  /** Numbers of the documents of the given nodes, in all generations. */
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
