import { sentenceEnd } from "../domain/text/sentences.ts";
import type { AskedOfPassage } from "./choose-passage.ts";
import { MAX_MATCH } from "./chunk-texts.ts";
import type { ShownChunk } from "./view.ts";

/** Separators between two passages: if text between them is omitted, and if not. */
const OMISSION = "\n\n[…]\n\n";
const BREAK = "\n\n";
/** Characters that the first passage keeps if both are too long to be shown whole. */
const FIRST_SHARE = 850;
/** Minimum length of a second passage. */
const MIN_SECOND = 100;
/**
 * Number of characters at the beginning of a passage that are searched in the other one to find an overlap.
 */
const BEGINNING = 60;
/** Maximum white space between neighbouring chunks, in characters. */
const MAX_GAP = 8;

/** The readable text of a chunk. */
export interface PassageOf {
  readonly text: string;
  readonly chunk: Pick<ShownChunk, "node"> & { readonly start: number; readonly end: number };
}

/**
 * The two best passages of a document within MAX_MATCH characters, the best first because callers may cut
 * them; only the first if the second adds little.
 */
export function joinPassages(first: PassageOf, second: PassageOf, asked: AskedOfPassage): string {
  const text = withoutRepetition(second.text, first.text);
  const room = MAX_MATCH - OMISSION.length;
  const begun = excerpt(first.text, Math.max(FIRST_SHARE, room - text.length), asked);
  const added = excerpt(text, room - begun.length, asked);
  if (added.length < MIN_SECOND) return first.text;
  const isNext = first.chunk.node === second.chunk.node && isBeside(first.chunk.end, second.chunk.start);
  const isWhole = begun === first.text && added === text;
  return `${begun}${isNext && isWhole ? BREAK : OMISSION}${added}`;
}

/** The part of a text before its overlap with `other`; "" if `other` contains its beginning. */
function withoutRepetition(text: string, other: string): string {
  if (other.includes(text.slice(0, BEGINNING))) return "";
  const at = text.indexOf(other.slice(0, BEGINNING));
  return at < 0 ? text : text.slice(0, at).trimEnd();
}

const isBeside = (end: number, start: number): boolean => start >= end && start - end <= MAX_GAP;

/** The sentence or line with most of the query's words, and as many after it, then before it, as fit. */
function excerpt(text: string, room: number, { starts, weights }: AskedOfPassage): string {
  if (text.length <= room) return text;
  const units = unitsOf(text);
  const weightOf = ({ start, end }: Unit): number => {
    const unit = text.slice(start, end).toLowerCase();
    return weights.reduce((sum, weight, i) => sum + (unit.includes(starts[i] ?? "") ? weight : 0), 0);
  };
  let [best, most] = [0, -1];
  for (const [i, unit] of units.entries()) {
    const weight = weightOf(unit);
    if (weight > most) [best, most] = [i, weight];
  }
  const { start = 0, end = 0 } = units[best] ?? {};
  if (end - start > room) return text.slice(start, start + room).toWellFormed();
  const last = units.findLast((unit) => unit.end - start <= room)?.end ?? end;
  const from = units.find((unit) => last - unit.start <= room)?.start ?? start;
  return text.slice(from, last);
}

interface Unit {
  readonly start: number;
  readonly end: number;
}

/** Sentences of a text; a line break also ends one. */
function unitsOf(text: string): Unit[] {
  const units: Unit[] = [];
  let line = -1;
  for (let at = 0; at < text.length; ) {
    if (line < at) line = text.indexOf("\n", at);
    if (line < 0) line = text.length;
    const end = sentenceEnd(text, at, line);
    if (text.slice(at, end).trim() !== "") units.push({ start: at, end });
    at = Math.max(end, at + 1);
    while (/\s/.test(text.charAt(at))) at++;
  }
  return units;
}
