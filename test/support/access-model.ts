import fc from "fast-check";

/** Names used by the access matrix: an account with an administrator `boss` and three users. */
export const USERS = ["ann", "bob", "eve"] as const;
export const FOLDERS = [
  "ctx://resources/a",
  "ctx://resources/a/b",
  "ctx://resources/a/b/c",
  "ctx://user/ann/x",
  "ctx://user/ann/x/y",
] as const;
export const GROUPS = ["one", "two"] as const;
export const AGENT = "robot";
const GRANTEES = [
  "everyone",
  `agent:${AGENT}`,
  ...GROUPS.map((group) => `group:${group}`),
  ...USERS.map((user) => `user:${user}`),
];
export const RANK = { none: 0, read: 1, write: 2, admin: 3 } as const;
const LEVELS = ["read", "write", "admin"] as const;

/** A grant as written in a test. */
export interface Given {
  readonly folder: string;
  readonly to: string;
  readonly level: (typeof LEVELS)[number];
  readonly isDeny: boolean;
}

/** Groups by name, and all grants. */
export interface AccessCase {
  readonly members: Readonly<Record<string, readonly string[]>>;
  readonly grants: readonly Given[];
}

/** The user who asks, and the agent they use. */
export interface Asker {
  readonly user: string;
  readonly agent: string;
}

export const accessCases: fc.Arbitrary<AccessCase> = fc.record({
  members: fc.record(Object.fromEntries(GROUPS.map((group) => [group, fc.subarray([...USERS])]))),
  grants: fc.uniqueArray(
    fc.record({
      folder: fc.constantFrom(...FOLDERS),
      to: fc.constantFrom(...GRANTEES),
      level: fc.constantFrom(...LEVELS),
      isDeny: fc.boolean(),
    }),
    { maxLength: 6, selector: ({ folder, to }) => `${folder} ${to}` },
  ),
});

const isBelow = (uri: string, folder: string): boolean => `${uri}/`.startsWith(`${folder}/`);

/** The reference model: finds the access level at a folder by walking up from it. */
export function levelOf({ members, grants }: AccessCase, { user, agent }: Asker, uri: string): number {
  if (uri.startsWith(`ctx://user/${user}/`)) return RANK.admin;
  const isConcerned = (to: string): boolean => {
    const [kind = "", name = ""] = to.split(":");
    if (kind === "group") return members[name]?.includes(user) ?? false;
    return to === "everyone" || name === (kind === "user" ? user : agent);
  };
  // the nearest folder wins; users come before groups, agents and everyone; deny comes before allow
  const kinds = ["user", "group", "agent", "everyone"];
  const place = (to: string) => kinds.indexOf(to.split(":")[0] ?? "");
  const nearest = grants
    .filter(({ folder, to }) => isConcerned(to) && isBelow(uri, folder))
    .sort(
      (a, b) =>
        b.folder.length - a.folder.length || place(a.to) - place(b.to) || Number(b.isDeny) - Number(a.isDeny),
    );
  const from = (at: number): number => {
    const rule = nearest[at];
    if (!rule) return uri.startsWith("ctx://resources") ? RANK.write : RANK.none;
    const above = from(at + 1);
    return rule.isDeny ? Math.min(above, RANK[rule.level] - 1) : Math.max(above, RANK[rule.level]);
  };
  return from(0);
}

/** Whether a folder is listed: it is readable, or an ancestor of a readable folder. */
export const isShown = (given: AccessCase, asker: Asker, uri: string): boolean =>
  FOLDERS.some((folder) => isBelow(folder, uri) && levelOf(given, asker, folder) >= RANK.read);

/** Returns the folders whose content an asker may read. */
export const readableFolders = (given: AccessCase, asker: Asker): string[] =>
  FOLDERS.filter((folder) => levelOf(given, asker, folder) >= RANK.read);

/** Returns the request fields that name a grantee. */
export function granteeFields(to: string): { granteeType: string; granteeId: string } {
  const [granteeType = "", granteeId = ""] = to.split(":");
  return { granteeType, granteeId };
}

/** Whether the asker may grant access to a folder. */
export const granterOf = (folder: string): "boss" | "ann" =>
  folder.startsWith("ctx://user/ann") ? "ann" : "boss";
