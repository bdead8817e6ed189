import { itemAt } from "../base/expect.ts";
import { compileGlob, type Glob, type GlobWork, MAX_GLOB_LENGTH } from "../domain/patterns/glob.ts";

/** Maximum lines read from one file; the rest is ignored. */
const MAX_LINES = 1000;

/** Cost of compiling a character, in matching steps. */
const STEPS_PER_CHARACTER = 5;

/** Counts the steps for successive paths. */
export interface RuleWork extends GlobWork {
  /** Throws if the path has used up its steps. Called between rules. */
  check(): void;
}

/** A parsed line of an ignore file. */
export interface IgnoreRule {
  readonly negated: boolean;
  readonly directoriesOnly: boolean;
  /** Matched against paths relative to the file's directory. */
  readonly glob: string;
}

/** Whether a path, relative to the ignore file's directory, is ignored; undefined if no rule matches. */
export type IgnoreRules = (path: string, isDirectory: boolean) => boolean | undefined;

/**
 * Parses a `.gitignore` by git's rules: later lines win, `!` negates, a trailing slash matches only
 * directories, a slash elsewhere anchors the pattern to the file's directory. Invalid lines are ignored. Runs
 * in linear time, because the text is untrusted.
 */
export function parseIgnoreFile(text: string): IgnoreRule[] {
  const rules: IgnoreRule[] = [];
  for (let start = 0, line = 0; start <= text.length && line < MAX_LINES; line++) {
    const found = text.indexOf("\n", start);
    const end = found < 0 ? text.length : found;
    const rule = parseLine(text.slice(start, found > start && text[found - 1] === "\r" ? found - 1 : end));
    if (rule) rules.push(rule);
    start = end + 1;
  }
  return rules;
}

function parseLine(line: string): IgnoreRule | undefined {
  let glob = line.slice(0, endOf(line));
  if (glob === "" || glob.startsWith("#")) return undefined;
  const negated = glob.startsWith("!");
  if (negated) glob = glob.slice(1);
  const directoriesOnly = glob.endsWith("/");
  if (directoriesOnly) glob = glob.slice(0, -1);
  const isTied = glob.includes("/");
  if (glob.length > MAX_GLOB_LENGTH) return undefined;
  glob = glob.replace(/^\//, "").replace(/[{}]/g, "\\$&");
  return { negated, directoriesOnly, glob: isTied ? glob : `**/${glob}` };
}

/** Length without trailing spaces; a space after a backslash is kept. */
function endOf(line: string): number {
  let end = line.length;
  while (end > 0 && (line[end - 1] === " " || line[end - 1] === "\t")) end--;
  return end < line.length && line[end - 1] === "\\" ? end + 1 : end;
}

/** Compiles each rule on first use, because most rules are never needed for most paths. */
export function ignoreRules(rules: readonly IgnoreRule[], work: RuleWork): IgnoreRules {
  const compiled: (Glob | undefined)[] = [];
  return (path, isDirectory) => {
    for (let i = rules.length - 1; i >= 0; i--) {
      const { glob, negated, directoriesOnly } = itemAt(rules, i);
      if (directoriesOnly && !isDirectory) continue;
      const matches = compiled[i] ?? compileRule(glob, work);
      compiled[i] = matches;
      if (matches(path)) return !negated;
      work.check();
    }
    return undefined;
  };
}

function compileRule(glob: string, work: GlobWork): Glob {
  work.steps += STEPS_PER_CHARACTER * glob.length;
  try {
    return compileGlob(glob, "gitignore", work);
  } catch {
    return () => false;
  }
}
