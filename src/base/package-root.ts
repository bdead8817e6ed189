import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * The folder of the package that a module (its `import.meta.url`) belongs to, compiled or not: the nearest
 * one above with a package.json.
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
