import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Root folder of the package that contains a module (`import.meta.url`), compiled or not: the nearest parent
 * with a package.json.
 */
export function packageRoot(moduleUrl: string): string {
  let folder = dirname(fileURLToPath(moduleUrl));
  while (!existsSync(join(folder, "package.json"))) {
    const above = dirname(folder);
    if (above === folder) throw new Error("there is no package.json above the program");
    folder = above;
  }
  return folder;
}

/** The version in the package.json of the module's package. */
export function packageVersion(moduleUrl: string): string {
  const tree: unknown = JSON.parse(readFileSync(join(packageRoot(moduleUrl), "package.json"), "utf8"));
  if (typeof tree === "object" && tree !== null && "version" in tree && typeof tree.version === "string")
    return tree.version;
  throw new Error("package.json has no version");
}
