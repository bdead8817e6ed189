/** Names that begin alike. */
export interface NameGroup {
  /** A glob of the names: `ticket-*`. */
  readonly pattern: string;
  readonly members: readonly string[];
  readonly first: string;
  readonly last: string;
}

const MAX_GROUPS = 8;
const MIN_MEMBERS = 3;
/** Parts of a name that are looked at. */
const MAX_PARTS = 4;
/** A part ends after separators, and before the digits of a number. */
const PART = /[^-_. \d]*\d*[-_. ]*/y;
/** Characters that mean something else in a glob. */
const SPECIAL = /[*?[\]{}\\!]/;

/**
 * The largest groups of names that begin with the same parts, at most eight, the largest first: by as many
 * parts as still give few and large groups. Names may stand in several groups or in none.
 */
export function groupsOf(names: readonly string[]): NameGroup[] {
  let found: NameGroup[] = [];
  let covered = 0;
  for (let parts = 1; parts <= MAX_PARTS; parts++) {
    const groups = groupsBy(names, parts);
    const members = groups.reduce((sum, group) => sum + group.members.length, 0);
    // further parts only tell apart what was together
    if (groups.length === 0 || groups.length > MAX_GROUPS || members < covered) break;
    found = groups;
    covered = members;
  }
  return found;
}

function groupsBy(names: readonly string[], parts: number): NameGroup[] {
  const members = new Map<string, string[]>();
  for (const name of names) {
    const start = beginning(name, parts);
    if (start === "" || start === name || SPECIAL.test(start)) continue;
    const group = members.get(start);
    if (group === undefined) members.set(start, [name]);
    else group.push(name);
  }
  return [...members]
    .filter(([, group]) => group.length >= MIN_MEMBERS)
    .sort((a, b) => b[1].length - a[1].length)
    .map(([start, group]) => ({
      pattern: `${start}*`,
      members: group,
      first: group[0] ?? "",
      last: group.at(-1) ?? "",
    }));
}

const NUMBERS = /^[-_. \d]*$/;

/** The first parts of a name, without the number that the last of them ends in: dates are numbers alone. */
function beginning(name: string, parts: number): string {
  let end = 0;
  for (let part = 0; part < parts && end < name.length; part++) {
    PART.lastIndex = end;
    end += PART.exec(name)?.[0].length ?? 0;
  }
  const start = name.slice(0, end);
  return NUMBERS.test(start) ? start : start.replace(/\d+[-_. ]*$/, "");
}
