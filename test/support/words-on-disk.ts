import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * Returns the part of a text's base64 form that does not depend on its neighbours, for each of the three
 * possible offsets.
 */
const base64Of = (text: string): string[] =>
  [0, 1, 2].map((shift) =>
    Buffer.from(`${" ".repeat(shift)}${text}`)
      .toString("base64")
      .slice(4, -4),
  );

/** Whether bytes contain a word of at least eight letters, in any case, as UTF-8, UTF-16 or base64. */
export function holdsWord(bytes: Buffer, word: string): boolean {
  return [word, word.toLowerCase()].some((text) =>
    [
      Buffer.from(text),
      Buffer.from(text, "utf16le"),
      ...base64Of(text).map((part) => Buffer.from(part)),
    ].some((needle) => bytes.includes(needle)),
  );
}

/**
 * Returns the files below a folder with the listed words that each contains. Compression hides repetitions
 * within a block, so the words must consist of random letters: then the first occurrence in a block is stored
 * literally.
 */
export async function filesWith(
  folder: string,
  ...words: readonly string[]
): Promise<{ path: string; held: string[] }[]> {
  const found: { path: string; held: string[] }[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
      // removed in the meantime
      if (error.code !== "ENOENT") throw error;
    });
    const held = bytes ? words.filter((word) => holdsWord(bytes, word)) : [];
    if (held.length > 0) found.push({ path: path.slice(folder.length), held });
  }
  return found;
}
