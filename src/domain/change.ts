import type { NodeId, NodeKind } from "./node.ts";

/** What happened to a node. */
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
  /** Of a removed node, where it was. */
  readonly at: ChangePlace;
  /** Where a moved node was before. */
  readonly from?: ChangePlace;
  /** Of a file that was added or changed. */
  readonly size?: number;
  readonly hash?: string;
  readonly version?: number;
}
