import { nameWords, normalised, shorten } from "../shorten.ts";
import { type Frequencies, frequenciesOf, keyPhrases } from "./key-phrases.ts";
import { themesOf } from "./themes.ts";
import { isAside, type Topic, unwrapped } from "./topics.ts";

const MAX_LINE_LENGTH = 120;
const MAX_ENTRY_LENGTH = 200;
/** Minimum number of characters per entry; with less room, only names are shown. */
const MIN_ENTRY_LENGTH = 32;
const MIN_ROOM = 45;
const MAX_NAME_LENGTH = 45;
/** Minimum number of characters after a description for key phrases of the content. */
const MIN_BELOW_LENGTH = 20;
/** Number of characters for indentation, bullet and line break. */
const LINE_MARKS = 5;
const BRACKETS = 3;

/**
 * Indented lines about the entries of a directory, for the overview of its parent: each entry if there is
 * room (in characters), otherwise the names in its directories and the themes of its files.
 */
export function nestedLines(whole: readonly Topic[], room: number): string[] {
  const { topics, path } = unwrapped(whole);
  if (room < MIN_ROOM || topics.every(isAside)) return [];
  const width = Math.floor(room / topics.length);
  if (width >= MIN_ENTRY_LENGTH) {
    const counts = frequenciesOf(topics.map(({ said }) => said));
    return topics.map((topic) => entryLine(topic, path, Math.min(width, MAX_ENTRY_LENGTH), counts));
  }
  const directories = topics.filter(({ isDirectory }) => isDirectory);
  const files = topics.filter(({ isDirectory }) => !isDirectory);
  const names = directories.map(namesBelow);
  const weights = names.map(({ length }) => Math.sqrt(1 + length));
  const share = room / weights.reduce((sum, weight) => sum + weight, Math.sqrt(files.length));
  return [
    ...directories.map(({ name }, i) => {
      const label = `  - ${path}${shorten(name, MAX_NAME_LENGTH)}/`;
      const listed = joined(names[i] ?? [], Math.floor(share * (weights[i] ?? 0)) - label.length - 3);
      return listed === "" ? label : `${label}: ${listed}`;
    }),
    ...fileLines(files, Math.floor(share * Math.sqrt(files.length))),
  ];
}

const TOPIC_LENGTH = 20;
const WEIGHT_UNIT = 60;
const WEIGHT_EXPONENT = 0.75;

/** Relative amount of room for the entries of a directory; 0 if there is nothing to show. */
export function weightOf(whole: readonly Topic[]): number {
  const { topics } = unwrapped(whole);
  if (topics.every(isAside)) return 0;
  const length = topics.reduce(
    (sum, { said, below }) =>
      sum + TOPIC_LENGTH + said.length + below.reduce((all, line) => all + line.length, 0),
    0,
  );
  return (length / WEIGHT_UNIT) ** WEIGHT_EXPONENT;
}

/** The names of a directory's content, up to a length. */
export function namesWithin(whole: readonly Topic[], room: number): string {
  const told = unwrapped(whole).topics.filter((topic) => !isAside(topic));
  return joined(
    told.flatMap((topic) =>
      topic.below.length > 0 && topic.isDirectory ? namesBelow(topic) : wordsOf(topic),
    ),
    room,
  );
}

const wordsOf = ({ name, isDirectory }: Topic): string => nameWords(name, isDirectory);

/** The names in the lines about a directory. */
function namesBelow({ said, below }: Topic): string[] {
  const names = below.flatMap((line) => {
    const [, name = "", rest] = /^(.+?)(?:: (.*))?$/.exec(line) ?? [];
    if (name.includes(", ") || name.startsWith("about ")) return (rest ?? name).split(", ");
    return nameWords(name, name.endsWith("/")).replace(/\/$/, "");
  });
  return names.length > 0 ? names : withoutCounts(said).split(", ");
}

function fileLines(files: readonly Topic[], room: number): string[] {
  const lines: string[] = [];
  const covered = new Set<string>();
  let left = room;
  for (const { words, members } of themesOf(files)) {
    const names = joined(
      members.map((name) => nameWords(name, false)),
      MAX_LINE_LENGTH,
    );
    const line = `  - about ${words.join(", ")}: ${names}`;
    if (line.length + 1 > left) break;
    left -= line.length + 1;
    lines.push(line);
    for (const name of members) covered.add(name);
  }
  const rest = files.filter(({ name }) => !covered.has(name)).map(wordsOf);
  const listed = joined(rest, Math.min(left - LINE_MARKS, MAX_ENTRY_LENGTH));
  return listed === "" ? lines : [...lines, `  - ${listed}`];
}

/** The first names that fit. */
function joined(names: readonly string[], room: number): string {
  let listed = "";
  for (const name of names) {
    if (listed.length + name.length + 2 > room) break;
    listed += `${listed === "" ? "" : ", "}${name}`;
  }
  return listed;
}

function entryLine(topic: Topic, path: string, width: number, counts: Frequencies): string {
  const { name, isDirectory, below } = topic;
  const label = `  - ${path}${shorten(name, MAX_NAME_LENGTH)}${isDirectory ? "/" : ""}`;
  const said = withoutName(isDirectory ? withoutCounts(topic.said) : topic.said, name, isDirectory);
  const left = width - label.length - 2;
  if (said.length > left) {
    const phrases = keyPhrases(said, name, left, counts);
    return phrases === "" ? label : `${label}: ${phrases}`;
  }
  const free = left - said.length - BRACKETS;
  const more = free < MIN_BELOW_LENGTH ? "" : keyPhrases(below.join(", "), `${name} ${said}`, free, counts);
  const told = said === "" || more === "" ? `${said}${more}` : `${said} (${more})`;
  return told === "" ? label : `${label}: ${told}`;
}

/** Matches the number of entries in a directory's description, which is less informative than its content. */
const COUNTS = /^(?:[^:]{1,40}: ){0,6}[\d,]+ [a-z ]+(?:(?:, | and )\d+ [a-z ]+)*(?:: | about )/;

/** The description of a directory without the number of its entries. */
export const withoutCounts = (said: string): string => said.replace(COUNTS, "");

/** An abstract without a title at its start that repeats the name. */
export function withoutName(said: string, name: string, isDirectory: boolean): string {
  const [, title, rest = ""] = /^([^:]{1,80}): (.+)$/.exec(said) ?? [];
  if (title === undefined) return said;
  const plain = normalised(title);
  return plain === normalised(name) || plain === normalised(nameWords(name, isDirectory)) ? rest : said;
}
