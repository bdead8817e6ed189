// Builds the programs of the plugins from src/ (npm run build:plugins). Each becomes one file without
// dependencies, since agents load the plugins directly from a checkout. test/unit/cli/plugins.test.ts checks
// that they are up to date.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Pairs of source and program, relative to the root of the repository. */
export const PLUGIN_PROGRAMS = [
  ["src/cli/plugin-main.ts", "plugins/claude-code/scripts/ctxdb-agent.mjs"],
  ["src/cli/opencode-main.ts", "plugins/opencode/ctxdb.js"],
] as const;

export async function pluginProgram(source: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(ROOT, source)],
    absWorkingDir: ROOT,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    minifySyntax: true,
    write: false,
    banner: { js: `// Generated from ${source} by npm run build:plugins: change the source.` },
  });
  return outputFiles.map(({ text }) => text).join("");
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const [source, program] of PLUGIN_PROGRAMS)
    await writeFile(join(ROOT, program), await pluginProgram(source));
