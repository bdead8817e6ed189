import { EventLoopYielder } from "../../base/event-loop.ts";
import { includes } from "../../domain/access.ts";
import { invalidArgument } from "../../domain/errors.ts";
import { NO_NODE, type NodeId, RESOURCES, SKILLS } from "../../domain/node.ts";
import { type ContextType, contextTypeOf, isVisible } from "../../domain/scope.ts";
import type { Path } from "../../domain/uri.ts";
import { locate, SHARED } from "../../workspace/tree/locate.ts";
import type { MaskLimits } from "../../workspace/tree/node-table.ts";
import type { Tenant } from "../tenants.ts";

/** A node whose subtree is in scope, with its context type. */
export interface ScopeRoot {
  readonly node: NodeId;
  readonly type: ContextType;
}

export interface SearchScope {
  readonly roots: readonly ScopeRoot[];
  /** Directories named as targets, where exploration starts; empty: everything. */
  readonly targets: readonly NodeId[];
  /** Nodes below the roots that grants exclude; undefined: none. */
  readonly limits: MaskLimits | undefined;
  /** Owners whose partitions are searched: the account, the caller, and users who share with the caller. */
  readonly owners: readonly string[];
}

/** Maximum number of target URIs per search. */
const MAX_TARGETS = 1000;

/**
 * The scope of a search: the targets, by default everything visible to the caller. Targets that are missing
 * or belong to another user match nothing. Throws INVALID_ARGUMENT {field target_uri} for more than
 * MAX_TARGETS targets.
 */
export async function searchScope(tenant: Tenant, targets: readonly string[]): Promise<SearchScope> {
  const { uris, incarnation } = tenant.workspace;
  if (targets.length > MAX_TARGETS)
    throw invalidArgument("target_uri", `must have at most ${MAX_TARGETS} URIs`);
  const named = targets.filter((target) => target !== "");
  // one root per node, because a target may be named a thousand times
  const found = new Map<NodeId, ScopeRoot>();
  const yielder = new EventLoopYielder(incarnation);
  for (const target of named) {
    const path = uris.parse(target);
    const roots = path.length === 0 ? defaultRoots(tenant) : rootsAt(tenant, path);
    for (const root of isVisible(tenant.owner, path) ? roots : []) found.set(root.node, root);
    await yielder.yieldIfDue();
  }
  const { limits, owners } = sharedWith(tenant);
  if (named.length === 0) return { roots: defaultRoots(tenant), targets: [], limits, owners };
  return { roots: [...found.values()], targets: [...found.keys()], limits, owners };
}

const ALL_SKILLS: ScopeRoot = { node: SKILLS, type: "skill" };

function defaultRoots(tenant: Tenant): ScopeRoot[] {
  const { owner } = tenant;
  const own = [...rootsAt(tenant, ["user", owner.user]), ...rootsAt(tenant, ["agent", owner.agent])];
  return [{ node: RESOURCES, type: "resource" }, ALL_SKILLS, ...own, ...foreignRoots(tenant)];
}

const foreignRoots = ({ owner }: Tenant): ScopeRoot[] =>
  (owner.access?.foreignSpaces() ?? []).map(({ node }) => ({ node, type: "memory" }));

/** Effect of grants on the scope; none if no grant applies to the caller. */
function sharedWith({ workspace, owner }: Tenant): Pick<SearchScope, "limits" | "owners"> {
  const own = [SHARED, owner.user];
  const boundary = owner.access?.searchLimits();
  if (!boundary) return { limits: undefined, owners: own };
  const { kv, keys } = workspace;
  const spaces = [["user", owner.user], ["agent"]].map(
    (path) => locate(kv, keys, owner, path)?.node ?? NO_NODE,
  );
  const at = (isRead: boolean) =>
    [...boundary.levels].filter(([, level]) => includes(level, "read") === isRead).map(([node]) => node);
  const isDenied = (scope: NodeId) => at(false).includes(scope);
  const limits = {
    readable: [...[RESOURCES, SKILLS, ...spaces].filter((scope) => !isDenied(scope)), ...at(true)],
    unreadable: at(false),
    single: [...boundary.withheld],
  };
  const foreign = owner.access?.foreignSpaces().map(({ name }) => name) ?? [];
  return { limits, owners: [...own, ...foreign] };
}

function rootsAt({ workspace, owner }: Tenant, path: Path): ScopeRoot[] {
  const [scope, name] = path;
  if (scope === "session") return [];
  if (scope === "user" && name === undefined)
    return [...rootsAt({ workspace, owner }, ["user", owner.user]), ...foreignRoots({ workspace, owner })];
  const node = locate(workspace.kv, workspace.keys, owner, path)?.node;
  const found = node === undefined || node === 0 ? [] : [{ node, type: contextTypeOf(path) }];
  return scope === "agent" && name === undefined ? [...found, ALL_SKILLS] : found;
}
