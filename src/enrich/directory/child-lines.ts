import { trimmed } from "../lead-sentence.ts";
import { shorten } from "../shorten.ts";
import { groupsOf } from "./name-groups.ts";
import { nestedLines, withoutCounts } from "./nested-lines.ts";

export interface LayerChild {
  readonly name: string;
  readonly isDirectory: boolean;
  /** Its L0; "" if it has none. */
  readonly abstract: string;
  /** The L1 of a directory, where its own entries are to be shown. */
  readonly overview?: string | undefined;
}

/** The content of a directory, as its overview lists it. */
export interface Children {
  /** The first ones, with their abstracts. */
  readonly shown: readonly LayerChild[];
  /** Names of those after them. */
  readonly more: readonly string[];
  /** Number of all, which may be larger than the sum of both. */
  readonly count: number;
}

const MAX_LINE_LENGTH = 240;
const MIN_LINE_LENGTH = 60;
/** Least length of an abstract next to a long name. */
const MIN_SAID_LENGTH = 30;
/** Children that the width of a line is made for, however many there are. */
const MAX_WIDTH_CHILDREN = 200;
/** Characters of the lines about children without a line of their own, and their share of a small room. */
const MAX_REST_LENGTH = 600;
const MAX_REST_SHARE = 0.25;

/**
 * A line for each child with its abstract while there is room (in characters), then the others by their
 * names. Where all have a line, the rest of the room shows what the directories among them hold.
 */
export function childLines({ shown, more, count }: Children, room: number): string[] {
  const rest = Math.min(MAX_REST_LENGTH, Math.floor(room * MAX_REST_SHARE));
  let left = room - rest;
  const listed = Math.max(1, Math.min(shown.length, MAX_WIDTH_CHILDREN));
  const width = Math.max(MIN_LINE_LENGTH, Math.min(MAX_LINE_LENGTH, Math.floor(left / listed)));
  const lines: string[] = [];
  for (const child of shown) {
    const line = lineOf(child, width);
    left -= line.length + 1;
    if (left < 0) break;
    lines.push(line);
  }
  const unlisted = [...shown.slice(lines.length).map(({ name }) => name), ...more];
  return count > lines.length
    ? lines.concat(restLines(unlisted, count - lines.length, rest))
    : withNested(lines, shown, left + rest);
}

/** Characters of the overviews of all directories that are read: their words are stemmed on the main thread. */
const MAX_NESTED_READ = 48_000;

function withNested(lines: readonly string[], shown: readonly LayerChild[], room: number): string[] {
  let waiting = shown.filter(({ overview }) => overview !== undefined).length;
  const read = Math.floor(MAX_NESTED_READ / Math.max(1, waiting));
  let left = room;
  return lines.flatMap((line, i) => {
    const overview = shown[i]?.overview;
    if (overview === undefined) return line;
    const nested = nestedLines(shorten(overview, read), Math.floor(left / waiting--));
    for (const { length } of nested) left -= length + 1;
    return [line, ...nested];
  });
}

/** A child and its abstract, shortened if the line would be too long. */
function lineOf({ name, isDirectory, abstract }: LayerChild, width: number): string {
  const label = `- ${shorten(name, 120)}${isDirectory ? "/" : ""}`;
  const said = oneLine(abstract);
  const plain = said.startsWith(`${name}: `) ? said.slice(name.length + 2) : said;
  if (plain === "") return label;
  if (label.length + plain.length + 2 <= width) return `${label}: ${plain}`;
  const telling = isDirectory ? withoutCounts(plain) : plain;
  const brief = trimmed(telling, Math.max(6, Math.floor((width - label.length) / 7)));
  if (label.length + brief.length + 2 <= width * 1.25) return `${label}: ${brief}`;
  return `${label}: ${shorten(telling, Math.max(MIN_SAID_LENGTH, width - label.length - 2))}`;
}

/** Children without a line of their own: groups of names that begin alike, then single names. */
function restLines(names: readonly string[], count: number, room: number): string[] {
  const lines: string[] = [];
  const grouped = new Set<string>();
  let left = room;
  for (const { pattern, members, first, last } of groupsOf(names)) {
    const line = `- \`${pattern}\`: ${members.length.toLocaleString("en-US")} more, ${first} to ${last}`;
    left -= line.length + 1;
    if (left < 0) break;
    lines.push(line);
    for (const name of members) grouped.add(name);
  }
  if (count > grouped.size)
    lines.push(
      restLine(
        names.filter((name) => !grouped.has(name)),
        count - grouped.size,
        left,
      ),
    );
  return lines;
}

/** Space of the words around the names. */
const REST_WORDS_LENGTH = 60;

function restLine(names: readonly string[], count: number, room: number): string {
  const named: string[] = [];
  let left = room - REST_WORDS_LENGTH;
  for (const name of names) {
    left -= name.length + 2;
    if (left < 0) break;
    named.push(name);
  }
  const unnamed = count - named.length;
  const others = unnamed > 0 ? ` and ${unnamed.toLocaleString("en-US")} others` : "";
  const shown = named.length === 0 ? "" : `: ${named.join(", ")}${others}`;
  return `- and ${count.toLocaleString("en-US")} more${shown}`;
}

export const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();
