import type { NodeColumns } from "../view.ts";

/** The children of directories, in node order. */
export interface ChildLists {
  readonly sequence: number;
  /** First child by directory, and next sibling by node; -1 at the end. */
  readonly first: Int32Array;
  readonly next: Int32Array;
}

/** The directory of an existing node; -1 for the root. */
export const parentOf = ({ parent }: Pick<NodeColumns, "parent">, node: number): number => parent[node]!;

/** Valid for all searches until the tree changes; built in one pass over the parents. */
const known = new WeakMap<Int32Array, ChildLists>();

export function childLists(nodes: NodeColumns): ChildLists {
  const { parent, sequence, size } = nodes;
  const before = known.get(parent);
  if (before !== undefined && before.sequence === sequence) return before;
  const first = new Int32Array(size).fill(-1);
  const next = new Int32Array(size).fill(-1);
  for (let node = size - 1; node >= 0; node--) {
    const container = parentOf(nodes, node);
    if (container < 0 || container >= size) continue;
    next[node] = first[container] ?? -1;
    first[container] = node;
  }
  const made = { sequence, first, next };
  known.set(parent, made);
  return made;
}
