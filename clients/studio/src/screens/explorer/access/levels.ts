import type { Grant } from "../../../api/access.ts";
import { segmentsOf, visible } from "../../../text/uri.ts";

/** Explains each level of access from the view of its holder. */
export const LEVEL_TEXTS: Readonly<Record<string, string>> = {
  none: "no access",
  pass: "sees the name alone, on the way to something shared",
  read: "can read",
  write: "can read and change",
  admin: "can read, change and share",
};

/** A rule that can be chosen: an effect with a level. */
export interface Rule {
  readonly effect: string;
  readonly level: string;
  readonly title: string;
}

/** Every rule, from the most to the least access. */
export const RULES: readonly Rule[] = [
  { effect: "allow", level: "admin", title: "Can read, change and share" },
  { effect: "allow", level: "write", title: "Can read and change" },
  { effect: "allow", level: "read", title: "Can read" },
  { effect: "deny", level: "admin", title: "Cannot share" },
  { effect: "deny", level: "write", title: "Cannot change or share" },
  { effect: "deny", level: "read", title: "No access" },
];

export const ruleKey = ({ effect, level }: Pick<Grant, "effect" | "level">): string => `${effect} ${level}`;

export const ruleTitle = (grant: Pick<Grant, "effect" | "level">): string =>
  RULES.find((rule) => ruleKey(rule) === ruleKey(grant))?.title ?? ruleKey(grant);

/** Kinds of grantees by the names of the API. */
export const GRANTEE_TITLES: Readonly<Record<string, string>> = {
  user: "User",
  group: "Group",
  agent: "Agent",
  everyone: "Everyone",
};

/** Formats a grantee: "group writers". */
export const granteeText = ({ granteeType, granteeId }: Pick<Grant, "granteeType" | "granteeId">): string =>
  granteeType === "everyone" ? "everyone" : `${granteeType} ${visible(granteeId)}`;

/** Whether a node can have grants: its URI must mean the same node for every user. */
export function isShareable(uri: string): boolean {
  const [scope, name] = segmentsOf(uri);
  if (scope === "resources") return true;
  return (scope === "agent" && name === "skills") || (scope === "user" && name !== undefined);
}
