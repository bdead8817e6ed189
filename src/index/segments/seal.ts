import { YieldBudget } from "../../base/event-loop.ts";
import type { RowColumns } from "../searchable.ts";
import type { Matrix } from "../vectors/matrix.ts";
import type { VectorColumns } from "../vectors/vectors.ts";
import type { PostingLists } from "./posting-lists.ts";
import { readRow, writeRow } from "./rows.ts";
import type { SealedRowColumns } from "./sealed-rows.ts";
import { hashTable, type TermColumns } from "./sealed-terms.ts";
import type { SegmentColumns } from "./segment-columns.ts";

/** Source of a sealed segment: a frozen mutable segment, or a sealed one. */
export interface SealSource {
  readonly documents: RowColumns;
  readonly lists: PostingLists;
  readonly vectors: ReadonlyMap<string, Matrix>;
}

/** Maximum number of chunks per segment: as many as can be sorted without a yield. */
export const MAX_SEGMENT_DOCS = 2 ** 19;

/** Amount of work between two yields, in copied postings. */
const SEAL_BUDGET = 50_000;
const TERM_WORK = 30;
const VECTOR_WORK = 50;
const ROW_WORK = 10;
/**
 * Greater than the number of rows of all sources, so that chunk number and row fit into one 53-bit number.
 */
const ROWS = 2 ** 21;

export const sealTurns = (signal?: AbortSignal): YieldBudget => new YieldBudget(SEAL_BUDGET, signal);

/** A source with its renumbering: new row by old row, -1 if dropped. */
interface RenumberedSource extends SealSource {
  readonly renumbering: Int32Array;
}

/**
 * Writes the chunks of `sources` that satisfy `isKept` as one segment, yielding between slices. Sources may
 * lose chunks meanwhile (see MutableSegment.remove); these may still be in the result.
 */
export async function seal(
  sources: readonly SealSource[],
  isKept: (doc: number) => boolean,
  turns: YieldBudget,
): Promise<SegmentColumns> {
  const { documents, renumbered } = await sealDocuments(sources, isKept, turns);
  const terms = await sealTerms(renumbered, turns);
  const vectors = new Map<string, VectorColumns>();
  for (const space of new Set(sources.flatMap((source) => [...source.vectors.keys()]))) {
    const columns = await sealVectors(renumbered, space, turns);
    if (columns.rows.length > 0) vectors.set(space, columns);
  }
  return { documents, terms, vectors };
}

async function sealDocuments(
  sources: readonly SealSource[],
  isKept: (doc: number) => boolean,
  turns: YieldBudget,
): Promise<{ documents: SealedRowColumns; renumbered: RenumberedSource[] }> {
  const order = await rowsByDoc(sources, isKept, turns);
  const rows = order.length;
  const made = {
    node: new Int32Array(rows),
    generation: new Uint32Array(rows),
    level: new Uint8Array(rows),
    length: new Float32Array(rows),
    start: new Uint32Array(rows),
    end: new Uint32Array(rows),
    doc: new Uint32Array(rows),
  };
  const renumbered = sources.map((source) => ({
    ...source,
    renumbering: new Int32Array(source.documents.rows).fill(-1),
  }));
  for (const [row, key] of order.entries()) {
    let at = key % ROWS;
    for (const { documents, renumbering } of renumbered) {
      if (at < renumbering.length) {
        renumbering[at] = row;
        const facts = readRow(documents, at);
        writeRow(made, row, facts.doc, facts);
        break;
      }
      at -= renumbering.length;
    }
    const turn = turns.spend(ROW_WORK);
    if (turn) await turn;
  }
  return { documents: { ...made, ...rowsByNode(made.node) }, renumbered };
}

/**
 * The kept rows ordered by chunk number, as chunk number × ROWS + row; rows are numbered across all sources.
 */
async function rowsByDoc(
  sources: readonly SealSource[],
  isKept: (doc: number) => boolean,
  turns: YieldBudget,
): Promise<Float64Array> {
  const keys = new Float64Array(sources.reduce((sum, { documents }) => sum + documents.rows, 0));
  if (keys.length >= ROWS) throw new RangeError(`${keys.length} rows for one segment`);
  let kept = 0;
  let first = 0;
  for (const { documents } of sources) {
    const { doc, node, rows } = documents;
    for (let row = 0; row < rows; row++) {
      const number = doc[row]!;
      if (node[row] !== -1 && isKept(number)) keys[kept++] = number * ROWS + first + row;
      const turn = turns.spend(1);
      if (turn) await turn;
    }
    first += rows;
  }
  return keys.subarray(0, kept).sort();
}

/** Linked list of rows per node, last row first, as in a mutable segment. */
function rowsByNode(node: Int32Array): Pick<SealedRowColumns, "next" | "nodes" | "first"> {
  const keys = new Float64Array(node.length);
  for (let row = 0; row < node.length; row++) keys[row] = (node[row]! + 1) * ROWS + row;
  keys.sort();
  const next = new Int32Array(node.length).fill(-1);
  const nodes = new Int32Array(node.length);
  const first = new Int32Array(node.length);
  let count = 0;
  let previous = -1;
  for (const key of keys) {
    const row = key % ROWS;
    const at = (key - row) / ROWS - 1;
    if (count > 0 && nodes[count - 1] === at) next[row] = previous;
    else nodes[count++] = at;
    first[count - 1] = row;
    previous = row;
  }
  return { next, nodes: nodes.slice(0, count), first: first.slice(0, count) };
}

