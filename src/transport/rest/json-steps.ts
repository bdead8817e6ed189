import { randomBytes } from "node:crypto";
import { isObject } from "../../base/expect.ts";
import { IS_BEFORE_VALUE } from "../../domain/text/json-values.ts";
import { MAX_VALUES, tooManyValues } from "../value-count.ts";

/**
 * Minimum size in bytes of a string that is parsed separately, and size of the pieces in which it is parsed.
 */
const LONG_STRING = 128;
const PIECE_BYTES = 256 * 1024;
/** Bytes scanned between two yields. */
const SCANNED_BYTES = 64 * 1024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const U = 0x75;
/** Length in bytes of a `\uXXXX` escape after the backslash. */
const UNICODE_ESCAPE = 5;
const IS_BLANK = new Uint8Array(256);
for (const sign of " \t\r\n") IS_BLANK[sign.charCodeAt(0)] = 1;

/** Whether a byte continues a UTF-8 character. */
const continues = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/**
 * Parses JSON of any size like JSON.parse, in steps of a few milliseconds, because parsing megabytes at once
 * blocks the event loop. Long strings are parsed separately, in pieces; JSON.parse reads the text with
 * unguessable placeholders in their positions. Throws SyntaxError, and INVALID_ARGUMENT for more than `most`
 * values.
 */
export function* parseSteps(bytes: Buffer, most = MAX_VALUES): Generator<undefined, unknown> {
  const placeholder = randomBytes(12).toString("base64");
  const strings: string[] = [];
  const text: string[] = [];
  let left = most;
  let kept = 0;
  let scanned = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte !== QUOTE) {
      left -= IS_BEFORE_VALUE[byte] ?? 0;
      if (left < 0) throw tooManyValues("body", most);
    } else {
      const cuts = yield* cutsOfString(bytes, at + 1);
      const end = cuts.at(-1) ?? at;
      if (end - at > LONG_STRING && bytes[end] === QUOTE && !isName(bytes, end + 1)) {
        text.push(bytes.toString("utf8", kept, at), `"${placeholder}${strings.length}"`);
        strings.push(yield* stringOf(bytes, at + 1, cuts));
        kept = end + 1;
      }
      at = end;
    }
    if (at - scanned >= SCANNED_BYTES) {
      yield;
      scanned = at;
    }
  }
  text.push(bytes.toString("utf8", kept));
  yield;
  const value: unknown = JSON.parse(text.join(""));
  yield;
  if (strings.length === 0) return value;
  return isPlaceholder(value, placeholder) ? strings[0] : yield* filled(value, placeholder, strings);
}

const isPlaceholder = (value: unknown, placeholder: string): value is string =>
  typeof value === "string" && value.startsWith(placeholder);

/** Replaces placeholders with their strings. */
function* filled(
  value: unknown,
  placeholder: string,
  strings: readonly string[],
): Generator<undefined, unknown> {
  const open: unknown[] = [value];
  for (let inner = open.pop(); inner !== undefined; inner = open.pop()) {
    yield;
    if (!Array.isArray(inner) && !isObject(inner)) continue;
    const members: Record<string, unknown> = inner as Record<string, unknown>;
    for (const [name, member] of Object.entries(members))
      if (isPlaceholder(member, placeholder))
        members[name] = strings[Number(member.slice(placeholder.length))];
      else if (typeof member === "object" && member !== null) open.push(member);
  }
  return value;
}

/**
 * Positions at which the string starting at `from` may be cut: between characters and escapes. The last
 * position is that of the closing quote, or the end of an unterminated string.
 */
function* cutsOfString(bytes: Buffer, from: number): Generator<undefined, number[]> {
  const cuts: number[] = [];
  let last = from;
  for (let at = from; ; at++) {
    if (at - last >= PIECE_BYTES && !continues(bytes[at])) {
      cuts.push(at);
      last = at;
      yield;
    }
    const byte = bytes[at];
    if (byte === BACKSLASH) at += bytes[at + 1] === U ? UNICODE_ESCAPE : 1;
    else if (byte === QUOTE || byte === undefined) {
      cuts.push(Math.min(at, bytes.length));
      return cuts;
    }
  }
}

function* stringOf(bytes: Buffer, from: number, cuts: readonly number[]): Generator<undefined, string> {
  const pieces: string[] = [];
  let at = from;
  for (const cut of cuts) {
    const piece: unknown = JSON.parse(`"${bytes.toString("utf8", at, cut)}"`);
    if (typeof piece !== "string") throw new SyntaxError("not a string");
    pieces.push(piece);
    at = cut;
    if (cuts.length > 1) yield;
  }
  return pieces.join("");
}

/** Whether the next character, apart from white space, is a colon. */
function isName(bytes: Buffer, behind: number): boolean {
  let at = behind;
  while (IS_BLANK[bytes[at] ?? 0]) at++;
  return bytes[at] === COLON;
}
