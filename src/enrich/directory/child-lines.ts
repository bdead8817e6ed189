import { trimmed } from "../lead-sentence.ts";
import { shorten } from "../shorten.ts";
import { groupsOf } from "./name-groups.ts";

export interface LayerChild {
  readonly name: string;
  readonly isDirectory: boolean;
  /** Its L0; "" if it has none. */
  readonly abstract: string;
}

/** What a directory holds, as its overview lists it. */
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
/** Children that the width of a line is made for, however many there are. */
const MAX_WIDTH_CHILDREN = 200;
/** Characters of the lines about children without a line of their own, and their share of a small room. */
const MAX_REST_LENGTH = 600;
const MAX_REST_SHARE = 0.25;

/**
 * A line for each child with its abstract while there is room (in characters), then the others by their
 * names.
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
  return count > lines.length ? lines.concat(restLines(unlisted, count - lines.length, rest)) : lines;
}

/** A child and its abstract, shortened or dropped if the line would be too long. */
function lineOf({ name, isDirectory, abstract }: LayerChild, width: number): string {
  const label = `- ${shorten(name, 120)}${isDirectory ? "/" : ""}`;
  const said = oneLine(abstract);
  const plain = said.startsWith(`${name}: `) ? said.slice(name.length + 2) : said;
  if (plain === "") return label;
  if (label.length + plain.length + 2 <= width) return `${label}: ${plain}`;
  const brief = trimmed(plain, Math.max(6, Math.floor((width - label.length) / 7)));
  return label.length + brief.length + 2 <= width * 1.25 ? `${label}: ${brief}` : label;
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
