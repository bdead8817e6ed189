import { trimmed } from "../lead-sentence.ts";
import { nameWords, shorten } from "../shorten.ts";
import { themesOf } from "./themes.ts";

/** An entry that an overview lists. */
interface Topic {
  readonly name: string;
  readonly isDirectory: boolean;
  readonly said: string;
  /** Topics of its own entries, if it is a directory. */
  readonly below: string;
}

const LISTED = /^- (.+?)(\/)?(?:: (.*))?$/;
const NESTED = /^ {2}- (.*)$/;
const UNLISTED = /^- (?:and [\d,]+ more|`[^`]+`): ?(.*?)(?: and [\d,]+ others)?$/;

/** The entries that the overview of a directory lists. */
function topicsIn(overview: string): Topic[] {
  const topics: (Topic & { below: string })[] = [];
  for (const line of overview.split("\n")) {
    const nested = NESTED.exec(line)?.[1];
    const last = topics.at(-1);
    const rest = UNLISTED.exec(line)?.[1];
    const [, name, slash, said = ""] = LISTED.exec(line) ?? [];
    if (nested !== undefined && last !== undefined) last.below += ` ${nested}`;
    else if (rest !== undefined)
      topics.push(
        ...rest.split(", ").map((other) => ({ name: other, isDirectory: false, said: "", below: "" })),
      );
    else if (name !== undefined) topics.push({ name, isDirectory: slash !== undefined, said, below: "" });
  }
  return topics;
}

const MAX_LINE_LENGTH = 120;
const MAX_ENTRY_LENGTH = 200;
const MIN_ENTRY_LENGTH = 45;

/** Share of the room for the directories among the entries. */
const DIRECTORIES_SHARE = 0.6;

/**
 * Indented lines about the entries of a directory, for the overview of the directory that contains it: each
 * entry where there is room (in characters), else its directories one by one and the themes of its files.
 */
export function nestedLines(overview: string, room: number): string[] {
  const topics = room < MIN_ENTRY_LENGTH ? [] : topicsIn(overview);
  if (topics.length < 2) return [];
  const width = Math.floor(room / topics.length);
  if (width >= MIN_ENTRY_LENGTH)
    return topics.map((topic) => entryLine(topic, Math.min(width, MAX_ENTRY_LENGTH)));
  const lines: string[] = [];
  let left = room;
  const add = (line: string, least: number) => {
    if (left - line.length - 1 < least) return;
    left -= line.length + 1;
    lines.push(line);
  };
  const files = topics.filter(({ isDirectory }) => !isDirectory);
  for (const topic of topics)
    if (topic.isDirectory)
      add(entryLine(topic, MAX_LINE_LENGTH), files.length === 0 ? 0 : room * (1 - DIRECTORIES_SHARE));
  for (const { words, members } of themesOf(files))
    add(`  - ${words.join(", ")}: ${namesWithin(members, MAX_LINE_LENGTH)}`, 0);
  const names =
    lines.length > 0
      ? ""
      : namesWithin(
          topics.map(({ name }) => name),
          room,
        );
  return names === "" ? lines : [`  - ${names}`];
}

function entryLine({ name, isDirectory, said, below = "" }: Topic, width: number): string {
  const label = `  - ${shorten(name, MIN_ENTRY_LENGTH)}${isDirectory ? "/" : ""}`;
  const own = withoutCounts(said.replace(`${name}: `, ""));
  const plain = below === "" || label.length + own.length >= width ? own : `${own}${below}`;
  const brief = trimmed(plain, Math.max(6, Math.floor((width - label.length) / 7)));
  if (brief === "") return label;
  const room = Math.max(MIN_ENTRY_LENGTH / 2, width - label.length - 2);
  return `${label}: ${brief.length <= room * 1.25 ? brief : shorten(plain, room)}`;
}

/** The size of a directory, after the names of its ancestors: its content describes it better. */
const COUNTS = /^(?:[^:]{1,40}: ){0,6}[\d,]+ [a-z ]+(?:(?:, | and )\d+ [a-z ]+)*(?:: | about )/;

/** The description of a directory, without the number of its entries. */
export const withoutCounts = (said: string): string => said.replace(COUNTS, "");

function namesWithin(names: readonly string[], room: number): string {
  const words = names.map((name) => nameWords(name, false));
  let shown = 0;
  for (let left = room; shown < words.length; shown++) {
    left -= (words[shown]?.length ?? 0) + 2;
    if (left < 0) break;
  }
  if (shown === 0) return "";
  const more = words.length - shown;
  return `${words.slice(0, shown).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
