import { itemAt, valueFor } from "../../../base/expect.ts";
import { type Line, lineText } from "./page-lines.ts";

/** An entry of a document's outline. */
export interface OutlineEntry {
  readonly title: string;
  /** Heading level; 1 is the top level. */
  readonly level: number;
  /** Target page from 1; undefined if unknown. */
  readonly page: number | undefined;
}

/** Factor of the font size above which a line may be a heading. */
const LARGER = 1.12;
const MAX_LEVELS = 4;
const MAX_HEADING_LENGTH = 200;
/** Maximum share of the text in a font size that headings use. */
const MAX_SHARE = 0.2;
/**
 * Minimum share of outline entries that must be found in the text for the outline alone to define the
 * headings.
 */
const TRUSTED = 0.5;

/** Font size of most letters. */
export function bodySizeOf(lines: readonly Line[]): number {
  const letters = lettersBySize(lines);
  return [...letters].reduce((best, one) => (one[1] > best[1] ? one : best), [10, 0])[0];
}

function lettersBySize(lines: readonly Line[]): Map<number, number> {
  const letters = new Map<number, number>();
  for (const line of lines) {
    const size = rounded(line.size);
    letters.set(size, (letters.get(size) ?? 0) + lineText(line).length);
  }
  return letters;
}

const rounded = (size: number): number => Math.round(size * 2) / 2;

/**
 * Detects heading lines and their levels: from the outline if most of its entries are found in the text,
 * otherwise from larger letters.
 */
export function headingLevels(
  lines: readonly Line[],
  outline: readonly OutlineEntry[],
  bodySize: number,
): Map<Line, number> {
  const named = byOutline(lines, outline);
  const isTrusted = outline.length > 0 && named.size >= outline.length * TRUSTED;
  const sized = bySize(lines, bodySize);
  if (!isTrusted) return named.size > sized.size ? named : new Map([...sized, ...named]);
  // the title is one level above all outline entries
  const title = titleOf(lines, sized);
  return title && !named.has(title) ? new Map([...withTitle(lines, title), ...deeper(named)]) : named;
}

/** The largest heading of the first page. */
function titleOf(lines: readonly Line[], sized: ReadonlyMap<Line, number>): Line | undefined {
  const first = lines.filter((line) => line.page === itemAt(lines, 0).page && sized.has(line));
  return first.reduce<Line | undefined>(
    (best, line) => (best && rounded(best.size) >= rounded(line.size) ? best : line),
    undefined,
  );
}

const deeper = (levels: ReadonlyMap<Line, number>): [Line, number][] =>
  [...levels].map(([line, level]) => [line, Math.min(6, level + 1)]);

/** Adds the title, which may consist of several lines of the same size. */
function withTitle(lines: readonly Line[], title: Line): [Line, number][] {
  const at = lines.indexOf(title);
  const found: [Line, number][] = [];
  for (
    let i = at;
    i < lines.length && i < at + 3 && rounded(itemAt(lines, i).size) === rounded(title.size);
    i++
  )
    found.push([itemAt(lines, i), 1]);
  return found;
}

/**
 * Finds the outline's entries in the text: on their target page, otherwise after the previous entry. A
 * multi-line heading is found by its first lines.
 */
function byOutline(lines: readonly Line[], outline: readonly OutlineEntry[]): Map<Line, number> {
  const found = new Map<Line, number>();
  const texts = lines.map((line) => plain(lineText(line)));
  const places = new Map<string, number[]>();
  for (const [i, text] of texts.entries()) {
    const known = places.get(text);
    if (known) known.push(i);
    else places.set(text, [i]);
  }
  let after = 0;
  const starts = new Map<number, number>();
  for (const [i, line] of lines.entries()) if (!starts.has(line.page)) starts.set(line.page, i);
  for (const { title, level, page } of outline) {
    const wanted = plain(title);
    if (wanted === "") continue;
    const from = Math.max(after, (page === undefined ? undefined : starts.get(page)) ?? after);
    const exact = (places.get(wanted) ?? []).find((i) => i >= from && !isEntryOfContents(itemAt(lines, i)));
    const at = exact ?? prefixAt(texts, wanted, from);
    if (at === undefined || (page !== undefined && itemAt(lines, at).page > page + 1)) continue;
    for (const [i, line] of headingLines(lines, texts, at, wanted)) {
      found.set(line, Math.min(6, level));
      after = i + 1;
    }
  }
  return found;
}

/** Maximum number of lines searched for the first words of a heading. */
const MAX_SEARCH = 4000;
const MIN_PREFIX = 8;

function prefixAt(texts: readonly string[], wanted: string, after: number): number | undefined {
  for (let i = after; i < Math.min(texts.length, after + MAX_SEARCH); i++) {
    const text = itemAt(texts, i);
    if (
      text.length >= MIN_PREFIX &&
      wanted.startsWith(text) &&
      (texts[i + 1] ?? "") !== "" &&
      wanted.startsWith(text + itemAt(texts, i + 1))
    )
      return i;
  }
  return undefined;
}

function* headingLines(
  lines: readonly Line[],
  texts: readonly string[],
  at: number,
  wanted: string,
): Generator<[number, Line]> {
  let covered = "";
  for (let i = at; i < lines.length && i < at + 3 && covered.length < wanted.length; i++) {
    covered += itemAt(texts, i);
    if (i > at && !wanted.startsWith(covered)) return;
    yield [i, itemAt(lines, i)];
  }
}

/** Dot leaders between a title and its page number. */
export const LEADERS = /(?:\.\s?){4,}/;
const isEntryOfContents = (line: Line): boolean => LEADERS.test(lineText(line));

/** Normalizes to letters and digits, without a leading number. */
const plain = (text: string): string =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .trimStart()
    .replace(/^(?:(?:chapter|appendix|section)\s*)?(?:\d+|[a-z])(?:\.\d+)*\.?\s+(?=\S)/, "")
    .replace(/[^\p{L}\p{N}]+/gu, "");

function bySize(lines: readonly Line[], bodySize: number): Map<Line, number> {
  const letters = lettersBySize(lines);
  const all = [...letters.values()].reduce((sum, count) => sum + count, 0);
  const isHeading = (line: Line) => {
    const size = rounded(line.size);
    return (
      size > bodySize * LARGER && valueFor(letters, size) < all * MAX_SHARE && isHeadingText(lineText(line))
    );
  };
  const found = lines.filter(isHeading);
  const sizes = [...new Set(found.map((line) => rounded(line.size)))].sort((a, b) => b - a);
  return new Map(found.map((line) => [line, Math.min(MAX_LEVELS, sizes.indexOf(rounded(line.size)) + 1)]));
}

const isHeadingText = (text: string): boolean =>
  text.length <= MAX_HEADING_LENGTH && (text.match(/\p{L}/gu)?.length ?? 0) >= 2 && !LEADERS.test(text);
