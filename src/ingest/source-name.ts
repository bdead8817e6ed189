import { cutName, extensionOf, stemOf } from "../domain/text/names.ts";
import { MAX_SEGMENT_BYTES, segmentFault } from "../domain/uri.ts";

/** Name of an import whose source has none. */
const FALLBACK = "resource";
const FORBIDDEN = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\\/]/gu;

/**
 * Converts a name to a URI segment: NFC, `_` for forbidden characters and lone surrogates, at most `maxBytes`
 * of UTF-8. Keeps the extension.
 */
export function legalSegment(name: string, maxBytes = MAX_SEGMENT_BYTES): string {
  const clean = name.toWellFormed().replaceAll("\ufffd", "_").replace(FORBIDDEN, "_").normalize("NFC");
  const cut = cutBytes(clean, maxBytes);
  return segmentFault(cut) === undefined ? cut : "_";
}

/**
 * Name of an import's root: a file name without extension, or a directory name; `resource` if that is empty.
 */
export function rootName(name: string, isDirectory: boolean): string {
  const stem = isDirectory ? name : stemOf(name);
  const legal = legalSegment(stem.trim());
  return /^[_.\s]*$/.test(legal) ? FALLBACK : legal;
}

function cutBytes(name: string, maxBytes: number): string {
  if (Buffer.byteLength(name) <= maxBytes) return name;
  const extension = extensionOf(name);
  const tail =
    extension !== "" && Buffer.byteLength(extension) <= 16
      ? name.slice(name.length - extension.length - 1)
      : "";
  return cutName(name.slice(0, name.length - tail.length), maxBytes - Buffer.byteLength(tail)) + tail;
}
