import type { NodeId, NodeKind } from "./node.ts";

/** Kinds of changes of a node. */
export const TREE_CHANGES = ["added", "changed", "moved", "removed", "described", "tagged"] as const;
export type TreeChangeKind = (typeof TREE_CHANGES)[number];

export const isTreeChange = (value: unknown): value is TreeChangeKind =>
  TREE_CHANGES.some((known) => known === value);

/** Where a node was when it changed. */
export interface ChangePlace {
  /** The segments of its URI, joined by `/`. */
  readonly path: string;
  /**
   * The owner's directory in which it is: a later user of the same name has another one. Missing if shared.
   */
  readonly space?: NodeId;
}

/** A change of one node; what is below a directory changes with it. */
export interface TreeChange {
  readonly kind: TreeChangeKind;
  readonly node: NodeId;
  readonly type: NodeKind;
  /** The place after the change; of a removed node, its last place. */
  readonly at: ChangePlace;
  /** Where a moved node was before. */
  readonly from?: ChangePlace;
  /** Added and changed files only. */
  readonly size?: number;
  readonly hash?: string;
  readonly version?: number;
}
