/** A range of bytes: from `start` (inclusive) to `end` (exclusive). */
export interface JsonSpan {
  readonly start: number;
  readonly end: number;
}

/** The text is not JSON, or exceeds the limits. */
export class UnreadableJson extends Error {}

/**
 * Maximum work: bytes outside strings, strings, and backslashes before quotes. Bounds the time to
 * milliseconds.
 */
const MAX_STEPS = 4_000_000;
/** Maximum number of members of an object, and of items of an array. */
const MAX_ITEMS = 5000;
/** Maximum length of a name in bytes; longer names are never requested. */
const MAX_NAME_BYTES = 64;
/** Maximum bytes of a value that is parsed as a whole, and of all such values in one text. */
const MAX_VALUE_BYTES = 1024 * 1024;
const MAX_PARSED_BYTES = 8 * MAX_VALUE_BYTES;

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d];
const IS_SPACE = new Uint8Array(256);
for (const sign of " \t\n\r") IS_SPACE[sign.charCodeAt(0)] = 1;
/** Characters that end a number, `true`, `false` or `null`. */
const ENDS_SCALAR = new Uint8Array(256);
for (const sign of ' \t\n\r,:]}[{"') ENDS_SCALAR[sign.charCodeAt(0)] = 1;

/**
 * A JSON text whose values are read in place, so that the rest can be passed on byte for byte. Not recursive;
 * bounded work. All methods throw UnreadableJson.
 */
