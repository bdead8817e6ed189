import { itemAt } from "../base/expect.ts";
import { invalidUri } from "./errors.ts";

/** Validated segments of a URI after `scheme://`, in NFC; empty for `ctx://`. */
export type Path = readonly string[];

export const MAX_SEGMENT_BYTES = 255;
export const MAX_SEGMENTS = 64;
export const MAX_URI_BYTES = 4096;

/**
 * Control characters, line and paragraph separators, bidi controls and the backslash; joiners are allowed.
 */
const FORBIDDEN = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\\]/u;
/** Bytes reserved for the scheme. */
const SCHEME_BYTES = 64;
const SCOPES = new Set(["resources", "user", "agent", "skills", "session"]);

/** Why a name cannot be a URI segment; undefined if it can. The name must be in NFC. */
export function segmentFault(name: string): string | undefined {
  if (name === "") return "an empty segment";
  if (name === "." || name === "..") return `the segment ${JSON.stringify(name)}`;
  if (name.includes("/") || FORBIDDEN.test(name)) return "a forbidden character";
  if (!name.isWellFormed()) return "a lone surrogate";
  if (Buffer.byteLength(name) > MAX_SEGMENT_BYTES) return `a segment of more than ${MAX_SEGMENT_BYTES} bytes`;
  return undefined;
}

/** Whether `inner` is `outer`, or below it. */
export const isAtOrInside = (inner: Path, outer: Path): boolean =>
  outer.every((name, i) => inner[i] === name);

/** Whether `inner` is below `outer`. */
export const isInside = (inner: Path, outer: Path): boolean =>
  inner.length > outer.length && isAtOrInside(inner, outer);

/** Limit of `pathBytes` that is safe for every scheme. */
export const MAX_PATH_BYTES = MAX_URI_BYTES - SCHEME_BYTES;

/** Length in bytes of a path in a URI, without the scheme. */
export const pathBytes = (path: Path): number => Buffer.byteLength(path.join("/"));

/** Whether a path fits into a URI with any scheme. */
export const fitsUri = (path: Path): boolean =>
  path.length <= MAX_SEGMENTS && pathBytes(path) <= MAX_PATH_BYTES;

/**
 * Parses and formats URIs: writes the configured scheme, and also accepts its aliases (CTXDB_URI_SCHEME*).
 */
export class UriCodec {
  readonly scheme: string;
  readonly #accepted: ReadonlySet<string>;

  constructor(scheme: string, aliases: readonly string[]) {
    this.scheme = scheme;
    this.#accepted = new Set([scheme, ...aliases]);
  }

  /**
   * Parses a URI. Throws INVALID_URI {uri, reason} if it is invalid. Drops a trailing slash; `ctx://skills`
   * becomes `agent/skills`.
   */
  parse(text: string): Path {
    const end = text.indexOf("://");
    if (end < 0 || !this.#accepted.has(text.slice(0, end)))
      throw invalidUri(text, `it must begin with ${this.scheme}://`);
    const nfc = text.normalize("NFC");
    if (Buffer.byteLength(nfc) > MAX_URI_BYTES)
      throw invalidUri(text, `it is longer than ${MAX_URI_BYTES} bytes`);
    let rest = nfc.slice(end + 3);
    if (rest.endsWith("/")) rest = rest.slice(0, -1);
    if (rest === "") {
      if (nfc.endsWith(":////")) throw invalidUri(text, "it has an empty segment");
      return [];
    }
    const named = rest.split("/");
    const segments = named[0] === "skills" ? ["agent", ...named] : named;
    if (segments.length > MAX_SEGMENTS) throw invalidUri(text, `it has more than ${MAX_SEGMENTS} segments`);
    for (const segment of segments) {
      const fault = segmentFault(segment);
      if (fault) throw invalidUri(text, `it has ${fault}`);
    }
    if (!SCOPES.has(itemAt(named, 0)))
      throw invalidUri(
        text,
        `unknown scope ${JSON.stringify(named[0])}; the scopes are resources, user, agent, skills and session`,
      );
    return segments;
  }

  /** The URI of a path; only the root has a trailing slash. */
  format(path: Path): string {
    return `${this.scheme}://${path.join("/")}`;
  }
}

/** Order of names in every list: by code point of the NFC name, which differs from UTF-16 order. */
export function compareNames(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    let x = a.charCodeAt(i);
    let y = b.charCodeAt(i);
    if (x === y) continue;
    // surrogates encode code points above all other units
    if (x >= 0xd800 && x <= 0xdfff) x += 0x10000;
    if (y >= 0xd800 && y <= 0xdfff) y += 0x10000;
    return x - y;
  }
  return a.length - b.length;
}
