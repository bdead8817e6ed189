import { compileGlob, type Glob } from "../domain/glob.ts";

const MAX_RULES = 1000;

interface Rule {
  readonly negated: boolean;
  readonly directoriesOnly: boolean;
  readonly matches: Glob;
}

/** What the text of one `.gitignore` says of a path relative to its directory: ignored, taken back by `!`, or nothing (undefined). */
export type IgnoreRules = (path: string, isDirectory: boolean) => boolean | undefined;

/**
 * Reads a `.gitignore` by git's rules: later lines win, `!` takes back, a slash at the end means directories, one elsewhere ties the pattern to the file's own
 * directory. Lines that are no pattern say nothing. Matching is linear: the text comes from whoever made the source.
 */
export function parseIgnoreFile(text: string): IgnoreRules {
  const rules = text.split(/\r?\n/).slice(0, MAX_RULES).flatMap(parseLine).reverse();
  return (path, isDirectory) => {
    const last = rules.find((rule) => (isDirectory || !rule.directoriesOnly) && rule.matches(path));
    return last && !last.negated;
  };
}

function parseLine(line: string): Rule[] {
  let glob = line.replace(/(?<!\\)[ \t]+$/, "");
  if (glob === "" || glob.startsWith("#")) return [];
  const negated = glob.startsWith("!");
  if (negated) glob = glob.slice(1);
  const directoriesOnly = glob.endsWith("/");
  if (directoriesOnly) glob = glob.slice(0, -1);
  const isTied = glob.includes("/");
  glob = glob.replace(/^\//, "").replace(/[{}]/g, "\\$&");
  try {
    return [{ negated, directoriesOnly, matches: compileGlob(isTied ? glob : `**/${glob}`, "gitignore") }];
  } catch {
    return [];
  }
}
