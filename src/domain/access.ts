import type { Role } from "./caller.ts";
import type { UserIncarnation } from "./ids.ts";
import type { Path } from "./uri.ts";

/**
 * A caller's access to a node, least first; each level includes the lower ones. `pass`: a folder that is
 * visible only because something below it is readable.
 */
export const LEVELS = ["none", "pass", "read", "write", "admin"] as const;
export type AccessLevel = (typeof LEVELS)[number];

/** Access levels that a grant gives or denies. */
export const GRANT_LEVELS = ["read", "write", "admin"] as const;
export type GrantLevel = (typeof GRANT_LEVELS)[number];

export const EFFECTS = ["allow", "deny"] as const;
export type GrantEffect = (typeof EFFECTS)[number];

/** In the order in which the rules of one node apply. */
export const GRANTEE_KINDS = ["everyone", "agent", "group", "user"] as const;

/**
 * Who a grant applies to. A user means one registration of a name; a later user of that name is a different
 * one. An agent is identified only by the name in the request.
 */
export type Grantee =
  | { readonly kind: "everyone" }
  | { readonly kind: "agent" | "group"; readonly name: string }
  | { readonly kind: "user"; readonly name: string; readonly incarnation: UserIncarnation };

/** A grant rule on a node: `allow` gives a level, `deny` removes it and the higher ones. */
export interface GrantRule {
  readonly to: Grantee;
  readonly effect: GrantEffect;
  readonly level: GrantLevel;
}

/** The caller, as far as grants depend on it. */
export interface Principal {
  readonly user: string;
  /** Absent if the user name is not registered; only grants to everyone or to the agent can then apply. */
  readonly userIncarnation?: UserIncarnation | undefined;
  readonly agent: string;
  readonly role: Role;
  /** Whether agent spaces belong to the account (CTXDB_AGENT_SCOPE). */
  readonly sharesAgents: boolean;
}

const rank = (level: AccessLevel): number => LEVELS.indexOf(level);

/** Whether `level` includes `wanted`. */
export const includes = (level: AccessLevel, wanted: AccessLevel): boolean => rank(level) >= rank(wanted);

export const higher = (a: AccessLevel, b: AccessLevel): AccessLevel => (includes(a, b) ? a : b);
export const lower = (a: AccessLevel, b: AccessLevel): AccessLevel => (includes(a, b) ? b : a);

/** The level that remains after a level is denied. */
const BELOW = { read: "none", write: "read", admin: "write" } as const satisfies Record<
  GrantLevel,
  AccessLevel
>;

/**
 * Access to a path without any grants. `isFixed`: grants have no effect, so that owners and administrators of
 * shared scopes cannot be locked out, and sessions stay private.
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

/** Whether a grant applies to a principal with these groups. */
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
 * The rules of one node in order of application, later ones overriding earlier ones: everyone, the agent,
 * groups, the user; for each, first `allow`, then `deny`.
 */
export function inOrder<T extends GrantRule>(rules: readonly T[]): T[] {
  const place = ({ to, effect }: GrantRule) =>
    2 * GRANTEE_KINDS.indexOf(to.kind) + (effect === "deny" ? 1 : 0);
  return [...rules].sort((a, b) => place(a) - place(b));
}

/** The access level after applying one rule. */
export const afterRule = (level: AccessLevel, { effect, level: named }: GrantRule): AccessLevel =>
  effect === "allow" ? higher(level, named) : lower(level, BELOW[named]);

/**
 * Applies the rules of a node that concern the caller to the level inherited from above; rules closer to a
 * node override those farther up.
 */
export const afterNode = (above: AccessLevel, rules: readonly GrantRule[]): AccessLevel =>
  inOrder(rules).reduce(afterRule, above);
