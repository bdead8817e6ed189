import type { ChangePlace, TreeChange, TreeChangeKind } from "../domain/change.ts";
import { AGENTS, type NodeId, RESOURCES, SESSIONS, USERS } from "../domain/node.ts";
import type { TakenOut } from "../workspace/changes/records.ts";
import { ENTRIES } from "../workspace/records.ts";
import type { Tenant } from "./tenants.ts";

export interface ChangeFilter {
  /** Path of the watched node; undefined: everything. */
  readonly path: string | undefined;
  /** Undefined: all kinds. */
  readonly kinds: ReadonlySet<TreeChangeKind> | undefined;
}

/** Spaces and locations in which the caller can currently see changes. */
export interface VisibleSpaces {
  /**
   * Owner directories in which the caller can see something, and RESOURCES for content shared with everyone.
   */
  readonly some: ReadonlySet<NodeId>;
  /** Whether the caller may learn that a node was at a location. */
  sees(place: ChangePlace, node: NodeId): boolean;
}

export function visibleSpaces(tenant: Tenant): VisibleSpaces {
  const { access } = tenant.owner;
  const own = ownSpaces(tenant);
  const foreign = new Set(access?.foreignSpaces().map(({ node }) => node));
  return {
    some: new Set([RESOURCES, ...own, ...foreign]),
    sees: ({ path, space, folders }, node) => {
      if (space !== undefined && !own.has(space) && !foreign.has(space)) return false;
      // current grants count, also those on removed nodes and on folders that were moved since
      return access?.seesPast({ path: path.split("/"), node, folders, lacksFolders: !folders }) ?? true;
    },
  };
}

/** The caller's own directories. */
function ownSpaces({ workspace, owner }: Tenant): ReadonlySet<NodeId> {
  const { kv, keys } = workspace;
  const spaces = new Set<NodeId>();
  for (const [scope, name] of [
    [USERS, owner.user],
    [SESSIONS, owner.user],
    [AGENTS, owner.agentsOf],
  ] as const) {
    const entry = ENTRIES.readShared(kv, keys.entry(scope, name));
    if (entry) spaces.add(entry.node);
  }
  return spaces;
}

/** Whether a visible change was removed from the log. */
export const isGapFor = ({ some }: VisibleSpaces, change: TreeChange | TakenOut | null): boolean =>
  change !== null && "takenOut" in change && some.has(change.takenOut);

/**
 * The change as visible to the caller: if only one end of a move is visible, it is an addition or a removal.
 * Undefined if nothing is visible, or the filter excludes the change.
 */
export function visibleChange(
  change: TreeChange | TakenOut | null,
  spaces: VisibleSpaces,
  { path, kinds }: ChangeFilter,
): TreeChange | undefined {
  if (change === null || "takenOut" in change) return undefined;
  const reachesDown = change.kind !== "changed" && change.kind !== "described";
  const isShown = (place: ChangePlace) =>
    spaces.sees(place, change.node) &&
    (path === undefined || isWithin(place.path, path) || (reachesDown && isWithin(path, place.path)));
  const { from, ...one } = change;
  const seen = from ? seenMove(one, from, isShown) : isShown(change.at) ? change : undefined;
  return seen && (kinds === undefined || kinds.has(seen.kind)) ? seen : undefined;
}

function seenMove(
  change: Omit<TreeChange, "from">,
  from: ChangePlace,
  isShown: (place: ChangePlace) => boolean,
): TreeChange | undefined {
  if (isShown(change.at)) return isShown(from) ? { ...change, from } : { ...change, kind: "added" };
  return isShown(from) ? { ...change, kind: "removed", at: from } : undefined;
}

/** Whether a path equals the other, or is below it. */
const isWithin = (path: string, other: string): boolean => path === other || path.startsWith(`${other}/`);
