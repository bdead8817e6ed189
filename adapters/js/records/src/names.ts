/**
 * Converts any text to the path of a node and back; the names are the same as those of the Python adapters. A
 * full stop is always escaped, so that an adapter's own names (`item.json`) never collide with keys.
 */
const PLAIN = /^[A-Za-z0-9_\-@+=,: ]$/;
const ESCAPED = /^(?:%[0-9A-F]{2}|[A-Za-z0-9_\-@+=,: ])+$/;
/** Maximum bytes of a segment: leaves room for a suffix within the server's 255. */
const SEGMENT = 200;
const EMPTY = "%";
const CONTINUES = "~";

/**
 * Returns a key as one segment, or as several if it is long: a segment that ends in `~` continues in the next
 * one.
 */
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

/** Returns the key in the first segments and the segments after it, or undefined if they contain none. */
export function takeKey(
  segments: readonly string[],
): { readonly key: string; readonly rest: readonly string[] } | undefined {
  const last = segments.findIndex((segment) => !segment.endsWith(CONTINUES));
  if (last === -1) return undefined;
  const own = segments.slice(0, last + 1);
  const key = unescaped(own.map((segment) => segment.replace(/~$/, "")).join(""));
  // other names may decode to the same key, but only the one of `keyPath` is its own
  if (key === undefined || keyPath(key) !== own.join("/")) return undefined;
  return { key, rest: segments.slice(last + 1) };
}

function unescaped(text: string): string | undefined {
  if (text === EMPTY) return "";
  if (!ESCAPED.test(text)) return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/**
 * The segments of a URI below a folder, without the suffix of the last one; none for any other URI. Schemes are
 * ignored and names compared in NFC, because a server answers in NFC and with its own scheme
 * (`CTXDB_URI_SCHEME`, or `viking` with `CTXDB_COMPAT=openviking`), however the call named the folder.
 */
export function below(uri: string, folder: string, suffix = ""): readonly string[] {
  const [path, outer] = [segmentsOf(uri), segmentsOf(folder)];
  const isBelow = path.length > outer.length && outer.every((segment, at) => segment === path[at]);
  const last = path.at(-1) ?? "";
  if (!isBelow || !last.endsWith(suffix)) return [];
  return [...path.slice(outer.length, -1), last.slice(0, last.length - suffix.length)];
}

const segmentsOf = (uri: string): string[] =>
  uri
    .normalize("NFC")
    .slice(uri.indexOf("://") + 3)
    .split("/")
    .filter((segment) => segment !== "");

/** Converts an id to a name with the opposite order, so that the newest is the first entry of its folder. */
export function newestFirst(id: string): string {
  return complement(Buffer.from(id)).toString("hex") + CONTINUES;
}

export function fromNewestFirst(name: string): string {
  return complement(Buffer.from(name.replace(/~$/, ""), "hex")).toString();
}

const complement = (bytes: Buffer): Buffer => Buffer.from(bytes.map((byte) => 0xff - byte));
