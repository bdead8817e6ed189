import { existsSync, readdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { REPOSITORY } from "../bench/harness/server.ts";
import { type Adapter, checked, run, type Sums } from "./adapter.ts";
import { cacheOf, installOnce } from "./packages.ts";

const FOLDER = join(REPOSITORY, "adapters/python");
const CLIENT = join(REPOSITORY, "clients/python");
const RECORDS = join(FOLDER, "ctxdb-records");
/** Versions of the tools that run a package's tests. */
const REQUIREMENTS = "tests/requirements.txt";

/** The tool that installs the packages of an environment. */
const UV = "uv==0.13.9";

/** Adapters whose framework needs versions that conflict with those of other frameworks. */
const APART: ReadonlySet<string> = new Set(["ctxdb-crewai"]);

/** Environment variables that turn off the frameworks' usage reports. */
const QUIET = {
  CREWAI_DISABLE_TELEMETRY: "true",
  CREWAI_TRACING_ENABLED: "false",
  // at its first run on a machine CrewAI prints what it does, and asks for consent to send it
  CREWAI_TESTING: "true",
  OTEL_SDK_DISABLED: "true",
};

/** The Python adapters. They share one environment, except for those with conflicting versions. */
export function pythonAdapters(): Adapter[] {
  return readdirSync(FOLDER)
    .filter((name) => existsSync(join(FOLDER, name, REQUIREMENTS)))
    .map((name) => {
      const environment = APART.has(name) ? `python-${name}` : "python";
      return { name, folder: join(FOLDER, name), language: "python", environment };
    });
}

const interpreterOf = (newest: boolean, environment: string): string =>
  join(cacheOf(newest, environment), "venv/bin/python");

export async function installPython(adapters: readonly Adapter[], newest: boolean): Promise<void> {
  const environment = adapters[0]?.environment ?? "python";
  const cache = cacheOf(newest, environment);
  const python = interpreterOf(newest, environment);
  const sources = [...new Set([CLIENT, RECORDS, ...adapters.map(({ folder }) => folder)])];
  await installOnce(cache, sources, newest, async (copies) => {
    const pinned = adapters.map(({ folder }) => readFileSync(join(folder, REQUIREMENTS), "utf8")).join("");
    const list = join(cache, "requirements.txt");
    await writeFile(list, newest ? pinned.replace(/==[^\s;]+/g, "") : pinned);
    if (!existsSync(python)) await checked("python3", ["-m", "venv", "--clear", join(cache, "venv")]);
    // uv needs seconds to resolve and install this many frameworks, pip minutes
    await checked(python, ["-m", "pip", "install", "-q", "--disable-pip-version-check", UV]);
    // a changed copy must replace the installed one although its version is the same
    const own = ["ctxdb", RECORDS, ...adapters.map(({ folder }) => folder)].map((path) => basename(path));
    const options = own.flatMap((name) => ["--reinstall-package", name]);
    if (newest) options.push("--upgrade");
    await checked(python, ["-m", "uv", "pip", "install", "-q", ...options, "-r", list, ...copies]);
  });
}

/** Reads the counts from the last line of pytest: `1 failed, 24 passed, 2 errors in 3.21s`. */
function sumsOf(output: string): Sums {
  const line = output.trimEnd().split("\n").at(-1) ?? "";
  const figure = (noun: RegExp) => Number(noun.exec(line)?.[1] ?? 0);
  return { passed: figure(/(\d+) passed/), failed: figure(/(\d+) failed/) + figure(/(\d+) errors?/) };
}

export function testPython(
  { folder, environment }: Adapter,
  newest: boolean,
  address: string,
): Promise<Sums> {
  const args = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=short", "tests"];
  const env = { CTXDB_ADDRESS: address, PYTHONDONTWRITEBYTECODE: "1", PYTHONSAFEPATH: "1", ...QUIET };
  return run(interpreterOf(newest, environment), args, { cwd: folder, env, sumsOf });
}
