import type { Columns } from "../columns.ts";
import { PostingLists } from "./posting-lists.ts";

export const TERM_COLUMNS = {
  /** Start of each term's UTF-8 bytes in `text`; the last entry is the end. */
  offsets: "u32",
  text: "u8",
  /** Open-addressing hash table: term number + 1; 0 if free. Its length is a power of two. */
  slots: "u32",
  /** Start of each term's list; the last entry is the end. */
  starts: "u32",
  rows: "u32",
  weights: "u16",
} as const;

export type TermColumns = Columns<typeof TERM_COLUMNS>;

/** Immutable posting lists, used in place in the loaded file. */
export class SealedTerms extends PostingLists {
  readonly #columns: TermColumns;

  constructor(columns: TermColumns) {
    super();
    this.#columns = columns;
  }

  get size(): number {
    return this.#columns.offsets.length - 1;
  }

  get bytes(): number {
    return Object.values(this.#columns).reduce((sum, column) => sum + column.byteLength, 0);
  }

  *names(): Generator<string> {
    const { offsets, text } = this.#columns;
    const bytes = Buffer.from(text.buffer, text.byteOffset, text.length);
    for (let term = 0; term < this.size; term++)
      yield bytes.toString("utf8", offsets[term], offsets[term + 1]);
  }

  rowsOf(term: number): Uint32Array {
    return this.#columns.rows.subarray(this.#columns.starts[term], this.#columns.starts[term + 1]);
  }

  weightsOf(term: number): Uint16Array {
    return this.#columns.weights.subarray(this.#columns.starts[term], this.#columns.starts[term + 1]);
  }

  protected numberOf(term: string): number {
    const { offsets, text, slots } = this.#columns;
    const wanted = Buffer.from(term);
    const mask = slots.length - 1;
    for (let at = hashOf(wanted) & mask; slots[at] !== 0; at = (at + 1) & mask) {
      const found = slots[at]! - 1;
      if (wanted.equals(text.subarray(offsets[found], offsets[found + 1]))) return found;
    }
    return -1;
  }
}

/** Builds a hash table of the terms, at most half full. */
export function hashTable(
  offsets: Uint32Array,
  text: Uint8Array,
): { slots: Uint32Array<ArrayBuffer>; place: (term: number) => void } {
  const terms = offsets.length - 1;
  const slots = new Uint32Array(2 ** Math.ceil(Math.log2(Math.max(1, terms) * 2)));
  const mask = slots.length - 1;
  return {
    slots,
    place: (term) => {
      let at = hashOf(text.subarray(offsets[term], offsets[term + 1])) & mask;
      while (slots[at] !== 0) at = (at + 1) & mask;
      slots[at] = term + 1;
    },
  };
}

/** FNV-1a. */
function hashOf(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}
