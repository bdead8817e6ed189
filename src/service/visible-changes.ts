import type { ChangePlace, TreeChange, TreeChangeKind } from "../domain/change.ts";
import { AGENTS, type NodeId, RESOURCES, SESSIONS, USERS } from "../domain/node.ts";
import type { TakenOut } from "../workspace/changes/records.ts";
import { ENTRIES } from "../workspace/records.ts";
import type { Tenant } from "./tenants.ts";

/** Filter of a reader. */
export interface ChangeFilter {
  /** Path of the watched node; undefined: everything. */
  readonly path: string | undefined;
  /** Undefined: all. */
  readonly kinds: ReadonlySet<TreeChangeKind> | undefined;
}

/** What a caller may see of the changes, as it is now. */
export interface VisibleSpaces {
  /** Directories of owners of which the caller sees something, and RESOURCES for what is shared by all. */
  readonly some: ReadonlySet<NodeId>;
  /** Whether the caller may see that a node was at a place. */
  sees(place: ChangePlace, node: NodeId): boolean;
}

export function visibleSpaces(tenant: Tenant): VisibleSpaces {
  const { access } = tenant.owner;
  const own = ownSpaces(tenant);
  const foreign = new Set(access?.foreignSpaces().map(({ node }) => node));
  // also by grants on what is removed, which limit no search
  const isLimited = tenant.workspace.sharing.isUsed;
  return {
    some: new Set([RESOURCES, ...own, ...foreign]),
    sees: ({ path, space }, node) => {
      if (space !== undefined && !own.has(space) && !foreign.has(space)) return false;
      return !isLimited || seesAt(access, path, node);
    },
  };
}

const seesAt = (access: Tenant["owner"]["access"], path: string, node: NodeId): boolean =>
  access?.seesPast(path.split("/"), node) ?? true;

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

/** Whether something that the caller could see there was taken out of the log. */
export const isGapFor = ({ some }: VisibleSpaces, change: TreeChange | TakenOut | null): boolean =>
  change !== null && "takenOut" in change && some.has(change.takenOut);

/**
 * The change as the caller sees it: one end of a move alone is an addition or a removal. Undefined where the
 * caller sees nothing of it, or did not ask for it.
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

/** Whether a path is the other one, or below it. */
const isWithin = (path: string, other: string): boolean => path === other || path.startsWith(`${other}/`);
