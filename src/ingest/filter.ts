import { invalidArgument } from "../domain/errors.ts";
import { compileGlob, type Glob } from "../domain/glob.ts";
import { isHidden, RESERVED_NAMES } from "../domain/scope.ts";
import { type IgnoreRules, parseIgnoreFile } from "./ignore-file.ts";
import type { SourceFilter } from "./source.ts";

/** Directories that an import passes over without being asked (ruling R10): version control, dependencies, caches. Dot directories are passed over anyway. */
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

/** What an import takes of what it finds; paths are relative to its root, with `/`. */
export class ImportFilter {
  readonly #ignoredDirectories: readonly Glob[];
  readonly #include: readonly Glob[];
  readonly #exclude: readonly Glob[];
  readonly #ignores: { readonly base: string; readonly rules: IgnoreRules }[] = [];

  /** INVALID_ARGUMENT naming the field for a glob that is none, or for too many. */
  constructor(filter: SourceFilter) {
    this.#ignoredDirectories = globsOf(filter.ignoreDirs, "ignore_dirs", "");
    this.#include = globsOf(filter.include, "include", "**");
    this.#exclude = globsOf(filter.exclude, "exclude", "**");
  }

  /** Adds the text of an ignore file found in a directory ("" for the root); it holds for what is below. */
  addIgnoreFile(directory: string, text: string): void {
    this.#ignores.push({ base: directory === "" ? "" : `${directory}/`, rules: parseIgnoreFile(text) });
  }

  takesDirectory(path: string): boolean {
    const name = nameOf(path);
    if (isHidden(name) || SKIPPED_DIRECTORIES.has(name) || this.#ignoredDirectories.some((glob) => glob(path))) return false;
    return !this.#isIgnored(path, true);
  }

  /** `reserved` is said to the caller, everything else is passed over in silence. */
  judgeFile(path: string): "take" | "pass" | "reserved" {
    const name = nameOf(path);
    if (RESERVED_NAMES.has(name)) return "reserved";
    if (isHidden(name) || this.#isIgnored(path, false)) return "pass";
    if (this.#exclude.some((glob) => glob(path))) return "pass";
    return this.#include.length === 0 || this.#include.some((glob) => glob(path)) ? "take" : "pass";
  }

  /** The nearest ignore file that says anything of the path decides. */
  #isIgnored(path: string, isDirectory: boolean): boolean {
    for (let i = this.#ignores.length - 1; i >= 0; i--) {
      const { base, rules } = this.#ignores[i]!;
      const said = path.startsWith(base) ? rules(path.slice(base.length), isDirectory) : undefined;
      if (said !== undefined) return said;
    }
    return false;
  }
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** Without a slash a glob is matched against the base name at any depth, with one against the relative path (ruling R9); a slash at the end means `below`. */
function globsOf(list: string, field: string, below: string): Glob[] {
  const globs = splitList(list);
  if (globs.length > MAX_GLOBS) throw invalidArgument(field, `more than ${MAX_GLOBS} patterns`);
  return globs.map((text) => {
    const whole = (text.endsWith("/") ? text + below : text).replace(/^\.?\//, "").replace(/\/$/, "");
    const glob = compileGlob(whole, field);
    return /\/(?!$)/.test(text) || (text.endsWith("/") && below !== "") ? glob : (path: string) => glob(nameOf(path));
  });
}

/** Splits at commas that stand outside of braces and brackets. */
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
