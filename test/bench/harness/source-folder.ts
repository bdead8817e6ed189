import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { Api } from "./api.ts";

const FILES_PER_DIRECTORY = 20;

/** Writes a folder with one file per text; call `remove` at the end. */
export async function sourceFolder(
  texts: readonly string[],
  filesPerDirectory = FILES_PER_DIRECTORY,
): ReturnType<typeof temporaryFolder> {
  const folder = await temporaryFolder();
  for (const [i, text] of texts.entries()) {
    const directory = join(folder.path, `d${Math.floor(i / filesPerDirectory)}`);
    await mkdir(directory, { recursive: true });
    await writeFile(join(directory, `f${i}.txt`), text);
  }
  return folder;
}

/** Imports the texts and waits until all processing is done. */
export async function importTexts(
  port: number,
  account: Readonly<Record<string, string>>,
  texts: readonly string[],
): Promise<void> {
  const folder = await sourceFolder(texts);
  const api = await Api.open(port, 1, account);
  await api.post("/api/v1/resources", { path: folder.path, to: "ctx://resources/texts", wait: true });
  api.close();
  await folder.remove();
}
