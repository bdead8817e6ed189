import type { QuantisedVector } from "../../domain/quantise.ts";
import type { RecordComparison, RowColumns, SearchableSegment } from "../searchable.ts";
import type { TermScores } from "../terms.ts";
import type { SpaceMatrices } from "../vectors/space-matrices.ts";
import type { Vectors } from "../vectors/vectors.ts";
import { comparisonOf } from "./compare.ts";
import type { PostingLists } from "./posting-lists.ts";
import { type RowTable, readRow } from "./rows.ts";
import type { SealSource } from "./seal.ts";

/** Tables of a segment, owned by a subclass. */
export interface Tables extends SealSource {
  readonly documents: RowTable;
  readonly lists: PostingLists;
  readonly vectors: SpaceMatrices;
}

/**
 * Common base of mutable and sealed segments: tables that can be searched, extended with late vectors,
 * compared with records, and sealed.
 */
export abstract class SealableSegment implements SearchableSegment {
  /** The tables from which a segment is sealed. */
  abstract readonly source: Tables;
  abstract readonly count: number;

  get documents(): RowColumns {
    return this.source.documents;
  }

  get terms(): TermScores {
    return this.source.lists;
  }

  get vectors(): ReadonlyMap<string, Vectors> {
    return this.source.vectors;
  }

  get bytes(): number {
    return this.source.documents.bytes + this.source.lists.bytes + this.source.vectors.bytes;
  }

  firstRow(node: number): number {
    return this.source.documents.firstRow(node);
  }

  has(doc: number): boolean {
    return this.source.documents.rowOf(doc) !== undefined;
  }

  span(doc: number): { start: number; end: number } | undefined {
    const { documents } = this.source;
    const row = documents.rowOf(doc);
    if (row === undefined) return undefined;
    const { start, end } = readRow(documents, row);
    return { start, end };
  }

  setVector(space: string, doc: number, vector: QuantisedVector): void {
    this.source.vectors.setVector(space, this.source.documents.rowOf(doc), vector);
  }

  vectorOf(space: string, doc: number): QuantisedVector | undefined {
    return this.source.vectors.vectorOf(space, this.source.documents.rowOf(doc));
  }

  docsWithout(space: string): number[] {
    const { documents } = this.source;
    const matrix = this.source.vectors.get(space);
    const docs: number[] = [];
    for (let row = 0; row < documents.rows; row++)
      if (documents.node[row] !== -1 && !matrix?.has(row)) docs.push(readRow(documents, row).doc);
    return docs;
  }

  dropSpace(space: string): void {
    this.source.vectors.drop(space);
  }

  comparison(): RecordComparison {
    const { documents } = this.source;
    return comparisonOf(this.source, (doc) => documents.rowOf(doc));
  }
}
