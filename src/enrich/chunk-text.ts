import { itemAt, lastOf } from "../base/expect.ts";
import { headings as findHeadings } from "../domain/text/headings.ts";
import { sentenceEnd } from "../domain/text/sentences.ts";
import { isSpace } from "../domain/text/tokens.ts";

/** A chunk of a text for the index. */
export interface ChunkText {
  /** UTF-16 offset of its first character; `end` is after its last character that is not white space. */
  readonly start: number;
  readonly end: number;
  /** Titles of the document and of the headings above the chunk, joined with " > ". */
  readonly title: string;
}

export interface ChunkOptions {
  /**
   * Counts the model's word pieces in a string. For two strings joined at white space, the count is at most
   * the sum.
   */
  countPieces(text: string): number;
  readonly title: string;
  /**
   * Titles of the headings above the text, and of its own first heading (`Section.headings`), if it is part
   * of a document.
   */
  readonly headings?: readonly string[];
  /**
   * Markdown (including converted text) is split at headings, code and data at lines, everything else at
   * sentences.
   */
  readonly kind: "markdown" | "html" | "document" | "text" | "data" | "code" | "binary";
}

export const MAX_CHUNK_PIECES = 200;
/** Maximum characters of a chunk: some models count a word of any length as one token. */
export const MAX_CHUNK_LENGTH = 2000;
/** Length below which neighbours are counted in one call. */
const GROUP_LENGTH = 256;
const FIRST_WINDOW = 125;
const LAST_WINDOW = 32_000;
const MAX_TITLE_LENGTH = 200;
/**
 * Factor by which a chunk may exceed an even share of a text that is slightly too long for one; a short last
 * chunk would carry little meaning.
 */
const EVEN_SLACK = 1.25;
const MAX_EVEN_CHUNKS = 3;
/** Share of the limit that a cut aims at after a longer one has exceeded the limit. */
const AIM = 0.9;

interface Region {
  readonly start: number;
  readonly end: number;
  readonly title: string;
}

/**
 * Splits a text into chunks of at most MAX_CHUNK_PIECES word pieces and MAX_CHUNK_LENGTH characters: at
 * paragraphs, then sentence ends (lines of code), then anywhere except inside a surrogate pair. Small
 * neighbours under one heading are combined, evenly if they fill only few chunks. Chunks do not overlap, keep
 * the order, and omit only white space. Linear in the text.
 */
