import { basename, resolve } from "node:path";
import { parse } from "yaml";
import { StartError } from "../base/start-error.ts";
import { settings } from "./settings.ts";

/** Access to configuration files. */
export interface ConfigFiles {
  /** The working directory: searched for the file, and the base for relative paths. */
  readonly folder: string;
  /** The content of a file; undefined if it does not exist. */
  readonly read: (path: string) => string | undefined;
}

const NAMES = ["ctxdb.config.json", "ctxdb.config.yaml"];
const MAX_FILE_CHARACTERS = 1024 * 1024;

/**
 * Reads the settings from the file in `named` (CTXDB_CONFIG) or in the working directory, keyed by variable
 * name; returns them with the path of the file. In the file, settings are lower case without the prefix
 * (`root_api_key`); lists are arrays or comma-separated. YAML includes JSON.
 */
export function fromFile(
  named: string | undefined,
  files: ConfigFiles,
): { readonly name?: string; readonly path?: string; readonly values: Record<string, string> } {
  const candidates = named === undefined ? NAMES : [named];
  const found = candidates.flatMap((name) => {
    const path = resolve(files.folder, name);
    const content = files.read(path);
    return content === undefined ? [] : [{ name: basename(name), path, content }];
  });
  if (named !== undefined && found.length === 0)
    throw new StartError(
      `CTXDB_CONFIG: the file ${named} cannot be read: check the path and its permissions`,
    );
  if (found.length > 1)
    throw new StartError(
      `there are two configuration files, ${NAMES.join(" and ")}: keep one, or choose one with CTXDB_CONFIG`,
    );
  const [file] = found;
  if (!file) return { values: {} };
  const { name, path } = file;
  return { name, path, values: valuesOf(name, file.content) };
}

function valuesOf(name: string, content: string): Record<string, string> {
  if (content.length > MAX_FILE_CHARACTERS)
    throw new StartError(`${name} must have at most ${MAX_FILE_CHARACTERS} characters`);
  const tree = parseText(name, content);
  if (tree === null || tree === undefined) return {};
  if (typeof tree !== "object" || Array.isArray(tree))
    throw new StartError(`${name} must be one object with settings, such as "port: 1933"`);
  const values: Record<string, string> = {};
  for (const [key, value] of Object.entries(tree)) {
    const variable = `CTXDB_${key.toUpperCase()}`;
    if (key !== key.toLowerCase() || variable === "CTXDB_CONFIG" || !(variable in settings.shape))
      throw new StartError(`${name}: unknown setting ${key}; see docs/settings.md`);
    if (value !== null) values[variable] = textOf(name, key, value);
  }
  return values;
}

function parseText(name: string, content: string): unknown {
  try {
    return parse(content, { maxAliasCount: 0 });
  } catch (error) {
    throw new StartError(
      `${name} cannot be read: ${error instanceof Error ? error.message.split("\n")[0] : "not YAML"}`,
      error,
    );
  }
}

function textOf(name: string, key: string, value: unknown): string {
  if (Array.isArray(value) && value.every((part) => typeof part === "string")) return value.join(",");
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return String(value);
  throw new StartError(`${name}: ${key} must be a string, a number, true, false or a list of strings`);
}
