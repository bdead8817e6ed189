import { Api } from "./api.ts";
import { sourceFolder } from "./source-folder.ts";

/** Three to four chunks, and not so long that a tree of sections is made of it. */
export const WORDS_PER_FILE = 360;
/** Nearly: an account is filled until it has as many as it is said to have. */
const CHUNKS_PER_FILE = 3.6;
/** Imports at most, so that it ends. */
const MAX_IMPORTS = 80;
export const FILES_PER_DIRECTORY = 20;
/** Files of an import that is waited for within the server's limit. */
export const FILES_PER_IMPORT = 7000;
const WAIT_SECONDS = 300;

/** The header of the account of so many chunks. */
export const accountOf = (chunks: number) => ({ "x-ctx-account": `chunks-${chunks}` });

/** Makes an account of so many chunks, those of the directories included; the URIs of its directories. */
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

/** Chunks that a find of the account sees. */
async function documentsOf(api: Api): Promise<number> {
  const { explain } = await api.post<{ explain: { documents: number } }>("/api/v1/search/find", {
    query: "chunks",
    explain: true,
  });
  return explain.documents;
}