export class JsonText {
  readonly bytes: Buffer;
  #steps = MAX_STEPS;
  #parseable = MAX_PARSED_BYTES;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /** The single value of the text, without surrounding white space. */
  root(): JsonSpan {
    const start = this.#afterSpace(0);
    const end = this.#endOf(start);
    if (this.#afterSpace(end) !== this.bytes.length) throw new UnreadableJson("more than one value");
    return { start, end };
  }

  isObject = (span: JsonSpan | undefined): span is JsonSpan =>
    span !== undefined && this.bytes[span.start] === OPEN_OBJECT;
  isList = (span: JsonSpan | undefined): span is JsonSpan =>
    span !== undefined && this.bytes[span.start] === OPEN_LIST;
  isString = (span: JsonSpan | undefined): span is JsonSpan =>
    span !== undefined && this.bytes[span.start] === QUOTE;

  /** Members of an object by name; the last duplicate counts, as in JSON.parse. */
  members({ start }: JsonSpan): ReadonlyMap<string, JsonSpan> {
    const found = new Map<string, JsonSpan>();
    let at = this.#afterSpace(start + 1);
    if (this.bytes[at] === CLOSE_OBJECT) return found;
    for (let count = 0; count < MAX_ITEMS; count++) {
      if (this.bytes[at] !== QUOTE) throw new UnreadableJson("a name was expected");
      const name = { start: at, end: this.#endOfString(at) };
      at = this.#afterSpace(name.end);
      if (this.bytes[at] !== COLON) throw new UnreadableJson("a colon was expected");
      const value = this.#valueAt(this.#afterSpace(at + 1));
      if (name.end - name.start <= MAX_NAME_BYTES) found.set(this.#decoded(name), value);
      at = this.#afterSpace(value.end);
      if (this.bytes[at] === CLOSE_OBJECT) return found;
      if (this.bytes[at] !== COMMA) throw new UnreadableJson("a comma was expected");
      at = this.#afterSpace(at + 1);
    }
    throw new UnreadableJson("too many members");
  }

  items({ start }: JsonSpan): JsonSpan[] {
    const found: JsonSpan[] = [];
    let at = this.#afterSpace(start + 1);
    if (this.bytes[at] === CLOSE_LIST) return found;
    while (found.length < MAX_ITEMS) {
      const value = this.#valueAt(at);
      found.push(value);
      at = this.#afterSpace(value.end);
      if (this.bytes[at] === CLOSE_LIST) return found;
      if (this.bytes[at] !== COMMA) throw new UnreadableJson("a comma was expected");
      at = this.#afterSpace(at + 1);
    }
    throw new UnreadableJson("too many items");
  }

  /** A string value; undefined for anything else, or if too large. */
  string(span: JsonSpan | undefined): string | undefined {
    return this.isString(span) && span.end - span.start <= MAX_VALUE_BYTES ? this.#decoded(span) : undefined;
  }

  /** A parsed value; undefined if too large. */
  value(span: JsonSpan | undefined): unknown {
    return span === undefined || span.end - span.start > MAX_VALUE_BYTES ? undefined : this.#parsed(span);
  }

  /** The bytes of a value; for a string, without quotes. */
  raw(span: JsonSpan | undefined): Buffer {
    if (span === undefined) return this.bytes.subarray(0, 0);
    const quote = this.isString(span) ? 1 : 0;
    return this.bytes.subarray(span.start + quote, span.end - quote);
  }

  #decoded(span: JsonSpan): string {
    const value = this.#parsed(span);
    if (typeof value !== "string") throw new UnreadableJson("a string was expected");
    return value;
  }

  #parsed({ start, end }: JsonSpan): unknown {
    this.#parseable -= end - start;
    if (this.#parseable < 0) throw new UnreadableJson("too much text");
    try {
      return JSON.parse(this.bytes.toString("utf8", start, end));
    } catch {
      throw new UnreadableJson("no JSON");
    }
  }

  #valueAt(start: number): JsonSpan {
    return { start, end: this.#endOf(start) };
  }

  #afterSpace(at: number): number {
    let after = at;
    while (IS_SPACE[this.bytes[after] ?? 0] === 1) after++;
    this.#spend(after - at + 1);
    return after;
  }

  #endOf(start: number): number {
    const { bytes } = this;
    let depth = 0;
    for (let at = start; at < bytes.length; ) {
      const byte = bytes[at] ?? 0;
      if (byte === QUOTE) {
        at = this.#endOfString(at);
        if (depth === 0) return at;
        continue;
      }
      this.#spend(1);
      if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth++;
      else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
        if (--depth === 0) return at + 1;
        if (depth < 0) break;
      } else if (depth === 0) return this.#endOfScalar(at);
      at++;
    }
    throw new UnreadableJson("the text ends within a value");
  }

  #endOfScalar(start: number): number {
    let end = start;
    while (end < this.bytes.length && ENDS_SCALAR[this.bytes[end] ?? 0] === 0) end++;
    this.#spend(end - start);
    if (end === start) throw new UnreadableJson("a value was expected");
    return end;
  }

  /** Offset just after the closing quote. */
  #endOfString(start: number): number {
    const { bytes } = this;
    for (let from = start + 1; ; ) {
      this.#spend(1);
      const quote = bytes.indexOf(QUOTE, from);
      if (quote < 0) throw new UnreadableJson("the text ends within a string");
      let escapes = 0;
      while (bytes[quote - 1 - escapes] === BACKSLASH && quote - 1 - escapes >= from) escapes++;
      this.#spend(escapes);
      if (escapes % 2 === 0) return quote + 1;
      from = quote + 1;
    }
  }

  #spend(steps: number): void {
    this.#steps -= steps;
    if (this.#steps < 0) throw new UnreadableJson("too much structure");
  }
}

/** Text to insert into a JSON text before the byte `at`. */
export interface Insertion {
  readonly at: number;
  readonly text: string;
}

/** The bytes with the insertions applied. */
export function spliced(bytes: Buffer, insertions: readonly Insertion[]): Buffer {
  if (insertions.length === 0) return bytes;
  const pieces: Buffer[] = [];
  let from = 0;
  for (const { at, text } of [...insertions].sort((one, other) => one.at - other.at)) {
    pieces.push(bytes.subarray(from, at), Buffer.from(text));
    from = at;
  }
  return Buffer.concat([...pieces, bytes.subarray(from)]);
}

/** Escapes text for the inside of a JSON string. */
export const inString = (text: string): string => JSON.stringify(text).slice(1, -1);
