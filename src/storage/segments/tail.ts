import { type Chunk, INSTANT_DIMENSIONS, INSTANT_SPACE, type QuantisedVector } from "../../domain/chunk.ts";
import type { Compare, DocumentColumns, IndexPart } from "../partition.ts";
import type { TermScores } from "../terms.ts";
import type { Vectors } from "../vectors.ts";
import { comparisonOf } from "./compare.ts";
import { Documents, docsWithout } from "./documents.ts";
import { Matrix } from "./matrix.ts";
import { Postings } from "./postings.ts";
import type { SealSource } from "./seal.ts";

/** Removed rows that are put up with before the tables are written anew without them; beyond, they may be half of all. */
const MAX_REMOVED_ROWS = 1024;

export interface TailOptions {
  readonly minKernelVectors?: number;
  readonly maxRemovedRows?: number;
}

/** The index of one partition in memory: what is in `d/` and `v/`, ready for an exact search. */
export class Tail implements IndexPart {
  readonly #options: TailOptions;
  #documents = new Documents();
  #postings = new Postings();
  #vectors: Map<string, Matrix>;

  constructor(options: TailOptions = {}) {
    this.#options = options;
    this.#vectors = new Map([[INSTANT_SPACE, this.#matrix(INSTANT_DIMENSIONS)]]);
  }

  get documents(): DocumentColumns {
    return this.#documents;
  }

  get terms(): TermScores {
    return this.#postings;
  }

  get vectors(): ReadonlyMap<string, Vectors> {
    return this.#vectors;
  }

  /** Documents that were added and not removed. */
  get count(): number {
    return this.#documents.count;
  }

  /** Memory held, roughly. */
  get bytes(): number {
    let bytes = this.#documents.bytes + this.#postings.bytes;
    for (const matrix of this.#vectors.values()) bytes += matrix.bytes;
    return bytes;
  }

  /** What it is to be sealed from: its tables as they are. Removals go on in them until the tail writes itself anew, then elsewhere. */
  get source(): SealSource {
    return { documents: this.#documents, lists: this.#postings, vectors: this.#vectors };
  }

  has(doc: number): boolean {
    return this.#documents.rowOf(doc) !== undefined;
  }

  firstRow(node: number): number {
    return this.#documents.firstRow(node);
  }

  /** Adds a chunk under its number. A number that is here already stays as it is: chunks never change. */
  add(doc: number, chunk: Chunk): void {
    if (this.#documents.rowOf(doc) !== undefined) return;
    const row = this.#documents.add(doc, chunk);
    this.#postings.add(row, chunk.terms);
    this.#vectors.get(INSTANT_SPACE)!.set(row, chunk.instant);
  }

  setVector(space: string, doc: number, vector: QuantisedVector): void {
    const row = this.#documents.rowOf(doc);
    if (row === undefined) return;
    let matrix = this.#vectors.get(space);
    if (matrix === undefined) {
      matrix = this.#matrix(vector.values.length);
      this.#vectors.set(space, matrix);
    }
    matrix.set(row, vector);
  }

  vectorOf(space: string, doc: number): QuantisedVector | undefined {
    const row = this.#documents.rowOf(doc);
    return row === undefined ? undefined : this.#vectors.get(space)?.get(row);
  }

  docsWithout(space: string): number[] {
    return docsWithout(this.#documents, this.#vectors.get(space));
  }

  dropSpace(space: string): void {
    if (space !== INSTANT_SPACE) this.#vectors.delete(space);
  }

  /** No effect if the document is not here. */
  remove(doc: number): void {
    if (this.#documents.remove(doc) === undefined) return;
    const removed = this.#documents.rows - this.#documents.count;
    if (removed > Math.max(this.#options.maxRemovedRows ?? MAX_REMOVED_ROWS, this.#documents.count)) this.#compact();
  }

  /** Numbers of the documents of the given nodes, of all generations. */
  docsOf(nodes: Iterable<number>): number[] {
    const docs: number[] = [];
    for (const node of nodes) {
      for (let row = this.firstRow(node); row >= 0; row = this.#documents.next[row]!) docs.push(this.#documents.doc[row]!);
    }
    return docs;
  }

  /** Where a document begins and ends in its text, in UTF-16 units. */
  span(doc: number): { start: number; end: number } | undefined {
    const row = this.#documents.rowOf(doc);
    return row === undefined ? undefined : { start: this.#documents.start[row]!, end: this.#documents.end[row]! };
  }

  comparison(): Compare {
    const documents = this.#documents;
    return comparisonOf(this.source, (doc) => documents.rowOf(doc));
  }

  #compact(): void {
    const old = this.#documents;
    const kept = new Documents();
    const renumber = new Int32Array(old.rows).fill(-1);
    for (let row = 0; row < old.rows; row++) {
      if (old.node[row] !== -1) renumber[row] = kept.add(old.doc[row]!, old.at(row));
    }
    const vectors = new Map<string, Matrix>();
    for (const [space, matrix] of this.#vectors) {
      const copy = this.#matrix(matrix.dimensions);
      for (let row = 0; row < old.rows; row++) {
        const vector = renumber[row]! < 0 ? undefined : matrix.get(row);
        if (vector !== undefined) copy.set(renumber[row]!, vector);
      }
      vectors.set(space, copy);
    }
    this.#postings = this.#postings.renumbered(renumber);
    this.#documents = kept;
    this.#vectors = vectors;
  }

  #matrix(dimensions: number): Matrix {
    return new Matrix({ dimensions, minKernelVectors: this.#options.minKernelVectors });
  }
}
