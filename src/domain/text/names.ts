import { lastOf } from "../../base/expect.ts";
import { MAX_SEGMENT_BYTES } from "../uri.ts";

/** A file name without its last extension; a name such as `.env` is returned unchanged. */
export function stemOf(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(0, dot) : name;
}

/** Extension in lower case; "" if there is no dot or nothing before it. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(dot + 1).toLowerCase() : "";
}

/**
 * The longest prefix of a name that has at most `maxBytes` bytes and does not end in half a character or a
 * space.
 */
export function cutName(name: string, maxBytes: number): string {
  if (Buffer.byteLength(name) <= maxBytes) return name;
  let room = maxBytes;
  let cut = "";
  for (const symbol of name) {
    room -= Buffer.byteLength(symbol);
    if (room < 0) break;
    cut += symbol;
  }
  return cut.trimEnd();
}

/** A name with an ending as a URI segment; a long name is cut before the ending. */
export const withEnding = (name: string, ending: string): string =>
  cutName(name, MAX_SEGMENT_BYTES - Buffer.byteLength(ending)) + ending;

/** The first free name among `name`, `name_1`, `name_2` … */
export function freeName(wanted: readonly string[], isTaken: (name: string) => boolean): string {
  for (const name of wanted) if (!isTaken(name)) return name;
  for (let i = 1; ; i++) {
    const name = withEnding(lastOf(wanted), `_${i}`);
    if (!isTaken(name)) return name;
  }
}

/** Name of the text converted from a file: `<stem>.md` in the same directory, or the next free name. */
export const textName = (name: string, isTaken: (name: string) => boolean): string =>
  freeName([withEnding(stemOf(name), ".md"), withEnding(name, ".md")], isTaken);

/** Name of the directory for a file's sections: `<stem>` in the same directory, or the next free name. */
export function sectionsName(name: string, isTaken: (name: string) => boolean): string {
  const stem = stemOf(name);
  const named = withEnding(stem, "_sections");
  return freeName(stem === name ? [named] : [stem, named], isTaken);
}

/** Formats names: `a, b, c and 4 more`. */
export function named(names: readonly string[], most: number): string {
  const shown = [...new Set(names.filter((name) => name !== ""))];
  const more = shown.length - most;
  if (more > 0) return `${shown.slice(0, most).join(", ")} and ${more.toLocaleString("en-US")} more`;
  return shown.length > 1 ? `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}` : shown.join("");
}

/** Like `named`, but shows one name more instead of `and 1 more`. */
export function listNames(names: readonly string[], most: number): string {
  const all = [...new Set(names.filter((name) => name !== ""))];
  return named(all, all.length === most + 1 ? all.length : most);
}
