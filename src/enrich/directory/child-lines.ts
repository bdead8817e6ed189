import { append } from "../../base/append.ts";
import { trimmed } from "../lead-sentence.ts";
import { nameWords, shorten } from "../shorten.ts";
import { furtherLines } from "./further-lines.ts";
import { type Frequencies, frequencySteps, keyPhrases, sharedWords } from "./key-phrases.ts";
import { groupSteps } from "./name-groups.ts";
import { namesWithin, nestedLines, weightOf, withoutCounts, withoutName } from "./nested-lines.ts";
import { groupLine, type Topic, topicsIn } from "./topics.ts";

export interface LayerChild {
  readonly name: string;
  readonly isDirectory: boolean;
  /** Its abstract (L0); "" if it has none. */
  readonly abstract: string;
  /** Its overview (L1), if more than the abstract may be shown. */
  readonly overview?: string | undefined;
}

/** The content of a directory as listed in its overview. */
export interface Children {
  /** The first children, with their abstracts. */
  readonly shown: readonly LayerChild[];
  /** Names of the following children. */
  readonly more: readonly string[];
  /** Number of all children; may exceed the sum of both. */
  readonly count: number;
}

/** The shown children of a directory in groups of similar meaning. */
export type ChildGroups = readonly (readonly LayerChild[])[];

const MAX_LINE_LENGTH = 240;
const MIN_LINE_LENGTH = 60;
/** Minimum length of key phrases after a long name. */
const MIN_SAID_LENGTH = 12;
/** Number of children for which the line width is computed, even if there are more. */
const MAX_WIDTH_CHILDREN = 200;
/** Maximum characters for children without their own line, and their maximum share of a small budget. */
const MAX_REST_LENGTH = 600;
const MAX_REST_SHARE = 0.25;
/** Share of the budget for the children's own lines if some of them are directories. */
const OWN_SHARE = 0.6;

/**
 * Lists each child with its abstract until `room` characters are used, then the remaining children by name.
 * If every child fits, the remaining characters show what directories contain and more about files. With
 * `groups`, shows the children in these groups if most would be listed without their abstracts. In steps of a
 * few milliseconds, because names and words of hundreds of children are compared.
 */
export function* childLineSteps(
  children: Children,
  room: number,
  groups?: ChildGroups,
): Generator<undefined, string[]> {
  const { shown, more, count } = children;
  if (groups !== undefined && isWide(children, room)) return yield* groupedLines(shown, room, groups);
  const rest = Math.min(MAX_REST_LENGTH, Math.floor(room * MAX_REST_SHARE));
  let left = room - rest;
  const listed = Math.max(1, Math.min(shown.length, MAX_WIDTH_CHILDREN));
  const own = shown.some(isNested) ? left * OWN_SHARE : left;
  const width = Math.max(MIN_LINE_LENGTH, Math.min(MAX_LINE_LENGTH, Math.floor(own / listed)));
  const counts = yield* frequencySteps(shown.map(({ abstract }) => abstract));
  const lines: string[] = [];
  for (const child of shown) {
    yield;
    const line = lineOf(child, width, counts);
    left -= line.length + 1;
    if (left < 0) break;
    lines.push(line);
  }
  const unlisted = [...shown.slice(lines.length).map(({ name }) => name), ...more];
  return count > lines.length
    ? lines.concat(yield* restLines(unlisted, count - lines.length, rest))
    : yield* withMore(lines, shown, left + rest);
}

const isNested = ({ isDirectory, overview }: LayerChild): boolean => isDirectory && overview !== undefined;

/**
 * Maximum characters of all directory overviews that are read, because their words are stemmed on the main
 * thread.
 */
const MAX_NESTED_READ = 160_000;
/** Maximum characters about a file in addition to its abstract. */
const MAX_FURTHER_LENGTH = 240;
/** Files whose overviews contain values instead of sections and sentences. */
const IS_DATA = /\.(?:json|jsonl|ndjson|ya?ml|toml|ini|csv|tsv|xlsx?|ods|xml|eml|log)$/i;
/** Weight of a file relative to the weights of directories. */
const FILE_WEIGHT = 1;

/** Topics of the content of each child directory; empty for files. */
function* topicsOf(shown: readonly LayerChild[]): Generator<undefined, Topic[][]> {
  const read = Math.floor(MAX_NESTED_READ / Math.max(1, shown.filter(isNested).length));
  const topics: Topic[][] = [];
  for (const child of shown) {
    yield;
    topics.push(isNested(child) ? topicsIn(shorten(child.overview ?? "", read)) : []);
  }
  return topics;
}

function* withMore(
  lines: readonly string[],
  shown: readonly LayerChild[],
  room: number,
): Generator<undefined, string[]> {
  const topics = yield* topicsOf(shown);
  const weights = shown.map(({ name, isDirectory, overview = "" }, i) => {
    if (isDirectory) return weightOf(topics[i] ?? []);
    return overview === "" || IS_DATA.test(name) ? 0 : FILE_WEIGHT;
  });
  let waiting = weights.reduce((sum, weight) => sum + weight, 0);
  let left = room;
  const all: string[] = [];
  for (const [i, line] of lines.entries()) {
    yield;
    all.push(line);
    const weight = weights[i] ?? 0;
    if (weight === 0) continue;
    const share = Math.floor((left * weight) / waiting);
    const { isDirectory = false, overview = "", abstract = "" } = shown[i] ?? {};
    const below = isDirectory
      ? nestedLines(topics[i] ?? [], share)
      : furtherLines(overview, abstract, Math.min(MAX_FURTHER_LENGTH, share));
    waiting -= weight;
    for (const { length } of below) left -= length + 1;
    append(all, below);
  }
  return all;
}

