import type { Columns } from "../columns.ts";
import { placeIn } from "./ascending.ts";
import type { RowTable } from "./rows.ts";

export const DOCUMENT_COLUMNS = {
  node: "i32",
  generation: "u32",
  level: "u8",
  length: "f32",
  start: "u32",
  end: "u32",
  /** Chunk numbers, ascending. */
  doc: "u32",
  next: "i32",
  /** Nodes with chunks in this segment in ascending order, and the first row of each. */
  nodes: "i32",
  first: "i32",
} as const;

export type SealedRowColumns = Columns<typeof DOCUMENT_COLUMNS>;

/**
 * An immutable table with rows in the order of chunk numbers. Whether a chunk is live depends only on its
 * node.
 */
export class SealedRows implements RowTable {
  readonly rows: number;
  readonly revision = 0;
  readonly node: Int32Array;
  readonly generation: Uint32Array;
  readonly level: Uint8Array;
  readonly length: Float32Array;
  readonly start: Uint32Array;
  readonly end: Uint32Array;
  readonly doc: Uint32Array;
  readonly next: Int32Array;
  readonly bytes: number;
  readonly #nodes: Int32Array;
  readonly #first: Int32Array;
  /** Smallest and largest node; NaN if there are none, so that no node is in range. */
  readonly #least: number;
  readonly #most: number;

  constructor(columns: SealedRowColumns) {
    this.rows = columns.doc.length;
    this.node = columns.node;
    this.generation = columns.generation;
    this.level = columns.level;
    this.length = columns.length;
    this.start = columns.start;
    this.end = columns.end;
    this.doc = columns.doc;
    this.next = columns.next;
    this.#nodes = columns.nodes;
    this.#first = columns.first;
    this.#least = columns.nodes.at(0) ?? Number.NaN;
    this.#most = columns.nodes.at(-1) ?? Number.NaN;
    this.bytes = Object.values(columns).reduce((sum, column) => sum + column.byteLength, 0);
  }

  firstRow(node: number): number {
    // nodes are numbered consecutively, so this skips most segments
    if (!(node >= this.#least && node <= this.#most)) return -1;
    const at = placeIn(this.#nodes, node);
    return at < 0 ? -1 : (this.#first[at] ?? -1);
  }

  rowOf(doc: number): number | undefined {
    const row = placeIn(this.doc, doc);
    return row < 0 ? undefined : row;
  }
}
