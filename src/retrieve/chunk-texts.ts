import { CJK_CHARACTER } from "../domain/text/analyse.ts";
import { sketchOf } from "../domain/text/shingles.ts";

/** Characters of a passage that a hit shows. */
export const MAX_MATCH = 1000;
/** Number of smallest hashes that represent a passage. */
const SKETCH = 48;
/** Bytes of objects around the strings of one text, roughly. */
const OVERHEAD = 160;
/** Bytes of a sketch with its buffer. */
const SKETCH_BYTES = 4 * SKETCH + 256;
/** Bytes of one part without its characters. */
const PART_BYTES = 128;
/** V8 stores other texts in one byte per character. */
const WIDE = /[^\u0000-\u00ff]/;
/** Messages and paragraphs, each with its trailing blank line: joined they are the passage. */
const PARTS = /(?<=\n\n)/;
/** Lines, each with its line feed. */
export const LINES = /(?<=\n)/;
/** Headings, front matter, link targets, tags and isolated links: words in them answer nothing. */
const NOISE =
  /^---\n[\s\S]*?\n---$|^#{1,6} .*$|^[ \t]*(?:[-*+][ \t]+)?!?\[[^\]\n]{0,200}\](?:\([^()\s]{0,500}\))?[ \t]*$|\]\([^()\s]{0,500}\)|<[^<>]{0,500}>/gm;

const bytesOf = (text: string): number => (WIDE.test(text) ? 2 : 1) * text.length;

/** A copy: a substring that is kept would retain the whole text that it was cut from. */
function detached(text: string): string {
  const encoding = WIDE.test(text) ? "utf16le" : "latin1";
  return Buffer.from(text, encoding).toString(encoding);
}

/** A chunk as it is compared with other chunks of its document: its own words without marks. */
export class WeighedText {
  readonly body: string;
  readonly lower: string;
  /** Characters; a CJK text says as much in half as many. */
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

/** A text that is shown to a reader, with what is computed of it whatever the query is; each at first use. */
export class ShownText {
  readonly text: string;
  readonly #separator: RegExp;
  #lower: string | undefined;
  #sketch: Uint32Array | undefined;
  #parts: readonly { readonly text: string; readonly lower: string }[] | undefined;
  /** The part that was shown last, and its place. */
  #part: { readonly at: number; readonly shown: ShownText } | undefined;

  /** `separator` matches between two parts. */
  constructor(text: string, separator = PARTS) {
    this.text = text;
    this.#separator = separator;
  }

  /** One that can be kept: it retains no other text, and shares what `weighed` has of it. */
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

  /** For the comparison with other texts (domain/text/shingles.ts). */
  get sketch(): Uint32Array {
    this.#sketch ??= sketchOf(this.text, SKETCH);
    return this.#sketch;
  }

  get parts(): readonly { readonly text: string; readonly lower: string }[] {
    this.#parts ??= this.text.split(this.#separator).map((text) => ({ text, lower: text.toLowerCase() }));
    return this.#parts;
  }

  /** The result of `make` for the part at this place. */
  shownPart(at: number, make: () => string): ShownText {
    if (this.#part?.at !== at) this.#part = { at, shown: new ShownText(make()) };
    return this.#part.shown;
  }

  /** Limit of the bytes that it takes beside `weighed`, with everything that is computed later. */
  bytesBeside(weighed: WeighedText | undefined): number {
    const own = bytesOf(this.text);
    const whole = OVERHEAD + SKETCH_BYTES + (weighed?.body === this.text ? 0 : 2 * own);
    if (this.text.length <= MAX_MATCH) return whole;
    const part = OVERHEAD + SKETCH_BYTES + 4 * MAX_MATCH;
    return whole + own + PART_BYTES * this.parts.length + part;
  }
}
