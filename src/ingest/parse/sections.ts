import { append } from "../../base/append.ts";
import { lastOf } from "../../base/expect.ts";
import type { Heading } from "../../domain/text/headings.ts";
import { sentenceEnd } from "../../domain/text/sentences.ts";
import { estimateTokens, isSpace } from "../../domain/text/tokens.ts";
import { legalSegment } from "../source-name.ts";
import type { Section } from "./parsed.ts";

/** Maximum size of a document that stays one file, and of a section. */
export const MAX_SECTION_TOKENS = 1000;
/** Minimum size of a section; a smaller one is joined with a neighbour if both fit into one. */
const MIN_SECTION_TOKENS = 200;
export const MAX_SECTIONS = 2000;
const MAX_DEPTH = 4;
const MAX_NAME_BYTES = 120;

/**
 * A heading with its content up to the next heading of the same or a higher level; the root has no heading.
 */
interface Outline {
  readonly heading: Heading | undefined;
  readonly start: number;
  /** End of its own text, which is the start of its first child. */
  bodyEnd: number;
  end: number;
  tokens: number;
  readonly children: Outline[];
}

/** A part of the text that becomes a file or a directory of files. */
interface Part {
  readonly start: number;
  readonly end: number;
  readonly tokens: number;
  readonly titles: readonly string[];
  /** Title of the last of several joined headings; absent if the text has only one. */
  readonly until?: string;
  readonly parts?: readonly Part[];
}

/**
 * Splits a text above MAX_SECTION_TOKENS at its headings; undefined if it is shorter. Every character is in
 * exactly one section, in order. Small parts are joined with neighbours; large ones without headings are
 * split at paragraphs, then sentences, then anywhere except inside a surrogate pair. For more than
 * MAX_SECTIONS sections, their size limit is raised. Runs in linear time.
 */
export function sections(text: string, headings: readonly Heading[], title: string): Section[] | undefined {
  const total = estimateTokens(text);
  if (total <= MAX_SECTION_TOKENS) return undefined;
  const root = outline(text, headings);
  for (let limit = Math.max(MAX_SECTION_TOKENS, total / MAX_SECTIONS); ; limit *= 2) {
    const parts = partsOf(text, root, [], 1, limit);
    if (countFiles(parts) > MAX_SECTIONS) continue;
    const found: Section[] = [];
    emit(text, parts, [], title, found);
    return found;
  }
}

const levelOf = ({ heading }: Outline): number => heading?.level ?? 0;

function outline(text: string, headings: readonly Heading[]): Outline {
  const root: Outline = {
    heading: undefined,
    start: 0,
    bodyEnd: headings[0]?.start ?? text.length,
    end: text.length,
    tokens: 0,
    children: [],
  };
  const open: Outline[] = [root];
  for (const [i, heading] of headings.entries()) {
    while (open.length > 1 && levelOf(lastOf(open)) >= heading.level) {
      lastOf(open).end = heading.start;
      open.pop();
    }
    const node: Outline = {
      heading,
      start: heading.start,
      bodyEnd: headings[i + 1]?.start ?? text.length,
      end: text.length,
      tokens: 0,
      children: [],
    };
    lastOf(open).children.push(node);
    open.push(node);
  }
  weigh(text, root);
  return root;
}

/** The recursion is as deep as the heading levels. */
function weigh(text: string, node: Outline): number {
  node.tokens =
    estimateTokens(text, node.start, node.bodyEnd) +
    node.children.reduce((sum, child) => sum + weigh(text, child), 0);
  return node.tokens;
}

/** Splits a node that is larger than `limit` into parts. `above`: titles of the headings above it. */
function partsOf(
  text: string,
  node: Outline,
  above: readonly string[],
  depth: number,
  limit: number,
): Part[] {
  const titles = node.heading ? [...above, node.heading.title] : above;
  const own: Part[] = [];
  if (node.bodyEnd > node.start) append(own, cutText(text, node.start, node.bodyEnd, titles, limit));
  for (const child of node.children) {
    const titlesBelow = [...titles, child.heading?.title ?? ""];
    if (child.tokens <= limit)
      own.push({
        start: child.start,
        end: child.end,
        tokens: child.tokens,
        titles: titlesBelow,
      });
    else {
      const parts = partsOf(text, child, titles, depth + 1, limit);
      // no directory for a single top-level heading, or below the deepest level
      if (node.children.length === 1 || depth >= MAX_DEPTH) append(own, parts);
      else
        own.push({
          start: child.start,
          end: child.end,
          tokens: child.tokens,
          titles: titlesBelow,
          parts,
        });
    }
  }
  return pool(own, limit);
}

/** Joins neighbours if one of them is small and both fit into the limit. */
function pool(parts: readonly Part[], limit: number): Part[] {
  const pooled: Part[] = [];
  const small = Math.max(MIN_SECTION_TOKENS, limit - MAX_SECTION_TOKENS);
  for (const part of parts) {
    const last = pooled.at(-1);
    const joined = last && join(last, part, small, limit);
    if (joined) pooled[pooled.length - 1] = joined;
    else pooled.push(part);
  }
  return pooled;
}

function join(last: Part, part: Part, small: number, limit: number): Part | undefined {
  if (last.parts) return undefined;
  if (part.parts) return last.tokens < small ? withLead(last, part, limit) : undefined;
  const tokens = last.tokens + part.tokens;
  if (tokens > limit || (last.tokens >= small && part.tokens >= small)) return undefined;
  return { ...rangeFrom(last, part), start: last.start, end: part.end, tokens };
}

