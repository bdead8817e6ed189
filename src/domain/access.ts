import type { Role } from "./caller.ts";
import type { UserIncarnation } from "./ids.ts";
import type { Path } from "./uri.ts";

/**
 * What a caller may do at a place, least first; each level includes those below it. `pass`: a folder on the
 * way to something readable, of which the caller sees nothing else.
 */
export const LEVELS = ["none", "pass", "read", "write", "admin"] as const;
export type AccessLevel = (typeof LEVELS)[number];

/** The levels that a grant can give or take. */
export const GRANT_LEVELS = ["read", "write", "admin"] as const;
export type GrantLevel = (typeof GRANT_LEVELS)[number];

export const EFFECTS = ["allow", "deny"] as const;
export type GrantEffect = (typeof EFFECTS)[number];

/** In the order in which their rules apply on one node. */
export const GRANTEE_KINDS = ["everyone", "agent", "group", "user"] as const;

/**
 * Whom a grant concerns. A user is one registration of a name: a later user of that name is another one. An
 * agent is what a request says it is.
 */
export type Grantee =
  | { readonly kind: "everyone" }
  | { readonly kind: "agent" | "group"; readonly name: string }
  | { readonly kind: "user"; readonly name: string; readonly incarnation: UserIncarnation };

/** One entry of a node: `allow` gives a level, `deny` takes it and those above. */
export interface GrantRule {
  readonly to: Grantee;
  readonly effect: GrantEffect;
  readonly level: GrantLevel;
}

/** Who asks, as grants see it. */
export interface Principal {
  readonly user: string;
  /** Missing if the name is not registered: then only grants to everyone concern it. */
  readonly userIncarnation?: UserIncarnation | undefined;
  readonly agent: string;
  readonly role: Role;
  /** Whether the agents' spaces belong to the account (CTXDB_AGENT_SCOPE). */
  readonly sharesAgents: boolean;
}

const rank = (level: AccessLevel): number => LEVELS.indexOf(level);

/** Whether `level` includes `wanted`. */
export const includes = (level: AccessLevel, wanted: AccessLevel): boolean => rank(level) >= rank(wanted);

export const higher = (a: AccessLevel, b: AccessLevel): AccessLevel => (includes(a, b) ? a : b);
export const lower = (a: AccessLevel, b: AccessLevel): AccessLevel => (includes(a, b) ? b : a);

/** The highest level without the denied one. */
const BELOW = { read: "none", write: "read", admin: "write" } as const satisfies Record<
  GrantLevel,
  AccessLevel
>;

/**
 * The level at a path without any grant. `isFixed`: grants do not change it, so that owners and the
 * administrators of shared scopes cannot be locked out, and sessions stay private.
 */
export function levelByScope(
  { user, role, sharesAgents }: Pick<Principal, "user" | "role" | "sharesAgents">,
  path: Path,
): { readonly level: AccessLevel; readonly isFixed: boolean } {
  const [scope, name] = path;
  if (scope !== "resources" && name === undefined) return { level: "read", isFixed: true };
  if (scope === "user" || scope === "session") {
    if (name === user) return { level: "admin", isFixed: true };
    return { level: "none", isFixed: scope === "session" };
  }
  const isShared = scope === "resources" || name === "skills" || sharesAgents;
  if (!isShared || role !== "user") return { level: "admin", isFixed: true };
  return { level: "write", isFixed: false };
}

/** Whether a grant concerns a principal, who is in these groups. */
export function concerns(
  to: Grantee,
  { user, userIncarnation, agent }: Pick<Principal, "user" | "userIncarnation" | "agent">,
  groups: ReadonlySet<string>,
): boolean {
  if (to.kind === "everyone") return true;
  if (to.kind === "agent") return to.name === agent;
  if (to.kind === "group") return groups.has(to.name);
  return to.kind === "user" && to.name === user && to.incarnation === userIncarnation;
}

/**
 * The rules of one node in the order in which they apply, later ones over earlier ones: everyone, the
 * agent, groups, the user; of each first what is allowed, then what is denied.
 */
export function inOrder<T extends GrantRule>(rules: readonly T[]): T[] {
  const place = ({ to, effect }: GrantRule) =>
    2 * GRANTEE_KINDS.indexOf(to.kind) + (effect === "deny" ? 1 : 0);
  return [...rules].sort((a, b) => place(a) - place(b));
}

/** The level after one rule. */
export const afterRule = (level: AccessLevel, { effect, level: named }: GrantRule): AccessLevel =>
  effect === "allow" ? higher(level, named) : lower(level, BELOW[named]);

/**
 * The level below a node with rules that concern the caller, from the level above it: what is nearest to a
 * node decides over what is farther up.
 */
export const afterNode = (above: AccessLevel, rules: readonly GrantRule[]): AccessLevel =>
  inOrder(rules).reduce(afterRule, above);
