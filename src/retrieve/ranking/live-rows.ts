import type { RowColumns, SegmentTables } from "../../index/searchable.ts";
import type { ScoredRows } from "../../index/segments/score-buffer.ts";
import { PEAK_ROWS } from "../../index/vectors/scan.ts";
import type { SearchView } from "../view.ts";

/** The rows of a segment that are live in a scope. */
export interface LiveRows {
  /** Mask by row: 1 = live. */
  readonly mask: Uint8Array;
  /** The live rows as runs by node. */
  readonly runs: Runs;
  /** Live rows that are layers (levels 0 and 1). */
  readonly layers: readonly number[];
  readonly count: number;
  /** Sum of their lengths. */
  readonly length: number;
}

/** Keyword and vector scores of a segment's chunks, indexed by row. */
export interface SegmentEvidence {
  readonly segment: SegmentTables;
  readonly documents: RowColumns;
  readonly live: LiveRows;
  /** Length norms of the rows, as in ScoreBuffer. */
  readonly norms: Float32Array;
  /** 0 for a chunk that is not live. */
  readonly bm25: Float32Array;
  /** The greatest `bm25` of each PEAK_ROWS rows, once all terms are added. */
  peaks: Float32Array;
  /**
   * Cosine in the best space in which the chunk has a vector; NaN if it has none, which means unknown and
   * differs from 0. Undefined for a chunk that is not live.
   */
  readonly cosine: Float32Array;
  /**
   * Computes the cosine of rows that were not scanned, if only the nearest ones were; NaN in `cosine` then
   * has no meaning.
   */
  scoreRow?: ((row: number) => number) | undefined;
  /** Rows with a cosine. If only the nearest were scored, the rows with the best cosines are among them. */
  readonly scored: ScoredRows;
}

/**
 * Calls `take` with each row whose `bm25` is above the floor, in ascending order. `take` returns the new
 * floor. Skips blocks of PEAK_ROWS rows whose peak is not above the floor.
 */
export function eachAbove(
  { bm25, peaks }: Pick<SegmentEvidence, "bm25" | "peaks">,
  floor: number,
  take: (row: number) => number,
): void {
  let least = floor;
  for (let peak = 0; peak < peaks.length; peak++) {
    if ((peaks[peak] ?? 0) <= least) continue;
    const end = Math.min(bm25.length, (peak + 1) * PEAK_ROWS);
    for (let row = peak * PEAK_ROWS; row < end; row++) if ((bm25[row] ?? 0) > least) least = take(row);
  }
}

type ScopedNodes = Pick<SearchView, "nodes" | "scope">;

interface Known {
  readonly sequence: number;
  readonly revision: number;
  readonly rows: LiveRows;
}

/** Cached by scope, then by table; dropped when a new scope or table replaces them. */
const known = new WeakMap<Uint8Array, WeakMap<RowColumns, Known>>();

/** Live rows; valid for all searches in a scope until the tree or the table changes. Cached, so read-only. */
export function liveRows(view: ScopedNodes, documents: RowColumns): LiveRows {
  const { nodes, scope } = view;
  const ofScope = known.get(scope) ?? new WeakMap<RowColumns, Known>();
  known.set(scope, ofScope);
  const before = ofScope.get(documents);
  if (before !== undefined && before.sequence === nodes.sequence && before.revision === documents.revision)
    return before.rows;
  const rows = count(view, documents);
  ofScope.set(documents, { sequence: nodes.sequence, revision: documents.revision, rows });
  return rows;
}

/** Number of the given rows that are live. */
export function countLive({ mask, count }: LiveRows, rows: Uint32Array): number {
  if (count === mask.length) return rows.length;
  let live = 0;
  for (const row of rows) live += mask[row]!;
  return live;
}

function count(
  { nodes, scope }: ScopedNodes,
  { rows, node, generation, level, length: lengths }: RowColumns,
): LiveRows {
  const { size, generation: present } = nodes;
  const mask = new Uint8Array(rows);
  const layers: number[] = [];
  let live = 0;
  let length = 0;
  for (let row = 0; row < rows; row++) {
    const at = node[row]!;
    if (at < 0 || at >= size || scope[at] !== 1 || present[at] !== generation[row]) continue;
    mask[row] = 1;
    live++;
    length += lengths[row]!;
    if (level[row] !== 2) layers.push(row);
  }
  return { mask, runs: new Runs(node, mask, live), layers, count: live, length };
}

/**
 * Offsets of a run's fields in `Runs.numbers`: node, first row, row after the last, and start of the node's
 * next run (-1: none).
 */
export const NODE = 0;
export const FROM = 1;
export const END = 2;
export const NEXT = 3;
/** Numbers per run. */
export const RUN = 4;

/**
 * Live rows in order, as runs of one node each. There are few runs, because rows of a node that were added
 * together are adjacent.
 */
export class Runs {
  readonly numbers: Int32Array;
  /** Start of a node's first run + 1, by node from `#least` on. */
  readonly #first: Int32Array;
  readonly #least: number;

  /** `rows`: number of rows whose `mask` is 1; other rows belong to no run. */
  constructor(nodes: Int32Array, mask: Uint8Array, rows: number) {
    const numbers = new Int32Array(RUN * rows);
    let end = 0;
    let [least, most] = [Number.POSITIVE_INFINITY, -1];
    for (let row = 0; row < mask.length; row++) {
      if (mask[row] !== 1) continue;
      const node = nodes[row]!;
      if (end === 0 || numbers[end - RUN + END] !== row || numbers[end - RUN + NODE] !== node) {
        numbers[end + NODE] = node;
        numbers[end + FROM] = row;
        end += RUN;
        if (node < least) least = node;
        if (node > most) most = node;
      }
      numbers[end - RUN + END] = row + 1;
    }
    this.numbers = numbers.slice(0, end);
    this.#least = least;
    this.#first = new Int32Array(Math.max(0, most - least + 1));
    for (let run = end - RUN; run >= 0; run -= RUN) {
      const place = this.numbers[run + NODE]! - least;
      this.numbers[run + NEXT] = this.#first[place]! - 1;
      this.#first[place] = run + 1;
    }
  }

  /** Start of a node's first run in `numbers`; -1 if it has none. */
  of(node: number): number {
    return (this.#first[node - this.#least] ?? 0) - 1;
  }
}