/** Makes two passes over all lists: one to count the postings of each term, one to write them. */
async function sealTerms(sources: readonly RenumberedSource[], turns: YieldBudget): Promise<TermColumns> {
  const { names, counts, numbered } = await countTerms(sources, turns);
  const starts = new Uint32Array(counts.length + 1);
  let end = 0;
  for (const [term, count] of counts.entries()) {
    starts[term] = end;
    end += count;
  }
  starts[counts.length] = end;
  const rows = new Uint32Array(end);
  const weights = new Uint16Array(rows.length);
  const places = starts.slice();
  for (const { lists, renumbering, numbers } of numbered) {
    for (const [term, number] of numbers.entries()) {
      if (number < 0) continue;
      const from = lists.rowsOf(term);
      const fromWeights = lists.weightsOf(term);
      let place = places[number]!;
      for (let at = 0; at < from.length; at++) {
        const row = renumbering[from[at]!]!;
        if (row < 0) continue;
        rows[place] = row;
        weights[place++] = fromWeights[at]!;
      }
      places[number] = place;
      const turn = turns.spend(TERM_WORK + from.length);
      if (turn) await turn;
    }
  }
  return { ...(await sealNames(names, turns)), starts, rows, weights };
}

/** New term number by the source's own; -1 if no posting is kept. */
interface NumberedSource extends RenumberedSource {
  readonly numbers: Int32Array;
}

interface TermCounts {
  readonly names: Iterable<string>;
  /** Number of postings by new term number. */
  readonly counts: Uint32Array;
  readonly numbered: readonly NumberedSource[];
}

async function countTerms(sources: readonly RenumberedSource[], turns: YieldBudget): Promise<TermCounts> {
  const known = new Map<string, number>();
  const counts = new Uint32Array(sources.reduce((sum, { lists }) => sum + lists.size, 0));
  const numbered = sources.map((source) => ({
    ...source,
    numbers: new Int32Array(source.lists.size).fill(-1),
  }));
  for (const { lists, renumbering, numbers } of numbered) {
    let term = 0;
    for (const name of lists.names()) {
      let kept = 0;
      for (const row of lists.rowsOf(term)) if (renumbering[row] !== -1) kept++;
      if (kept > 0) {
        const number = known.get(name) ?? known.size;
        known.set(name, number);
        counts[number]! += kept;
        numbers[term] = number;
      }
      term++;
      const turn = turns.spend(TERM_WORK + kept);
      if (turn) await turn;
    }
  }
  return { names: known.keys(), counts: counts.subarray(0, known.size), numbered };
}

async function sealNames(
  names: Iterable<string>,
  turns: YieldBudget,
): Promise<Pick<TermColumns, "offsets" | "text" | "slots">> {
  const parts: Buffer[] = [];
  const offsets = [0];
  let end = 0;
  for (const name of names) {
    const bytes = Buffer.from(name);
    parts.push(bytes);
    end += bytes.length;
    offsets.push(end);
    const turn = turns.spend(TERM_WORK);
    if (turn) await turn;
  }
  const text = new Uint8Array(Buffer.concat(parts));
  const columns = { offsets: Uint32Array.from(offsets), text };
  const { slots, place } = hashTable(columns.offsets, text);
  for (let term = 0; term < parts.length; term++) {
    place(term);
    const turn = turns.spend(TERM_WORK);
    if (turn) await turn;
  }
  return { ...columns, slots };
}

async function sealVectors(
  sources: readonly RenumberedSource[],
  space: string,
  turns: YieldBudget,
): Promise<VectorColumns> {
  const matrices = sources.flatMap(({ vectors, renumbering }) => {
    const matrix = vectors.get(space);
    return matrix ? [{ matrix, renumbering }] : [];
  });
  const most = matrices.reduce((sum, { matrix }) => sum + matrix.size, 0);
  const dimensions = matrices[0]?.matrix.dimensions ?? 0;
  const rows = new Uint32Array(most);
  const scales = new Float32Array(most);
  const values = new Int8Array(most * dimensions);
  let count = 0;
  for (const { matrix, renumbering } of matrices) {
    for (const [old, row] of renumbering.entries()) {
      const vector = row < 0 ? undefined : matrix.get(old);
      if (vector !== undefined) {
        rows[count] = row;
        scales[count] = vector.scale;
        values.set(vector.values, count++ * dimensions);
      }
      const turn = turns.spend(VECTOR_WORK);
      if (turn) await turn;
    }
  }
  return {
    rows: rows.subarray(0, count),
    scales: scales.subarray(0, count),
    values: values.subarray(0, count * dimensions),
  };
}
