/** Maximum length of a name in bytes: file systems allow 255; leaves room for a temporary suffix. */
const MAX_NAME_BYTES = 200;
/** Reserved device names on Windows, with any extension. */
const DEVICES = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/i;

/**
 * Converts a name from the server to a file name that is safe on any system: no separators, control
 * characters, or characters special to file systems and shells.
 */
export function safeName(name: string): string {
  const plain = name
    .toWellFormed()
    .normalize("NFC")
    .replace(/[^\p{L}\p{M}\p{N}._ +@=,()-]+/gu, "-")
    // no hidden names, no names that look like options, no trailing dots and spaces, which Windows drops
    .replace(/^[.\s-]+|[.\s]+$/g, "");
  const short = shortened(plain === "" ? "unnamed" : plain);
  return DEVICES.test(short) ? `_${short}` : short;
}

/** Shortens a long name, keeping its extension. */
function shortened(name: string): string {
  if (Buffer.byteLength(name) <= MAX_NAME_BYTES) return name;
  const extension = /\.[^.]{1,16}$/.exec(name)?.[0] ?? "";
  const room = MAX_NAME_BYTES - Buffer.byteLength(extension);
  let start = "";
  for (const character of name) {
    if (Buffer.byteLength(start + character) > room) break;
    start += character;
  }
  return start + extension;
}

/**
 * Whether `safeName` would leave the name unchanged. Names in a record on disk are as untrusted as names from
 * a server.
 */
export const isSafeName = (name: string): boolean => name !== "" && safeName(name) === name;

/** Names that remain distinct on case-insensitive file systems. */
export class DistinctNames {
  readonly #taken = new Set<string>();

  /** The safe form of a name, numbered if already used. */
  add(name: string): string {
    const safe = safeName(name);
    const [, stem = safe, extension = ""] = /^(.+?)(\.[^.]*)?$/.exec(safe) ?? [];
    let distinct = safe;
    for (let number = 2; this.#taken.has(folded(distinct)); number++)
      distinct = `${stem}-${number}${extension}`;
    this.#taken.add(folded(distinct));
    return distinct;
  }
}

const folded = (name: string): string => name.normalize("NFKC").toLowerCase();
