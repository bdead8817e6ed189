import { createReadStream } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import ignore, { type Ignore } from "ignore";
import { CtxdbError } from "../errors.ts";
import { MAX_CHUNK_BYTES, type UploadSource } from "../sources.ts";
import { type ZipInput, zipOf } from "../zip.ts";

/** Folders that are skipped; folders whose name starts with a dot are always skipped. */
const SKIPPED = new Set([
  "node_modules",
  "bower_components",
  "vendor",
  "venv",
  "site-packages",
  "__pycache__",
  "target",
  "CVS",
]);
const IGNORE_FILE = ".gitignore";
const MAX_IGNORE_BYTES = 1024 * 1024;
const MAX_DEPTH = 64;

/**
 * Opens a file as it is, or a folder as a zip that is created while it is read. Throws NOT_FOUND if the path
 * does not exist.
 */
export async function sourceOfPath(path: string): Promise<UploadSource> {
  const whole = resolve(path);
  const found = await stat(whole).catch(() => undefined);
  if (found?.isFile()) return { name: basename(whole), bytes: () => readFrom(whole) };
  if (!found?.isDirectory()) {
    throw new CtxdbError("NOT_FOUND", `path ${path}: no such file or folder on this machine`, {
      resource: path,
      type: "path",
    });
  }
  return {
    name: `${basename(whole) || "folder"}.zip`,
    contentType: "application/zip",
    bytes: () => zipOf(filesBelow(whole)),
  };
}

const readFrom = (path: string): AsyncIterable<Uint8Array> =>
  createReadStream(path, { highWaterMark: MAX_CHUNK_BYTES });

/** The ignore rules of one folder for the paths below it. */
interface Rules {
  readonly base: string;
  readonly rules: Ignore;
}

/** The files below a folder, sorted by name, without hidden and ignored files, dependencies and links. */
async function* filesBelow(
  root: string,
  folder = "",
  above: readonly Rules[] = [],
  depth = 0,
): AsyncGenerator<ZipInput> {
  const entries = await readdir(join(root, folder), { withFileTypes: true });
  const own = entries.some((entry) => entry.name === IGNORE_FILE && entry.isFile())
    ? await rulesOf(root, folder)
    : undefined;
  const rules = own ? [...above, own] : above;
  for (const { name, ...entry } of entries.sort((a, b) => (a.name < b.name ? -1 : 1)).map(describe)) {
    const path = folder === "" ? name : `${folder}/${name}`;
    if (name.startsWith(".") || isIgnored(rules, entry.isFolder ? `${path}/` : path)) continue;
    if (entry.isFolder && !SKIPPED.has(name) && depth < MAX_DEPTH)
      yield* filesBelow(root, path, rules, depth + 1);
    if (entry.isFile)
      yield { path, modified: (await stat(join(root, path))).mtime, bytes: () => readFrom(join(root, path)) };
  }
}

const describe = (entry: { name: string; isFile(): boolean; isDirectory(): boolean }) => ({
  name: entry.name,
  isFile: entry.isFile(),
  isFolder: entry.isDirectory(),
});

async function rulesOf(root: string, folder: string): Promise<Rules | undefined> {
  const path = join(root, folder, IGNORE_FILE);
  if ((await stat(path)).size > MAX_IGNORE_BYTES) return undefined;
  return { base: folder === "" ? "" : `${folder}/`, rules: ignore().add(await readFile(path, "utf8")) };
}

/** The nearest ignore file with a matching rule decides. */
function isIgnored(all: readonly Rules[], path: string): boolean {
  for (const { base, rules } of all.toReversed()) {
    const { ignored, unignored } = rules.test(path.slice(base.length));
    if (ignored || unignored) return ignored;
  }
  return false;
}
