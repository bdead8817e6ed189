import type { AccessLevel } from "../../domain/access.ts";
import type { NodeId } from "../../domain/node.ts";
import type { PathAccess } from "../../domain/scope.ts";
import type { Path } from "../../domain/uri.ts";
import type { Grant } from "./records.ts";

/** Where the levels of one caller change in the tree, by the grants that concern the caller. */
export interface Boundary {
  /** Levels at the nodes with such grants. */
  readonly levels: ReadonlyMap<NodeId, AccessLevel>;
  /** Folders that the caller may not read, on the way to something readable. */
  readonly passed: ReadonlySet<NodeId>;
  /** Folders with something unreadable below: their layers would tell of it. */
  readonly withheld: ReadonlySet<NodeId>;
  /** Spaces of other users of which the caller sees something. */
  readonly spaces: readonly NodeId[];
}

/** One rule on the way to a level. */
export interface AccessStep {
  readonly path: Path;
  readonly source: "owner" | "role" | "scope" | "grant";
  readonly grant?: Grant;
  readonly level: AccessLevel;
}

/** A node with the one whose grants apply to it. */
export interface RuledNode {
  readonly node: NodeId;
  readonly ruled: NodeId;
  readonly path: Path;
}

/** What grants decide for one user (viewer-access.ts). */
export interface OwnerAccess extends PathAccess {
  /** Refuses to hand over a node with everything below it where the user may not read all of it. */
  checkWhole(path: Path, uri: string, node: NodeId): void;
  /** Whether the abstract and overview of a node may be shown: they tell of everything below it. */
  showsLayers(node: NodeId): boolean;
  /** Folders of which the user sees only that they are there: neither tags nor metadata. */
  readonly passed: ReadonlySet<NodeId>;
  /** The user's level at a node that was at a path, and may be removed since. */
  levelPast(path: Path, node: NodeId): AccessLevel;
  /** The lowest of these levels at a node and at all that is below it. */
  leastPast(path: Path, node: NodeId): AccessLevel;
  /** Whether the user may read of a node that was at a path, and may be removed since. */
  seesPast(path: Path, node: NodeId): boolean;
  /** Whether a child of a folder is listed; undefined if all are. `source`: the file it is derived from. */
  childFilter(folder: Path, node: NodeId): ((child: NodeId, source?: NodeId) => boolean) | undefined;
  /** Names and nodes of other users' spaces of which the user sees something. */
  foreignSpaces(): { readonly name: string; readonly node: NodeId }[];
  /** Where searches may look inside of their targets; undefined if grants change nothing. */
  searchLimits(): Boundary | undefined;
  /** The grants on a node that concern the user. */
  grantsTo(node: NodeId): readonly Grant[];
  /** The nodes of a path that exist, from the scope down. */
  nodesAlong(path: Path): readonly RuledNode[];
  /** The rules that lead to the level at a path, in their order. */
  explain(path: Path): { readonly level: AccessLevel; readonly steps: readonly AccessStep[] };
}
