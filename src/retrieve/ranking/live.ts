import type { RowColumns } from "../../index/searchable.ts";
import type { SearchView } from "../view.ts";
import { Runs } from "./runs.ts";

/** The rows of a segment that count in a scope. */
export interface LiveRows {
  /** By row, 1 = counts. */
  readonly mask: Uint8Array;
  /** The same, by node. */
  readonly runs: Runs;
  /** Those of layers (levels 0 and 1) among them. */
  readonly layers: readonly number[];
  readonly count: number;
  /** Sum of their lengths. */
  readonly length: number;
}

type ScopedNodes = Pick<SearchView, "nodes" | "scope">;

interface Known {
  readonly sequence: number;
  readonly revision: number;
  readonly rows: LiveRows;
}

/** By scope, then by document table: dropped when a new scope or table replaces them. */
const known = new WeakMap<Uint8Array, WeakMap<RowColumns, Known>>();

/** Valid for all searches in a scope until the tree or the table changes. Read-only, since it is cached. */
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

/** Number of visible rows. */
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