/** Titles of joined parts: the first heading, and the last one if different. */
function rangeFrom({ titles }: Part, last: Part): Pick<Part, "titles" | "until"> {
  const until = last.until ?? last.titles.at(-1);
  return until === undefined || until === titles.at(-1) ? { titles } : { titles, until };
}

/**
 * A directory whose first file starts with the text before the directory; undefined if that exceeds the
 * limit.
 */
function withLead(lead: Part, directory: Part, limit: number): Part | undefined {
  const [first, ...rest] = directory.parts ?? [];
  if (first === undefined) return undefined;
  const fits = first.tokens + lead.tokens <= limit;
  const file = fits
    ? { ...rangeFrom(lead, first), start: lead.start, end: first.end, tokens: first.tokens + lead.tokens }
    : undefined;
  const joined = first.parts ? withLead(lead, first, limit) : file;
  if (!joined) return undefined;
  return {
    ...directory,
    start: lead.start,
    tokens: directory.tokens + lead.tokens,
    parts: [joined, ...rest],
  };
}

/**
 * Splits text without headings into parts of at most `limit` tokens; white space stays with the preceding
 * text.
 */
function cutText(text: string, start: number, end: number, titles: readonly string[], limit: number): Part[] {
  const whole = estimateTokens(text, start, end);
  if (whole <= limit) return [{ start, end, tokens: whole, titles }];
  const parts: Part[] = [];
  let from = start;
  let tokens = 0;
  const close = (at: number) => {
    if (at > from) parts.push({ start: from, end: at, tokens, titles });
    from = at;
    tokens = 0;
  };
  for (let at = start; at < end; ) {
    const next = skipSpace(text, paragraphEnd(text, at, end), end);
    const size = estimateTokens(text, at, next);
    if (tokens + size > limit) close(at);
    if (size > limit) {
      for (const piece of cutParagraph(text, at, next, limit)) {
        if (tokens + piece.tokens > limit) close(piece.start);
        tokens += piece.tokens;
      }
    } else tokens += size;
    at = next;
  }
  close(end);
  return parts;
}

/** The sentences of a paragraph; those above `limit` tokens are split. */
function* cutParagraph(
  text: string,
  start: number,
  end: number,
  limit: number,
): Generator<{ start: number; tokens: number }> {
  for (let at = start; at < end; ) {
    const next = skipSpace(text, sentenceEnd(text, at, end), end);
    const size = estimateTokens(text, at, next);
    if (size <= limit) yield { start: at, tokens: size };
    else {
      // a character is at most 0.7 tokens, so this many always fit
      const width = Math.floor(limit / 0.7);
      for (let cut = at; cut < next; ) {
        const to = Math.min(next, cut + width);
        const stop = to < next ? wordStart(text, cut, to) : to;
        yield { start: cut, tokens: estimateTokens(text, cut, stop) };
        cut = stop;
      }
    }
    at = next;
  }
}

function paragraphEnd(text: string, from: number, end: number): number {
  for (let at = text.indexOf("\n", from); at >= 0 && at < end; at = text.indexOf("\n", at + 1)) {
    const next = text[at + 1] === "\r" ? at + 2 : at + 1;
    if (text[next] === "\n") return next + 1;
  }
  return end;
}

function skipSpace(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && isSpace(text.charCodeAt(at))) at++;
  return at;
}

/**
 * Start of the last word in the second half of the range, otherwise its end; never inside a surrogate pair.
 */
function wordStart(text: string, from: number, to: number): number {
  for (let at = to; at > (from + to) / 2; at--) if (isSpace(text.charCodeAt(at - 1))) return at;
  const unit = text.charCodeAt(to);
  return unit >= 0xdc00 && unit <= 0xdfff ? to - 1 : to;
}

function countFiles(parts: readonly Part[]): number {
  return parts.reduce((sum, part) => sum + (part.parts ? countFiles(part.parts) : 1), 0);
}

function emit(
  text: string,
  parts: readonly Part[],
  above: readonly string[],
  title: string,
  found: Section[],
): void {
  const digits = Math.max(2, String(parts.length).length);
  for (const [i, part] of parts.entries()) {
    const last = part.titles.at(-1);
    const number = String(i + 1).padStart(digits, "0");
    const name = [number, slugOf(last ?? title, part.until)].filter((word) => word !== "").join("-");
    if (part.parts) emit(text, part.parts, [...above, name], title, found);
    else
      found.push({
        path: [...above, `${name}.md`],
        title: last ?? title,
        headings: part.titles,
        text: text.slice(part.start, part.end),
      });
  }
}

/**
 * A file name from the words of a title; for a range of headings, of the first and the last:
 * `setup-to-limits`.
 */
function slugOf(title: string, until: string | undefined): string {
  if (until === undefined) return wordsOf(title, MAX_NAME_BYTES - 12);
  const length = MAX_NAME_BYTES / 2 - 8;
  return [wordsOf(title, length), wordsOf(until, length)].filter((words) => words !== "").join("-to-");
}

function wordsOf(title: string, maxBytes: number): string {
  const words = title
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "");
  return words === "" ? "" : legalSegment(words, maxBytes).replace(/-+$/, "");
}
