import { YieldBudget } from "../base/event-loop.ts";
import { invalidArgument } from "../domain/errors.ts";
import { compileGlob, type Glob, type GlobWork } from "../domain/patterns/glob.ts";
import { isHidden, RESERVED_NAMES } from "../domain/scope.ts";
import { type IgnoreRules, ignoreRules, parseIgnoreFile, type RuleWork } from "./gitignore.ts";
import type { SourceFilter } from "./source.ts";

/**
 * Directories that an import skips by default: dependencies, caches, build output, version control.
 * Directories whose name starts with a dot are always skipped.
 */
export const SKIPPED_DIRECTORIES: ReadonlySet<string> = new Set([
  "node_modules",
  "bower_components",
  "vendor",
  "venv",
  "site-packages",
  "__pycache__",
  "target",
  "CVS",
]);

export const IGNORE_FILE = ".gitignore";
const MAX_GLOBS = 200;
/**
 * Maximum number of rules in all ignore files of a source together, because they stay in memory while files
 * are selected.
 */
const MAX_IGNORE_RULES = 100_000;
const MAX_IGNORE_LENGTH = 4 * 1024 * 1024;
/** Number of matching steps between two yields. */
const STEPS_PER_TURN = 150_000;
/**
 * Maximum steps for one path and all patterns, which run without a yield. Ordinary patterns need less than a
 * hundredth.
 */
const MAX_STEPS_OF_PATH = 1_000_000;
/** Cost of a path without patterns, in steps; a source may have a hundred thousand paths. */
const STEPS_OF_PATH = 100;
/** Maximum table rows for the globs of one import; bounds their memory. */
const MAX_ROWS = 20_000;
/** Maximum steps for all paths of a source; bounds the total time. */
const MAX_STEPS = 2_000_000_000;

/**
 * Selects the files of an import. Paths are relative to its root and use `/`. Call `rest` after each path.
 */
export class ImportFilter {
  readonly #ignoredDirectories: readonly Glob[];
  readonly #include: readonly Glob[];
  readonly #exclude: readonly Glob[];
  /** Rules by directory with a trailing slash; "" for the root. */
  readonly #ignores = new Map<string, IgnoreRules>();
  readonly #work = new PathWork();
  readonly #turns = new YieldBudget(STEPS_PER_TURN);
  #rested = 0;
  #rules = 0;
  #ignoreLength = 0;

  /** Throws INVALID_ARGUMENT with the field's name for an invalid glob or too many globs. */
  constructor(filter: SourceFilter) {
    this.#ignoredDirectories = globsOf(filter.ignoreDirs, "ignore_dirs", "", this.#work);
    this.#include = globsOf(filter.include, "include", "**", this.#work);
    this.#exclude = globsOf(filter.exclude, "exclude", "**", this.#work);
  }

  /** Matching steps so far. */
  get steps(): number {
    return this.#work.steps;
  }

  /**
   * Adds the ignore file of a directory ("" for the root); it applies to everything below. Throws
   * INVALID_ARGUMENT if there are too many rules.
   */
  addIgnoreFile(directory: string, text: string): void {
    const rules = parseIgnoreFile(text);
    this.#rules += rules.length;
    for (const { glob } of rules) this.#ignoreLength += glob.length;
    this.#work.steps += text.length;
    if (this.#rules > MAX_IGNORE_RULES || this.#ignoreLength > MAX_IGNORE_LENGTH) {
      const most = `${MAX_IGNORE_RULES} rules or ${MAX_IGNORE_LENGTH} characters`;
      throw invalidArgument(
        IGNORE_FILE,
        `the .gitignore files of the source have more than ${most}: remove some of them`,
      );
    }
    this.#ignores.set(directory === "" ? "" : `${directory}/`, ignoreRules(rules, this.#work));
  }

