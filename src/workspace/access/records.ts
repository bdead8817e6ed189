import { EFFECTS, GRANT_LEVELS, type GrantRule } from "../../domain/access.ts";
import { type UserIncarnation, userIncarnation } from "../../domain/ids.ts";
import type { Author } from "../../domain/node.ts";
import { isMissingOr, isNumber, isText, objects } from "../../storage/record-codec.ts";

/** A stored grant; the key contains node and grantee. */
export interface GrantRecord extends Omit<GrantRule, "to"> {
  /** Incarnation of the user, if the grantee is a user. */
  readonly incarnation?: UserIncarnation;
  /** Unix time in ms. */
  readonly createdAt: number;
  readonly by?: Author | undefined;
}

export const GRANTS = objects<GrantRecord>(
  "grant",
  ({ effect, level, incarnation, createdAt, by }) =>
    EFFECTS.some((known) => known === effect) &&
    GRANT_LEVELS.some((known) => known === level) &&
    isMissingOr(incarnation, isNumber) &&
    isNumber(createdAt) &&
    isMissingOr(by, (author) => isText(author) || isNumber(author)),
);

/** A group of users of the account. */
export interface GroupRecord {
  /** User incarnation of each member, by name. */
  readonly members: Readonly<Record<string, UserIncarnation>>;
  /** Unix time in ms. */
  readonly createdAt: number;
}

export const GROUPS = objects<GroupRecord>(
  "group",
  ({ members, createdAt }) =>
    typeof members === "object" &&
    members !== null &&
    Object.values(members).every(isNumber) &&
    isNumber(createdAt),
);

/** A grant with its grantee. */
export interface Grant extends GrantRule {
  readonly createdAt: number;
  readonly by?: Author | undefined;
}

const NONE = userIncarnation(0);

const LETTERS = { everyone: "e", agent: "a", group: "g", user: "u" } as const;

/** End of a grant's key: `e`, or `a`, `g` or `u` followed by the name of an agent, a group or a user. */
export const granteeKey = (to: GrantRule["to"]): string =>
  to.kind === "everyone" ? LETTERS.everyone : `${LETTERS[to.kind]}${to.name}`;

export function grantOf(grantee: string, { incarnation = NONE, ...record }: GrantRecord): Grant {
  const name = grantee.slice(1);
  if (grantee === LETTERS.everyone) return { ...record, to: { kind: "everyone" } };
  for (const kind of ["agent", "group"] as const)
    if (grantee.startsWith(LETTERS[kind])) return { ...record, to: { kind, name } };
  return { ...record, to: { kind: "user", name, incarnation } };
}

export function recordOf({ to, effect, level, createdAt, by }: Grant): GrantRecord {
  return {
    effect,
    level,
    createdAt,
    ...(to.kind === "user" && { incarnation: to.incarnation }),
    ...(by !== undefined && { by }),
  };
}
