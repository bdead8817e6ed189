import type { NodeId, NodeKind } from "./node.ts";

/** Kinds of node changes. */
export const TREE_CHANGES = ["added", "changed", "moved", "removed", "described", "tagged"] as const;
export type TreeChangeKind = (typeof TREE_CHANGES)[number];

export const isTreeChange = (value: unknown): value is TreeChangeKind =>
  TREE_CHANGES.some((known) => known === value);

/** Location of a node when it changed. */
export interface ChangePlace {
  /** Segments of the URI, joined with `/`. */
  readonly path: string;
  /**
   * Directory of the owner that contains the node; it distinguishes users with the same name. Absent if
   * shared.
   */
  readonly space?: NodeId;
  /** Folders that contained the node, from the top down: their rules apply wherever they are now. */
  readonly folders?: readonly NodeId[];
}

/** A change of a node; everything below a directory changes with it. */
export interface TreeChange {
  readonly kind: TreeChangeKind;
  readonly node: NodeId;
  readonly type: NodeKind;
  /** Location after the change; for a removed node, its last location. */
  readonly at: ChangePlace;
  /** Previous location of a moved node. */
  readonly from?: ChangePlace;
  /** Only for added and changed files. */
  readonly size?: number;
  readonly hash?: string;
  readonly version?: number;
}
