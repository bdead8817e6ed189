/** Bytes of a name: file systems take 255; room for the suffix of a temporary file. */
const MAX_NAME_BYTES = 200;
/** Device names of Windows, with any extension. */
const DEVICES = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/i;

/**
 * A name from the server as the name of a file on any system: without separators, control characters and
 * whatever else has a meaning to a file system or a shell.
 */
export function safeName(name: string): string {
  const plain = name
    .toWellFormed()
    .normalize("NFC")
    .replace(/[^\p{L}\p{M}\p{N}._ +@=,()-]+/gu, "-")
    // a hidden name, a name for an option, and the ends that Windows drops
    .replace(/^[.\s-]+|[.\s]+$/g, "");
  const short = shortened(plain === "" ? "unnamed" : plain);
  return DEVICES.test(short) ? `_${short}` : short;
}

/** The beginning and the extension of a long name. */
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

/** Whether it is what `safeName` gives: names in a record on disk are as untrusted as names from a server. */
export const isSafeName = (name: string): boolean => name !== "" && safeName(name) === name;

/** Names of one folder that differ on file systems that ignore case, too. */
export class DistinctNames {
  readonly #taken = new Set<string>();

  /** The safe form of a name, with a number where another name has it already. */
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
