import { Api } from "./api.ts";
import { sourceFolder } from "./source-folder.ts";

/** Length that yields three to four chunks per file but is too short for a tree of sections. */
export const WORDS_PER_FILE = 360;
/** Approximate: an account is filled until it has the required number of chunks. */
const CHUNKS_PER_FILE = 3.6;
/** Maximum number of imports, so that the loop ends. */
const MAX_IMPORTS = 80;
export const FILES_PER_DIRECTORY = 20;
/** Number of files per import that the server can process within its longest wait. */
export const FILES_PER_IMPORT = 7000;
const WAIT_SECONDS = 300;

/** The HTTP header that selects the account with the given number of chunks. */
export const accountOf = (chunks: number) => ({ "x-ctx-account": `chunks-${chunks}` });

/**
 * Creates an account with the given number of chunks, including those of directories. Returns the URIs of its
 * directories.
 */
export async function fillAccount(
  port: number,
  corpus: { text(words: number): string },
  chunks: number,
): Promise<string[]> {
  const api = await Api.open(port, 1, accountOf(chunks));
  const directories: string[] = [];
  let missing = chunks - (await documentsOf(api));
  for (let i = 0; missing > 0 && i < MAX_IMPORTS; i++) {
    const files = Math.min(FILES_PER_IMPORT, Math.ceil(missing / CHUNKS_PER_FILE));
    const folder = await sourceFolder(
      Array.from({ length: files }, () => corpus.text(WORDS_PER_FILE)),
      FILES_PER_DIRECTORY,
    );
    const root = `ctx://resources/texts${i}`;
    await api.post("/api/v1/resources", { path: folder.path, to: root, wait: true, timeout: WAIT_SECONDS });
    await folder.remove();
    for (let d = 0; d < files / FILES_PER_DIRECTORY; d++) directories.push(`${root}/d${d}`);
    missing = chunks - (await documentsOf(api));
  }
  api.close();
  return directories;
}

/** Returns the number of chunks visible to a find in the account. */
async function documentsOf(api: Api): Promise<number> {
  const { explain } = await api.post<{ explain: { documents: number } }>("/api/v1/search/find", {
    query: "chunks",
    explain: true,
  });
  return explain.documents;
}
