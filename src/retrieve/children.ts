import type { NodeColumns } from "./view.ts";

interface Lists {
  readonly sequence: number;
  /** By node, the first of its children and the next child of its parent, in the order of their numbers; -1 at the end. */
  readonly first: Int32Array;
  readonly next: Int32Array;
}

/** One pass over the parents serves all searches until the tree changes. */
const known = new WeakMap<Int32Array, Lists>();

/** The children of a directory in the order of their numbers. */
export function* childrenOf(nodes: NodeColumns, directory: number): Generator<number> {
  const { first, next } = lists(nodes);
  for (let child = first[directory] ?? -1; child >= 0; child = next[child]!) yield child;
}

function lists(nodes: NodeColumns): Lists {
  const { parent, sequence, size } = nodes;
  const before = known.get(parent);
  if (before !== undefined && before.sequence === sequence) return before;
  const first = new Int32Array(size).fill(-1);
  const next = new Int32Array(size).fill(-1);
  for (let node = size - 1; node >= 0; node--) {
    const container = parent[node]!;
    if (container < 0 || container >= size) continue;
    next[node] = first[container]!;
    first[container] = node;
  }
  const made = { sequence, first, next };
  known.set(parent, made);
  return made;
}