const MIN_GROUPED = 40;
/** Children are grouped if their abstracts need this multiple of the available room. */
const WIDE = 1.5;

/** Whether a directory may be shown in groups for some budget. */
export const mayBeWide = ({ shown, count }: Omit<Children, "more">): boolean =>
  shown.length >= MIN_GROUPED && count <= shown.length;

/** Whether most children would be listed without their abstracts. */
function isWide({ shown, count }: Children, room: number): boolean {
  if (!mayBeWide({ shown, count })) return false;
  let needed = 0;
  for (const { name, abstract } of shown)
    needed += Math.min(MAX_LINE_LENGTH, name.length + abstract.length + LABEL_MARKS);
  return needed > room * WIDE;
}

/** Number of characters for bullet, slash, colon and line break. */
const LABEL_MARKS = 6;
const MIN_MEMBER_LENGTH = 24;
const MEMBER_INDENT = 3;
/** Weight of a directory in a group; a file has 1. */
const DIRECTORY_SHARE = 0.5;

function* groupedLines(
  shown: readonly LayerChild[],
  room: number,
  parts: ChildGroups,
): Generator<undefined, string[]> {
  const counts = yield* frequencySteps(shown.map(({ abstract }) => abstract));
  const topics = new Map((yield* topicsOf(shown)).map((of, i) => [shown[i]?.name ?? "", of]));
  const groups = yield* namedGroups(parts, counts);
  const weightOfChild = ({ name }: LayerChild): number =>
    Math.max(1, weightOf(topics.get(name) ?? []) * DIRECTORY_SHARE);
  const heads = groups.reduce((sum, { line }) => sum + line.length + 1, 0);
  const unit = (room - heads) / shown.reduce((sum, child) => sum + weightOfChild(child), 0);
  const lines: string[] = [];
  for (const { members, line } of groups) {
    lines.push(line);
    for (const child of members) {
      yield;
      const width = Math.min(MAX_LINE_LENGTH, Math.floor(unit * weightOfChild(child))) - MEMBER_INDENT;
      lines.push(
        `  ${memberLine(child, topics.get(child.name) ?? [], Math.max(MIN_MEMBER_LENGTH, width), counts)}`,
      );
    }
  }
  return lines;
}

/** Groups with their first lines; groups with the same words are merged. */
function* namedGroups(
  parts: ChildGroups,
  counts: Frequencies,
): Generator<undefined, { readonly members: readonly LayerChild[]; readonly line: string }[]> {
  const groups = new Map<string, { readonly words: readonly string[]; readonly members: LayerChild[] }>();
  for (const part of parts) {
    yield;
    const members = [...part];
    const words = wordsOfGroup(members, counts);
    const key = words.join(", ");
    const same = groups.get(key);
    if (same === undefined) groups.set(key, { words, members });
    else append(same.members, members);
  }
  return [...groups.values()].map(({ words, members }) => ({
    members,
    line: groupLine(words, members.length),
  }));
}

function wordsOfGroup(members: readonly LayerChild[], counts: Frequencies): readonly string[] {
  const texts = members.map(
    ({ name, isDirectory, abstract }) => `${nameWords(name, isDirectory)} ${abstract}`,
  );
  const words = sharedWords(texts, counts);
  return words.length > 0 ? words : members.slice(0, 2).map(({ name }) => name.replaceAll(":", " "));
}

/** A child with its abstract and, if there is room, the names of its content. */
function memberLine(child: LayerChild, topics: readonly Topic[], width: number, counts: Frequencies): string {
  const line = lineOf(child, width, counts);
  const below = namesWithin(topics, width - line.length - 2);
  return below === "" ? line : `${line}${line.includes(": ") ? "; " : ": "}${below}`;
}

/** A child with its abstract, or with the abstract's key phrases if the line would be too long. */
function lineOf({ name, isDirectory, abstract }: LayerChild, width: number, counts: Frequencies): string {
  const label = `- ${shorten(name, 120)}${isDirectory ? "/" : ""}`;
  const plain = withoutName(oneLine(abstract), name, isDirectory);
  if (plain === "") return label;
  if (label.length + plain.length + 2 <= width) return `${label}: ${plain}`;
  const telling = isDirectory ? withoutCounts(plain) : plain;
  const brief = trimmed(telling, Math.max(6, Math.floor((width - label.length) / 7)));
  if (label.length + brief.length + 2 <= width * 1.25) return `${label}: ${brief}`;
  const left = Math.max(MIN_SAID_LENGTH, width - label.length - 2);
  const phrases = keyPhrases(telling, name, left, counts);
  // with few key phrases, the start of the sentence is more informative
  return `${label}: ${phrases.length < left / 2 ? shorten(telling, left) : phrases}`;
}

/** Children without their own line: groups of names with a common beginning, then single names. */
function* restLines(names: readonly string[], count: number, room: number): Generator<undefined, string[]> {
  const lines: string[] = [];
  const grouped = new Set<string>();
  let left = room;
  for (const { pattern, members, first, last } of yield* groupSteps(names)) {
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

/** Characters reserved for the words around the names. */
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
