import { readdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { REPOSITORY } from "../bench/harness/server.ts";
import { type Adapter, checked, run, type Sums } from "./adapter.ts";
import { cacheOf, copyOf, installOnce } from "./packages.ts";

const FOLDER = join(REPOSITORY, "adapters/js");
const CLIENT = join(REPOSITORY, "clients/typescript");
const RECORDS = join(FOLDER, "records");
const INSTALL = ["install", "--silent", "--no-audit", "--no-fund", "--no-package-lock"];
/** Build tools; they keep their version when the newest frameworks are tested. */
const TOOLS = ["@ctxdb/client", "@ctxdb/records", "@types/node", "typescript", "vitest"];

interface Manifest {
  readonly name: string;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;

/** The TypeScript adapters. */
export function javascriptAdapters(): Adapter[] {
  return readdirSync(FOLDER).map((name) => {
    const folder = join(FOLDER, name);
    return { name: manifestOf(folder).name, folder, language: "javascript", environment: "javascript" };
  });
}

export async function installJavascript(adapters: readonly Adapter[], newest: boolean): Promise<void> {
  const cache = cacheOf(newest, "javascript");
  // the other packages are built against the shared one
  const sources = [...new Set([CLIENT, RECORDS, ...adapters.map(({ folder }) => folder)])];
  await installOnce(cache, sources, newest, async (copies) => {
    // as workspaces of one folder they share what they need, and npm links the client and the records
    const workspaces = copies.map((copy) => relative(cache, copy));
    await writeFile(join(cache, "package.json"), JSON.stringify({ private: true, workspaces }));
    await checked("npm", [...INSTALL, "--ignore-scripts"], cache);
    for (const copy of newest ? copies : []) {
      const frameworks = Object.keys(manifestOf(copy).devDependencies).filter(
        (name) => !TOOLS.includes(name),
      );
      const wanted = frameworks.map((name) => `${name}@latest`);
      if (wanted.length > 0)
        await checked(
          "npm",
          [...INSTALL, "--no-save", "--force", "-w", relative(cache, copy), ...wanted],
          cache,
        );
    }
    // the client first, then the records, which the others are built against
    for (const copy of copies) await checked("npm", ["run", "--silent", "build"], copy);
  });
}

/** Reads the counts from vitest's summary line: `Tests  1 failed | 23 passed (24)`. */
function sumsOf(output: string): Sums {
  const line = /^ *Tests .*$/m.exec(output)?.[0] ?? "";
  const figure = (noun: RegExp) => Number(noun.exec(line)?.[1] ?? 0);
  return { passed: figure(/(\d+) passed/), failed: figure(/(\d+) failed/) };
}

export function testJavascript({ folder }: Adapter, newest: boolean, address: string): Promise<Sums> {
  const env = { CTXDB_ADDRESS: address, NO_COLOR: "1", FORCE_COLOR: "0" };
  return run("npm", ["test"], { cwd: copyOf(cacheOf(newest, "javascript"), folder), env, sumsOf });
}
