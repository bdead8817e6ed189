import { execFile } from "node:child_process";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";

const run = promisify(execFile);

/** A page of Debian's manual. */
export interface ManualPage {
  /** `1`, `3`, … */
  readonly section: string;
  /** Includes the section: `ls.1`. */
  readonly name: string;
  /** Language of a translation: `de`, `zh_CN`, …; "" for the original. */
  readonly language: string;
  readonly text: string;
}

/** Shorter files only refer to another page (`.so`). */
const MIN_LENGTH = 600;
const PATH = /\/man\/(?:([a-z]{2}(?:_[A-Z]{2})?)\/)?man\d\/([^/]+\.(\d)[a-z]*)\.gz$/;

/** Returns the manual pages of Debian packages, by name. `folder` keeps the downloads for the next run. */
export async function manualPages(packages: readonly string[], folder: string): Promise<ManualPage[]> {
  const pages: ManualPage[] = [];
  for (const name of packages) {
    const files = await readdir(await unpacked(name, folder), { recursive: true });
    for (const file of files.sort()) {
      const [, language = "", page = "", section = ""] = PATH.exec(`/${file}`) ?? [];
      if (page === "") continue;
      const text = gunzipSync(await readFile(join(folder, name, file))).toString();
      if (text.length >= MIN_LENGTH) pages.push({ section, name: page, language, text });
    }
  }
  return pages;
}

async function unpacked(name: string, folder: string): Promise<string> {
  const to = join(folder, name);
  const isThere = (await readdir(folder).catch((): string[] => [])).includes(name);
  if (isThere) return to;
  const downloads = join(folder, "downloads", name);
  await mkdir(downloads, { recursive: true });
  await run("apt-get", ["download", name], { cwd: downloads });
  for (const file of await readdir(downloads)) await run("dpkg-deb", ["-x", join(downloads, file), to]);
  return to;
}
