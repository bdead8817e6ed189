import { readFileSync } from "node:fs";
import { codeOf } from "../base/faults.ts";
import { StartError } from "../base/start-error.ts";
import { type Config, configFrom } from "./config.ts";
import type { Environment } from "./settings.ts";

/**
 * The configuration of this process; `before` overrides its environment variables. Throws a StartError that
 * lists the invalid settings.
 */
export function readConfig(before: Environment = {}): Config {
  return configFrom({ ...process.env, ...before }, { folder: process.cwd(), read: readText });
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new StartError(`the configuration file ${path} cannot be read (${code})`, error);
  }
}
