import type { AccessLevel } from "../../domain/access.ts";
import type { NodeId } from "../../domain/node.ts";
import type { PathAccess } from "../../domain/scope.ts";
import type { Path } from "../../domain/uri.ts";
import type { Grant } from "./records.ts";

/** Where the access level of a caller changes in the tree, because of grants that apply to the caller. */
export interface Boundary {
  /** Access levels of the nodes with such grants. */
  readonly levels: ReadonlyMap<NodeId, AccessLevel>;
  /** Folders that are visible only because something below them is readable. */
  readonly passed: ReadonlySet<NodeId>;
  /** Unreadable nodes and their ancestors, whose layers would reveal unreadable content. */
  readonly withheld: ReadonlySet<NodeId>;
  /** Spaces of other users in which the caller can see something. */
  readonly spaces: readonly NodeId[];
}

/** One rule that contributes to an access level. */
export interface AccessStep {
  readonly path: Path;
  readonly source: "owner" | "role" | "scope" | "grant";
  readonly grant?: Grant;
  readonly level: AccessLevel;
}

/** A node, and the node whose grants apply to it. */
export interface RuledNode {
  readonly node: NodeId;
  readonly ruled: NodeId;
  readonly path: Path;
}

/** A path at which a node was, and perhaps still is. */
export interface FormerPlace {
  readonly path: Path;
  readonly node: NodeId;
  /** Folders that contained it, from the top down; undefined if the caller found it without a record. */
  readonly folders?: readonly NodeId[] | undefined;
  /** Whether the record is from an earlier version of the server, which did not store the folders. */
  readonly lacksFolders?: boolean;
  /** Whether one of these folders denied reading when it was purged. */
  readonly isGuarded?: boolean | undefined;
}

/** Access of one user as decided by grants (viewer-access.ts). */
export interface OwnerAccess extends PathAccess {
  /** Refuses to copy or export a node if the user cannot read everything below it. */
  checkWhole(path: Path, uri: string, node: NodeId): void;
  /** Whether any node at or below a node, visible or not, has a lower level than `than`. */
  holdsLess(node: NodeId, than: AccessLevel): boolean;
  /** Whether a node's abstract and overview may be shown; they reveal everything below it. */
  showsLayers(node: NodeId): boolean;
  /** Folders of which only the names are visible, without tags and metadata. */
  readonly passed: ReadonlySet<NodeId>;
  /** Access level of a node at a former path; the node and its folders may have been removed since. */
  levelPast(place: FormerPlace): AccessLevel;
  /** Lowest access level of a node at a former path and of everything below it. */
  leastPast(place: FormerPlace): AccessLevel;
  /** Whether the user may learn about a node at a former path. */
  seesPast(place: FormerPlace): boolean;
  /**
   * A filter for the listed children of a folder; undefined if all are listed. `source`: the file from which
   * the child is derived.
   */
  childFilter(folder: Path, node: NodeId): ((child: NodeId, source?: NodeId) => boolean) | undefined;
  /** Whether the user may read a stored node that was found at a path some time ago; false if it is removed. */
  stillReads(path: Path, node: NodeId): boolean;
  /** Name and node of other users' spaces in which the user can see something. */
  foreignSpaces(): { readonly name: string; readonly node: NodeId }[];
  /** What searches may see of their targets; undefined if grants have no effect. */
  searchLimits(): Boundary | undefined;
  /** The grants on a node that apply to the user. */
  grantsTo(node: NodeId): readonly Grant[];
  /** The existing nodes of a path, from the scope down. */
  nodesAlong(path: Path): readonly RuledNode[];
  /** The rules that lead to the access level of a path, in order. */
  explain(path: Path): { readonly level: AccessLevel; readonly steps: readonly AccessStep[] };
}