  takesDirectory(path: string): boolean {
    this.#work.begin(path);
    const name = nameOf(path);
    if (isHidden(name) || SKIPPED_DIRECTORIES.has(name) || this.#matchesAny(this.#ignoredDirectories, path))
      return false;
    return !this.#isIgnored(path, true);
  }

  /** Files that are "reserved" are reported to the caller; other skipped files are not. */
  judgeFile(path: string): "take" | "pass" | "reserved" {
    this.#work.begin(path);
    const name = nameOf(path);
    if (RESERVED_NAMES.has(name)) return "reserved";
    if (isHidden(name) || this.#isIgnored(path, false)) return "pass";
    if (this.#matchesAny(this.#exclude, path)) return "pass";
    return this.#include.length === 0 || this.#matchesAny(this.#include, path) ? "take" : "pass";
  }

  /**
   * Yields if necessary: await the promise, if one is returned. Throws INVALID_ARGUMENT if the patterns take
   * too long for all paths together.
   */
  rest(): Promise<void> | undefined {
    const done = this.#work.steps - this.#rested;
    this.#rested = this.#work.steps;
    if (this.#work.steps > MAX_STEPS)
      throw tooSlow(`matching all files of the source needs more than ${MAX_STEPS} steps`);
    return this.#turns.spend(done + STEPS_OF_PATH);
  }

  #matchesAny(globs: readonly Glob[], path: string): boolean {
    for (const glob of globs) {
      if (glob(path)) return true;
      this.#work.check();
    }
    return false;
  }

  /** The nearest ignore file with a matching rule decides. */
  #isIgnored(path: string, isDirectory: boolean): boolean {
    if (this.#ignores.size === 0) return false;
    for (let end = path.lastIndexOf("/") + 1; ; end = path.lastIndexOf("/", end - 2) + 1) {
      const said = this.#ignores.get(path.slice(0, end))?.(path.slice(end), isDirectory);
      if (said !== undefined) return said;
      if (end === 0) return false;
    }
  }
}

/** Counts the steps of the current path, and of all paths. */
class PathWork implements RuleWork {
  steps = 0;
  rowsLeft = MAX_ROWS;
  #path = "";
  #most = MAX_STEPS_OF_PATH;

  begin(path: string): void {
    this.#path = path;
    this.#most = this.steps + MAX_STEPS_OF_PATH;
  }

  check(): void {
    if (this.steps > this.#most)
      throw tooSlow(`matching ${this.#path} alone needs more than ${MAX_STEPS_OF_PATH} steps`);
  }
}

const tooSlow = (what: string) =>
  invalidArgument(
    "patterns",
    `include, exclude, ignore_dirs and the ignore files: ${what}; use fewer or shorter patterns`,
  );

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/**
 * Compiles globs. Without a slash, a glob matches the base name at any depth; with a slash, the relative
 * path. A trailing slash matches everything below.
 */
function globsOf(list: string, field: string, below: string, work: GlobWork): Glob[] {
  const globs = splitList(list);
  if (globs.length > MAX_GLOBS) throw invalidArgument(field, `must have at most ${MAX_GLOBS} patterns`);
  return globs.map((text) => {
    const whole = (text.endsWith("/") ? text + below : text).replace(/^\.?\//, "").replace(/\/$/, "");
    const glob = compileGlob(whole, field, work);
    return /\/(?!$)/.test(text) || (text.endsWith("/") && below !== "")
      ? glob
      : (path: string) => glob(nameOf(path));
  });
}

/** Splits a list at commas outside braces and brackets. */
function splitList(list: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let part = "";
  for (const symbol of list) {
    if (symbol === "," && depth === 0) {
      parts.push(part);
      part = "";
      continue;
    }
    if (symbol === "{" || symbol === "[") depth++;
    else if (symbol === "}" || symbol === "]") depth = Math.max(0, depth - 1);
    part += symbol;
  }
  parts.push(part);
  return parts.map((one) => one.trim()).filter((one) => one !== "");
}
