import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { REPOSITORY } from "../bench/harness/server.ts";

/** Environments are kept here between runs: one for the pinned versions, one for the newest. */
const CACHE = join(REPOSITORY, "node_modules/.cache/ctxdb-adapters");
/** What a build leaves behind; a package is the same with and without it. */
const BUILT = /(^|\/)(build|dist|node_modules|package-lock\.json|__pycache__|[^/]*\.egg-info|\.[^/]*)$/;

export const cacheOf = (newest: boolean, language: string): string =>
  join(CACHE, newest ? "newest" : "pinned", language);

/** Every file of a folder, without what builds leave there. */
function filesOf(folder: string): string[] {
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((path) => !BUILT.test(path))
    .flatMap((path) => (statSync(path).isDirectory() ? filesOf(path) : [path]));
}

/**
 * Has `install` work on copies of packages, under their paths in the repository, so that no build is left in
 * the checkout. What has not changed since the last time is not installed again, unless it is to be the
 * newest.
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

/** Where the copy of a package is. */
export const copyOf = (cache: string, source: string): string => join(cache, relative(REPOSITORY, source));
