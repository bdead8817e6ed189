import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** The middle of what a text becomes in base64 at each of the three places that it may have. */
const base64Of = (text: string): string[] =>
  [0, 1, 2].map((shift) =>
    Buffer.from(`${" ".repeat(shift)}${text}`)
      .toString("base64")
      .slice(4, -4),
  );

/** Whether bytes hold a word of eight letters or more, in any case, as UTF-8, UTF-16 or base64. */
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
 * Files below a folder, each with the words of a list that it holds. Compression hides what is repeated within
 * a block: a word has to be of random letters, so that its first place in a block is written out.
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
      // removed meanwhile
      if (error.code !== "ENOENT") throw error;
    });
    const held = bytes ? words.filter((word) => holdsWord(bytes, word)) : [];
    if (held.length > 0) found.push({ path: path.slice(folder.length), held });
  }
  return found;
}
