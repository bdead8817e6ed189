import type { Turns } from "../../base/turns.ts";
import { INSTANT_SPACE, type QuantisedVector } from "../../domain/chunk.ts";
import type { OpenNeighbours } from "../neighbours.ts";
import type { Compare, DocumentColumns, IndexPart } from "../partition.ts";
import type { TermScores } from "../terms.ts";
import type { VectorColumns, Vectors } from "../vectors.ts";
import { comparisonOf } from "./compare.ts";
import { docsWithout } from "./documents.ts";
import { Matrix } from "./matrix.ts";
import type { SealSource } from "./seal.ts";
import { SealedDocuments } from "./sealed-documents.ts";
import { SealedTerms } from "./sealed-terms.ts";
import type { SegmentColumns } from "./segment-columns.ts";

interface WholeSpace {
  readonly space: string;
  readonly rows: Uint32Array;
}

/**
 * A part of a partition's index whose documents never change; vectors of further spaces may come after it was written. Chunks that were removed since stay in it: no node has their generation any more, and neither nodes nor
 * generations are given twice, so that no search counts them.
 */
export class Segment implements IndexPart {
  readonly #documents: SealedDocuments;
  readonly #terms: SealedTerms;
  readonly #vectors: Map<string, Matrix>;
  /** Vectors by space that are in the files too. */
  readonly #sealed: ReadonlyMap<string, number>;
  /** The space in which an index of neighbours would be of use, and the rows in the order of its file. */
  readonly whole: WholeSpace | undefined;
  neighbours: OpenNeighbours | undefined;

  private constructor(documents: SealedDocuments, terms: SealedTerms, vectors: Map<string, Matrix>, whole: WholeSpace | undefined) {
    this.#documents = documents;
    this.#terms = terms;
    this.#vectors = vectors;
    this.whole = whole;
    this.#sealed = new Map([...vectors].map(([space, { size }]) => [space, size]));
  }

  static async open({ documents, terms, vectors }: SegmentColumns, turns: Turns): Promise<Segment> {
    const matrices = new Map<string, Matrix>();
    for (const [space, columns] of vectors) matrices.set(space, await matrixOf(columns, turns));
    return new Segment(new SealedDocuments(documents), new SealedTerms(terms), matrices, wholeSpace(documents.doc.length, vectors));
  }

  get documents(): DocumentColumns {
    return this.#documents;
  }

  get terms(): TermScores {
    return this.#terms;
  }

  get vectors(): ReadonlyMap<string, Vectors> {
    return this.#vectors;
  }

  /** What it is to be written anew from. */
  get source(): SealSource {
    return { documents: this.#documents, lists: this.#terms, vectors: this.#vectors };
  }

  get count(): number {
    return this.#documents.rows;
  }

  get bytes(): number {
    let bytes = this.#documents.bytes + this.#terms.bytes;
    for (const matrix of this.#vectors.values()) bytes += matrix.bytes;
    return bytes + (this.neighbours?.bytes ?? 0);
  }

  setVector(space: string, doc: number, vector: QuantisedVector): void {
    const row = this.#documents.rowOf(doc);
    if (row === undefined) return;
    let matrix = this.#vectors.get(space);
    if (matrix === undefined) {
      matrix = new Matrix({ dimensions: vector.values.length, capacity: this.#documents.rows });
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

  /** Vectors of a space that came after the files were written. */
  lateVectors(space: string): number {
    return (this.#vectors.get(space)?.size ?? 0) - (this.#sealed.get(space) ?? 0);
  }

  comparison(): Compare {
    return comparisonOf(this.source, (doc) => this.#documents.rowOf(doc));
  }

  firstRow(node: number): number {
    return this.#documents.firstRow(node);
  }

  has(doc: number): boolean {
    return this.#documents.rowOf(doc) !== undefined;
  }

  span(doc: number): { start: number; end: number } | undefined {
    const row = this.#documents.rowOf(doc);
    return row === undefined ? undefined : { start: this.#documents.start[row]!, end: this.#documents.end[row]! };
  }
}

/**
 * The space a search prefers, if all documents have their vectors in it: candidates found in the instant space are of no use where some documents are
 * compared in a better one.
 */
function wholeSpace(docs: number, vectors: SegmentColumns["vectors"]): WholeSpace | undefined {
  const preferred = [...vectors.keys()].find((space) => space !== INSTANT_SPACE) ?? INSTANT_SPACE;
  const rows = vectors.get(preferred)?.rows;
  // a copy, so that the content of the file is not kept
  return rows?.length === docs ? { space: preferred, rows: rows.slice() } : undefined;
}

/** Work a vector is reckoned with (see SEAL_BUDGET). */
const VECTOR_WORK = 50;

async function matrixOf({ rows, scales, values }: VectorColumns, turns: Turns): Promise<Matrix> {
  const dimensions = values.length / rows.length;
  const matrix = new Matrix({ dimensions, capacity: rows.length });
  for (let i = 0; i < rows.length; i++) {
    matrix.set(rows[i]!, { scale: scales[i]!, values: values.subarray(i * dimensions, (i + 1) * dimensions) });
    await turns.spend(VECTOR_WORK);
  }
  return matrix;
}