export function chunkText(text: string, options: ChunkOptions): ChunkText[] {
  const steps = chunkSteps(text, options);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Like `chunkText`, in steps of at most a millisecond; returns the chunks. */
export function* chunkSteps(text: string, options: ChunkOptions): Generator<undefined, ChunkText[]> {
  const packer = new Packer(text, options);
  const ends = options.kind === "code" || options.kind === "data" ? lineEnd : proseEnd;
  for (const region of regionsOf(text, options)) {
    do
      for (const group of grouped(spans(text, region.start, region.end, paragraphEnd)))
        yield* packer.addGroup(group, ends);
    while (packer.beginsAnew());
    packer.close(region.title);
  }
  return packer.chunks;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

type EndOf = (text: string, from: number, to: number) => number;

class Packer {
  readonly chunks: ChunkText[] = [];
  readonly #text: string;
  readonly #count: (text: string) => number;
  #open: { start: number; end: number; pieces: number }[] = [];
  /** Maximum word pieces of joined neighbouring spans; lowered to divide the text evenly. */
  #joined = MAX_CHUNK_PIECES;

  constructor(text: string, options: ChunkOptions) {
    this.#text = text;
    this.#count = (piece) => options.countPieces(piece);
  }

  /** Whether the text since the last `close` must be added again to divide it evenly. */
  beginsAnew(): boolean {
    const chunks = this.#open.length;
    if (this.#joined < MAX_CHUNK_PIECES || chunks < 2 || chunks > MAX_EVEN_CHUNKS) return false;
    const pieces = this.#open.reduce((sum, one) => sum + one.pieces, 0);
    this.#joined = Math.min(MAX_CHUNK_PIECES, Math.ceil((pieces / chunks) * EVEN_SLACK));
    if (this.#joined === MAX_CHUNK_PIECES) return false;
    this.#open = [];
    return true;
  }

  /** Adds neighbours as one if they fit, otherwise separately; large ones in the smaller units of `ends`. */
  *addGroup(group: readonly Span[], ends: EndOf | undefined): Generator<undefined, void> {
    const whole = { start: itemAt(group, 0).start, end: lastOf(group).end };
    yield;
    if (this.#add(whole)) return;
    if (group.length > 1) {
      for (const span of group) yield* this.addGroup([span], ends);
    } else if (ends) {
      for (const smaller of grouped(spans(this.#text, whole.start, whole.end, ends)))
        yield* this.addGroup(smaller, undefined);
    } else yield* this.#cut(whole);
  }

  /** Sets the title of all chunks since the last call. */
  close(title: string): void {
    for (const { start, end } of this.#open) this.chunks.push({ start, end, title });
    this.#open = [];
    this.#joined = MAX_CHUNK_PIECES;
  }

  #add(span: Span): boolean {
    if (span.end - span.start > MAX_CHUNK_LENGTH) return false;
    const pieces = this.#count(this.#text.slice(span.start, span.end));
    if (pieces > MAX_CHUNK_PIECES) return false;
    this.#join(span, pieces);
    return true;
  }

  #join(span: Span, pieces: number): void {
    const last = this.#open.at(-1);
    if (last && last.pieces + pieces <= this.#joined && span.end - last.start <= MAX_CHUNK_LENGTH) {
      last.end = span.end;
      last.pieces += pieces;
    } else this.#open.push({ start: span.start, end: span.end, pieces });
  }

  /** Cuts a span without sentence ends, preferably at a space. */
  *#cut(span: Span): Generator<undefined, void> {
    let guess = MAX_CHUNK_LENGTH;
    for (let at = span.start; at < span.end; ) {
      yield;
      let stop = cutAt(this.#text, at, Math.min(span.end, at + guess));
      let pieces = this.#count(this.#text.slice(at, stop));
      while (pieces > MAX_CHUNK_PIECES && stop - at > 2) {
        guess = Math.max(2, Math.floor(((stop - at) * MAX_CHUNK_PIECES * AIM) / pieces));
        stop = cutAt(this.#text, at, Math.min(span.end, at + guess));
        pieces = this.#count(this.#text.slice(at, stop));
      }
      // the following text may be of a different kind
      if (pieces < MAX_CHUNK_PIECES / 2) guess = Math.min(MAX_CHUNK_LENGTH, guess * 2);
      this.#open.push({ start: at, end: trimmedEnd(this.#text, at, stop), pieces: MAX_CHUNK_PIECES });
      at = skipSpace(this.#text, stop, span.end);
    }
    const tail = this.#open.at(-1);
    // following text may be joined only with the last chunk
    if (tail) tail.pieces = this.#count(this.#text.slice(tail.start, tail.end));
  }
}

/**
 * Splits a text at its headings; a heading without text of its own is joined with the following deeper one.
 */
function regionsOf(text: string, options: ChunkOptions): Region[] {
  const found =
    options.kind === "markdown" || options.kind === "html" || options.kind === "document"
      ? findHeadings(text)
      : [];
  const above = [...(options.headings ?? [])];
  const opensWithHeading = found[0] !== undefined && skipSpace(text, 0, found[0].start) === found[0].start;
  if (opensWithHeading && itemAt(found, 0).title === above.at(-1)) above.pop();
  const regions: Region[] = [];
  let start = 0;
  if (found[0] && !opensWithHeading) {
    regions.push({ start: 0, end: found[0].start, title: joinTitles(options.title, above) });
    start = found[0].start;
  }
  const path: { level: number; title: string }[] = [];
  for (const [i, heading] of found.entries()) {
    while (path.length > 0 && lastOf(path).level >= heading.level) path.pop();
    path.push(heading);
    const next = found[i + 1];
    const end = next?.start ?? text.length;
    const isEmpty = skipSpace(text, heading.end, end) === end;
    if (isEmpty && next && next.level > heading.level) continue;
    regions.push({
      start,
      end,
      title: joinTitles(options.title, [...above, ...path.map((one) => one.title)]),
    });
    start = end;
  }
  if (found.length === 0)
    regions.push({ start: 0, end: text.length, title: joinTitles(options.title, above) });
  return regions;
}

/**
 * Drops repetitions, and the middle of a long list: the document and the nearest headings are most important.
 */
function joinTitles(title: string, headings: readonly string[]): string {
  const parts = [title, ...headings]
    .filter((part, i, all) => part !== "" && part !== all[i - 1])
    .map((part) => shortTitle(part));
  while (parts.length > 2 && parts.join(" > ").length > MAX_TITLE_LENGTH) parts.splice(1, 1);
  return parts.join(" > ");
}

function shortTitle(title: string): string {
  const half = MAX_TITLE_LENGTH / 2 - 2;
  return title.length <= half
    ? title
    : title
        .slice(0, half)
        .toWellFormed()
        .replace(/\ufffd$/, "");
}

/** The units into which `ends` divides a range, trimmed. */
function* spans(text: string, from: number, to: number, ends: EndOf): Generator<Span> {
  for (let at = skipSpace(text, from, to); at < to; ) {
    const next = ends(text, at, to);
    yield { start: at, end: trimmedEnd(text, at, next) };
    at = skipSpace(text, next, to);
  }
}

/** Groups small neighbours, because each count of pieces costs a call. */
function* grouped(units: Iterable<Span>): Generator<Span[]> {
  let group: Span[] = [];
  for (const unit of units) {
    if (group.length > 0 && unit.end - itemAt(group, 0).start > GROUP_LENGTH) {
      yield group;
      group = [];
    }
    group.push(unit);
  }
  if (group.length > 0) yield group;
}

function paragraphEnd(text: string, from: number, to: number): number {
  for (let at = text.indexOf("\n", from); at >= 0 && at < to; at = text.indexOf("\n", at + 1)) {
    let next = at + 1;
    while (next < to && (text[next] === " " || text[next] === "\t" || text[next] === "\r")) next++;
    if (text[next] === "\n") return at;
    at = next - 1;
  }
  return to;
}

function lineEnd(text: string, from: number, to: number): number {
  const at = text.indexOf("\n", from);
  return at < 0 || at > to ? to : at;
}

const LIST_OR_ROW = /^[ \t]{0,12}(?:[-*+•|>]|\d{1,4}[.)])/;

/** End of a sentence, or of a line before a list item or table row. */
function proseEnd(text: string, from: number, to: number): number {
  // increase the window gradually: a short sentence or line must not cost a scan of the rest
  for (let length = FIRST_WINDOW; ; length *= 4) {
    const window = Math.min(to, from + length);
    const sentence = sentenceEnd(text, from, window);
    for (let at = from; at < sentence; at++) {
      if (text.charCodeAt(at) === 0x0a && LIST_OR_ROW.test(text.slice(at + 1, at + 20))) return at;
    }
    if (sentence < window || window === to) return sentence;
    // a sentence this long is cut anyway
    if (length >= LAST_WINDOW) return cutAt(text, from, window);
  }
}

/** The last space in the second half of a range, otherwise its end; never inside a surrogate pair. */
function cutAt(text: string, from: number, to: number): number {
  if (to >= text.length) return text.length;
  if (isSpace(text.charCodeAt(to))) return to;
  for (let at = to - 1; at > (from + to) / 2; at--) if (isSpace(text.charCodeAt(at))) return at;
  const unit = text.charCodeAt(to);
  return unit >= 0xdc00 && unit <= 0xdfff && to - 1 > from ? to - 1 : to;
}

function skipSpace(text: string, from: number, to: number): number {
  let at = from;
  while (at < to && isSpace(text.charCodeAt(at))) at++;
  return at;
}

function trimmedEnd(text: string, from: number, to: number): number {
  let at = to;
  while (at > from && isSpace(text.charCodeAt(at - 1))) at--;
  return at;
}
