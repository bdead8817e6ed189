import { append } from "../../base/append.ts";

/** An entry listed in an overview. */
export interface Topic {
  readonly name: string;
  readonly isDirectory: boolean;
  readonly said: string;
  /** Lines indented below its own line. */
  readonly below: string[];
}

/** The first line of a group of entries: `- about sockets, streams (14):`. */
const GROUP = /^- about (.+) \([\d,]+\):$/;
/** Takes any character but a line feed: after one that `.` does not match, every colon would be tried. */
const LISTED = /^- ([^\n]+?)(\/)?(?:: ([^\n]*))?$/;
const NESTED = /^ {2}- (.*)$/;
const UNLISTED = /^- (?:and [\d,]+ more|`[^`]+`): ?(.*?)(?: and [\d,]+ others)?$/;

/** Formats the first line of a group. */
export const groupLine = (words: readonly string[], count: number): string =>
  `- about ${words.join(", ")} (${count.toLocaleString("en-US")}):`;

/** The groups in an overview, in order: their words, with the names of their entries. */
export function groupsIn(overview: string): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  let names: string[] | undefined;
  for (const line of overview.split("\n")) {
    const words = GROUP.exec(line)?.[1];
    const [, nested] = NESTED.exec(line) ?? [];
    if (words !== undefined) {
      names = groups.get(words) ?? [];
      groups.set(words, names);
    } else if (nested === undefined) names = undefined;
    else names?.push(/^(.+?)\/?(?:: .*)?$/.exec(nested)?.[1] ?? nested);
  }
  return groups;
}

/** The entries listed in a directory's overview. */
export function topicsIn(overview: string): Topic[] {
  const topics: Topic[] = [];
  let isGrouped = false;
  for (const line of overview.split("\n")) {
    const nested = NESTED.exec(line)?.[1];
    const rest = UNLISTED.exec(line)?.[1];
    if (nested !== undefined && !isGrouped) topics.at(-1)?.below.push(nested);
    else if (nested !== undefined) append(topics, listedIn(`- ${nested}`));
    else if (GROUP.test(line)) isGrouped = true;
    else {
      isGrouped = false;
      append(topics, rest === undefined ? listedIn(line) : rest.split(", ").map((name) => topic(name)));
    }
  }
  return topics;
}

const topic = (name: string, isDirectory = false, said = ""): Topic => ({
  name,
  isDirectory,
  said,
  below: [],
});

function listedIn(line: string): Topic[] {
  const [, name, slash, said] = LISTED.exec(line) ?? [];
  return name === undefined ? [] : [topic(name, slash !== undefined, said)];
}

const ASIDES =
  /^(?:readme|index|contributing|security|change(?:s|log)|history|licen[cs]e|code[-_]of[-_]conduct|governance|authors|copying|notice|maintainers)\b(?![-_ ]\p{L}{3})/iu;

/** Whether an entry is a file that nearly every project has. */
export const isAside = ({ name, isDirectory }: Pick<Topic, "name" | "isDirectory">): boolean =>
  !isDirectory && ASIDES.test(name);

/**
 * Entries that distinguish a directory. An entry that contains a single directory is replaced by that
 * directory's entries, with the `path` to them.
 */
export function unwrapped(topics: readonly Topic[], path = ""): { topics: readonly Topic[]; path: string } {
  const telling = topics.filter((one) => !isAside(one));
  const kept = telling.length > 0 ? telling : topics;
  const [only] = kept;
  if (kept.length !== 1 || only === undefined || only.below.length === 0 || !only.isDirectory)
    return { topics: kept, path };
  return unwrapped(
    only.below.flatMap((line) => listedIn(`- ${line}`)),
    `${path}${only.name}/`,
  );
}
