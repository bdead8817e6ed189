import { invalidArgument } from "../../domain/errors.ts";
import { type NodeId, RESOURCES, SKILLS } from "../../domain/node.ts";
import { type ContextType, contextTypeOf, isVisible } from "../../domain/scope.ts";
import type { Path } from "../../domain/uri.ts";
import { locate } from "../../workspace/tree/locate.ts";
import type { ServiceCall } from "../call.ts";
import type { Tenant } from "../tenants.ts";

/** A node whose subtree is in scope, and the context type there. */
export interface ScopeRoot {
  readonly node: NodeId;
  readonly type: ContextType;
}

/** Targets of a search. */
export interface SearchScope {
  readonly roots: readonly ScopeRoot[];
  /** Directories named by the target, where exploration begins; empty = everything. */
  readonly targets: readonly NodeId[];
}

/** Limit of URIs in one search. */
const MAX_TARGETS = 1000;

/**
 * The scope of a search: the targets, by default everything the caller may see. Missing and foreign targets
 * are empty. INVALID_ARGUMENT {field target_uri} for more than MAX_TARGETS targets.
 */
export function searchScope(tenant: Tenant, call: ServiceCall, targets: readonly string[]): SearchScope {
  const { uris } = tenant.workspace;
  if (targets.length > MAX_TARGETS)
    throw invalidArgument("target_uri", `must have at most ${MAX_TARGETS} URIs`);
  const paths = targets.filter((target) => target !== "").map((target) => uris.parse(target));
  if (paths.length === 0) return { roots: defaultRoots(tenant), targets: [] };
  const visible = paths.filter((path) => isVisible(call.caller, path));
  const roots = visible.flatMap((path) => (path.length === 0 ? defaultRoots(tenant) : rootsAt(tenant, path)));
  return { roots, targets: roots.map(({ node }) => node) };
}

const ALL_SKILLS: ScopeRoot = { node: SKILLS, type: "skill" };

function defaultRoots(tenant: Tenant): ScopeRoot[] {
  const { owner } = tenant;
  const own = [...rootsAt(tenant, ["user", owner.user]), ...rootsAt(tenant, ["agent", owner.agent])];
  return [{ node: RESOURCES, type: "resource" }, ALL_SKILLS, ...own];
}

function rootsAt({ workspace, owner }: Tenant, path: Path): ScopeRoot[] {
  const [scope, name] = path;
  if (scope === "session") return [];
  if (scope === "user" && name === undefined) return rootsAt({ workspace, owner }, ["user", owner.user]);
  const node = locate(workspace.kv, workspace.keys, owner, path)?.node;
  const found = node === undefined || node === 0 ? [] : [{ node, type: contextTypeOf(path) }];
  return scope === "agent" && name === undefined ? [...found, ALL_SKILLS] : found;
}
