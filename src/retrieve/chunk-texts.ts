import { CJK_CHARACTER } from "../domain/text/analyse.ts";
import { sketchOf } from "../domain/text/shingles.ts";

/** Maximum characters of a passage shown in a hit. */
export const MAX_MATCH = 1000;
/** Number of smallest hashes in a passage's sketch. */
const SKETCH = 48;
/** Estimated bytes of objects around the strings of a text. */
const OVERHEAD = 160;
/** Bytes of a sketch with its buffer. */
const SKETCH_BYTES = 4 * SKETCH + 256;
/** Bytes of a part, without its characters. */
const PART_BYTES = 128;
/** Matches text that V8 stores in two bytes per character. */
const WIDE = /[^\u0000-\u00ff]/;
/** Splits a passage into messages and paragraphs, each with its trailing blank line. */
const PARTS = /(?<=\n\n)/;
/** Splits text into lines, each with its line feed. */
export const LINES = /(?<=\n)/;
/** Headings, front matter, link targets, tags and isolated links, whose words answer nothing. */
const NOISE =
  /^---\n[\s\S]*?\n---$|^#{1,6} .*$|^[ \t]*(?:[-*+][ \t]+)?!?\[[^\]\n]{0,200}\](?:\([^()\s]{0,500}\))?[ \t]*$|\]\([^()\s]{0,500}\)|<[^<>]{0,500}>/gm;

const bytesOf = (text: string): number => (WIDE.test(text) ? 2 : 1) * text.length;

/** Copies a substring, which would otherwise retain the whole text. */
function detached(text: string): string {
  const encoding = WIDE.test(text) ? "utf16le" : "latin1";
  return Buffer.from(text, encoding).toString(encoding);
}

/** A chunk's own words without markup, for comparison with other chunks of its document. */
export class WeighedText {
  readonly body: string;
  readonly lower: string;
  /** Length in characters; doubled for CJK text, which needs about half as many. */
  readonly length: number;

  constructor(chunk: string) {
    this.body = detached(chunk.replace(NOISE, " ").trim());
    this.lower = this.body.toLowerCase();
    this.length = CJK_CHARACTER.test(this.body) ? 2 * this.body.length : this.body.length;
  }

  get bytes(): number {
    return OVERHEAD + bytesOf(this.body) + bytesOf(this.lower);
  }
}

/** A displayed text, with data that does not depend on the query; computed on first use. */
export class ShownText {
  readonly text: string;
  readonly #separator: RegExp;
  #lower: string | undefined;
  #sketch: Uint32Array | undefined;
  #parts: readonly { readonly text: string; readonly lower: string }[] | undefined;
  /** The part shown last, with its position. */
  #part: { readonly at: number; readonly shown: ShownText } | undefined;

  /** `separator` matches between two parts. */
  constructor(text: string, separator = PARTS) {
    this.text = text;
    this.#separator = separator;
  }

  /** A text that can be cached: it retains no other text, and shares the strings of `weighed`. */
  static keptOf(text: string, weighed?: WeighedText): ShownText {
    const isSame = weighed?.body === text;
    const kept = new ShownText(isSame ? weighed.body : detached(text));
    if (isSame) kept.#lower = weighed.lower;
    return kept;
  }

  get lower(): string {
    this.#lower ??= this.text.toLowerCase();
    return this.#lower;
  }

  /** Sketch for comparison with other texts (domain/text/shingles.ts). */
  get sketch(): Uint32Array {
    this.#sketch ??= sketchOf(this.text, SKETCH);
    return this.#sketch;
  }

  get parts(): readonly { readonly text: string; readonly lower: string }[] {
    this.#parts ??= this.text.split(this.#separator).map((text) => ({ text, lower: text.toLowerCase() }));
    return this.#parts;
  }

  /** The part at this position; created by `make` unless cached. */
  shownPart(at: number, make: () => string): ShownText {
    if (this.#part?.at !== at) this.#part = { at, shown: new ShownText(make()) };
    return this.#part.shown;
  }

  /** Upper bound of the text's bytes beside those shared with `weighed`, including values computed later. */
  bytesBeside(weighed: WeighedText | undefined): number {
    const own = bytesOf(this.text);
    const whole = OVERHEAD + SKETCH_BYTES + (weighed?.body === this.text ? 0 : 2 * own);
    if (this.text.length <= MAX_MATCH) return whole;
    const part = OVERHEAD + SKETCH_BYTES + 4 * MAX_MATCH;
    return whole + own + PART_BYTES * this.parts.length + part;
  }
}
