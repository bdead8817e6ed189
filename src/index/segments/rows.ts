import { grow } from "../../base/grow.ts";
import type { RowColumns } from "../searchable.ts";

/** Table of a segment's chunks, with lookup by chunk number and by node. */
export interface RowTable extends RowColumns {
  /** Approximate memory in bytes. */
  readonly bytes: number;
  /** Undefined if the chunk is not in this table. */
  rowOf(doc: number): number | undefined;
  /** See SegmentTables.firstRow. */
  firstRow(node: number): number;
}

/** See Chunk. */
export interface RowFacts {
  readonly node: number;
  readonly generation: number;
  readonly level: number;
  readonly length: number;
  readonly start: number;
  readonly end: number;
}

/** Columns of a table that are written row by row. */
type RowValues = Pick<RowColumns, keyof StoredRow>;

export interface StoredRow extends RowFacts {
  readonly doc: number;
}

/** Reads a row, which must exist. */
export const readRow = (columns: RowValues, row: number): StoredRow => ({
  node: columns.node[row]!,
  generation: columns.generation[row]!,
  level: columns.level[row]!,
  length: columns.length[row]!,
  start: columns.start[row]!,
  end: columns.end[row]!,
  doc: columns.doc[row]!,
});

export function writeRow(columns: RowValues, row: number, doc: number, facts: RowFacts): void {
  columns.node[row] = facts.node;
  columns.generation[row] = facts.generation;
  columns.level[row] = facts.level;
  columns.length[row] = facts.length;
  columns.start[row] = facts.start;
  columns.end[row] = facts.end;
  columns.doc[row] = doc;
}

/** Mutable table with one row per chunk, in order of arrival, and a linked list of rows per node. */
export class MutableRows implements RowTable {
  rows = 0;
  revision = 0;
  node = new Int32Array(0);
  generation = new Uint32Array(0);
  level = new Uint8Array(0);
  length = new Float32Array(0);
  start = new Uint32Array(0);
  end = new Uint32Array(0);
  doc = new Uint32Array(0);
  next = new Int32Array(0);
  readonly #first = new Map<number, number>();
  readonly #rowOf = new Map<number, number>();

  /** Number of chunks, without removed ones. */
  get count(): number {
    return this.#rowOf.size;
  }

  get bytes(): number {
    const columns = [
      this.node,
      this.generation,
      this.level,
      this.length,
      this.start,
      this.end,
      this.doc,
      this.next,
    ];
    return (
      columns.reduce((sum, column) => sum + column.byteLength, 0) + (this.#first.size + this.#rowOf.size) * 40
    );
  }

  firstRow(node: number): number {
    return this.#first.get(node) ?? -1;
  }

  rowOf(doc: number): number | undefined {
    return this.#rowOf.get(doc);
  }

  add(doc: number, chunk: RowFacts): number {
    const row = this.rows++;
    this.revision++;
    this.#reserve(this.rows);
    writeRow(this, row, doc, chunk);
    this.next[row] = this.firstRow(chunk.node);
    this.#first.set(chunk.node, row);
    this.#rowOf.set(doc, row);
    return row;
  }

  /** Removes a chunk and returns its row; undefined if it is not in this table. */
  remove(doc: number): number | undefined {
    const row = this.#rowOf.get(doc);
    if (row === undefined) return undefined;
    this.#rowOf.delete(doc);
    this.#unlink(readRow(this, row).node, row);
    this.node[row] = -1;
    this.revision++;
    return row;
  }

  #unlink(node: number, row: number): void {
    const next = this.next[row] ?? -1;
    const first = this.firstRow(node);
    if (first === row) {
      if (next < 0) this.#first.delete(node);
      else this.#first.set(node, next);
      return;
    }
    for (let at = first; at >= 0; at = this.next[at] ?? -1) {
      if (this.next[at] !== row) continue;
      this.next[at] = next;
      return;
    }
  }

  #reserve(rows: number): void {
    this.node = grow(this.node, rows);
    this.generation = grow(this.generation, rows);
    this.level = grow(this.level, rows);
    this.length = grow(this.length, rows);
    this.start = grow(this.start, rows);
    this.end = grow(this.end, rows);
    this.doc = grow(this.doc, rows);
    this.next = grow(this.next, rows);
  }
}
