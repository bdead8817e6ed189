import { readFileSync } from "node:fs";
import { type Config, configFrom } from "./config.ts";

/** The configuration of this process. Throws a StartError that names the settings at fault. */
export function readConfig(): Config {
  const folder = process.cwd();
  return configFrom(process.env, { folder, read: readText });
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
