/**
 * Any text as the path of a node, and back; the same names as those of the Python adapters. A full stop does
 * not stand for itself, so that a name of an adapter's own (`item.json`) is never the name of a key.
 */
const PLAIN = /^[A-Za-z0-9_\-@+=,: ]$/;
const ESCAPED = /^(?:%[0-9A-F]{2}|[A-Za-z0-9_\-@+=,: ])+$/;
/** Bytes of a segment: room for a suffix within the 255 of the server. */
const SEGMENT = 200;
const EMPTY = "%";
const CONTINUES = "~";

/** A key as one segment, or as several where it is long: one that ends in `~` goes on in the next. */
export function keyPath(key: string): string {
  if (!key.isWellFormed()) throw new TypeError("a key with a lone surrogate cannot be stored");
  const done: string[] = [];
  let piece = "";
  for (const byte of Buffer.from(key)) {
    const character = String.fromCharCode(byte);
    const escaped = PLAIN.test(character)
      ? character
      : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
    if (piece.length + escaped.length > SEGMENT) {
      done.push(piece + CONTINUES);
      piece = "";
    }
    piece += escaped;
  }
  return [...done, piece || EMPTY].join("/");
}

/** The key that the first segments spell, and the segments after it; undefined where they spell none. */
export function takeKey(
  segments: readonly string[],
): { readonly key: string; readonly rest: readonly string[] } | undefined {
  const last = segments.findIndex((segment) => !segment.endsWith(CONTINUES));
  if (last === -1) return undefined;
  const text = segments
    .slice(0, last + 1)
    .map((segment) => segment.replace(/~$/, ""))
    .join("");
  const rest = segments.slice(last + 1);
  if (text === EMPTY) return { key: "", rest };
  if (!ESCAPED.test(text)) return undefined;
  try {
    return { key: decodeURIComponent(text), rest };
  } catch {
    return undefined;
  }
}

/** An id as a name that sorts the other way round: the newest is the first entry of its folder. */
export function newestFirst(id: string): string {
  return complement(Buffer.from(id)).toString("hex") + CONTINUES;
}

export function fromNewestFirst(name: string): string {
  return complement(Buffer.from(name.replace(/~$/, ""), "hex")).toString();
}

const complement = (bytes: Buffer): Buffer => Buffer.from(bytes.map((byte) => 0xff - byte));
