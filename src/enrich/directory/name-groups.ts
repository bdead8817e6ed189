/** A group of names with a common beginning. */
export interface NameGroup {
  /** Glob that matches the names: `ticket-*`. */
  readonly pattern: string;
  readonly members: readonly string[];
  readonly first: string;
  readonly last: string;
}

const MAX_GROUPS = 8;
const MIN_MEMBERS = 3;
/** Maximum number of parts of a name that are compared. */
const MAX_PARTS = 4;
/** A part of a name: other characters, then digits, then separators, each optional. */
const PART = /[^-_. \d]*\d*[-_. ]*/y;
/** Characters that are special in a glob. */
const SPECIAL = /[*?[\]{}\\!]/;

/**
 * The largest groups of names with common leading parts, at most eight, largest first; uses as many parts as
 * still give few, large groups. A name may be in several groups or in none. In steps of a name.
 */
export function* groupSteps(names: readonly string[]): Generator<undefined, NameGroup[]> {
  let found: NameGroup[] = [];
  let covered = 0;
  for (let parts = 1; parts <= MAX_PARTS; parts++) {
    const groups = yield* groupsBy(names, parts);
    const members = groups.reduce((sum, group) => sum + group.members.length, 0);
    // using more parts would only split existing groups
    if (groups.length === 0 || groups.length > MAX_GROUPS || members < covered) break;
    found = groups;
    covered = members;
  }
  return found;
}

function* groupsBy(names: readonly string[], parts: number): Generator<undefined, NameGroup[]> {
  const members = new Map<string, string[]>();
  for (const name of names) {
    yield;
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

/** The first parts of a name without a trailing number; dates consist only of numbers. */
function beginning(name: string, parts: number): string {
  let end = 0;
  for (let part = 0; part < parts && end < name.length; part++) {
    PART.lastIndex = end;
    end += PART.exec(name)?.[0].length ?? 0;
  }
  const start = name.slice(0, end);
  return NUMBERS.test(start) ? start : start.replace(/\d+[-_. ]*$/, "");
}
