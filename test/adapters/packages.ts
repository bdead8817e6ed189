import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { REPOSITORY } from "../bench/harness/server.ts";

/** Environments are kept here between runs: one for the pinned versions, one for the newest ones. */
const CACHE = join(REPOSITORY, "node_modules/.cache/ctxdb-adapters");
/** Build output, which is ignored when packages are compared. */
const BUILT = /(^|\/)(build|dist|node_modules|package-lock\.json|__pycache__|[^/]*\.egg-info|\.[^/]*)$/;

export const cacheOf = (newest: boolean, language: string): string =>
  join(CACHE, newest ? "newest" : "pinned", language);

/** Returns every file of a folder except build output. */
function filesOf(folder: string): string[] {
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((path) => !BUILT.test(path))
    .flatMap((path) => (statSync(path).isDirectory() ? filesOf(path) : [path]));
}

/**
 * Runs `install` on copies of packages, kept under their repository paths, so that the checkout stays free of
 * build output. Packages that have not changed since the last run are not installed again, unless the newest
 * versions are requested.
 */
export async function installOnce(
  cache: string,
  sources: readonly string[],
  isNewest: boolean,
  install: (copies: readonly string[]) => Promise<void>,
): Promise<void> {
  const hash = createHash("sha256");
  for (const file of sources.flatMap(filesOf)) hash.update(file).update(readFileSync(file));
  const stamp = hash.digest("hex");
  const stampFile = join(cache, "stamp");
  if (!isNewest && existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp) return;
  await rm(stampFile, { force: true });
  const copies = sources.map((source) => copyOf(cache, source));
  for (const [index, source] of sources.entries()) {
    const copy = copies[index];
    if (copy === undefined) continue;
    await rm(copy, { recursive: true, force: true });
    await mkdir(dirname(copy), { recursive: true });
    await cp(source, copy, { recursive: true, filter: (path) => !BUILT.test(relative(source, path)) });
  }
  await install(copies);
  await writeFile(stampFile, stamp);
}

/** Returns the folder with the copy of a package. */
export const copyOf = (cache: string, source: string): string => join(cache, relative(REPOSITORY, source));
