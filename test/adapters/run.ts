// Starts the built server and runs the suites of the adapters against it, of all or of those that are named:
// npm run test:adapters [-- [--newest] [NAME …]]. Each adapter is installed as its users install it, with the
// versions of its framework that it pins, or with the newest. Ends with `N passed, N failed`.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { REPOSITORY, startServer } from "../bench/harness/server.ts";
import { run, type Sums } from "./run-command.ts";

const PYTHON = join(REPOSITORY, "adapters/python");
/** Environments are kept here between runs: one for the pinned versions, one for the newest. */
const CACHE = join(REPOSITORY, "node_modules/.cache/ctxdb-adapters");
/** All frameworks at once, with a cold cache. */
const INSTALL_LIMIT_MS = 600_000;
/** An adapter that takes longer fails, and the others have their turn. */
const ADAPTER_LIMIT_MS = 300_000;
const NEWEST = "--newest";
/** What a build leaves behind; a package is the same with and without it. */
const BUILT = /(^|\/)(build|dist|node_modules|__pycache__|[^/]*\.egg-info|\.[^/]*)$/;

const CLIENT = join(REPOSITORY, "clients/python");
const RECORDS = join(PYTHON, "ctxdb-records");

interface Adapter {
  readonly name: string;
  readonly folder: string;
  /** Versions that its tests run with. */
  readonly pinned: string;
}

const adapters: readonly Adapter[] = readdirSync(PYTHON)
  .map((name) => ({ name, folder: join(PYTHON, name), file: join(PYTHON, name, "tests/requirements.txt") }))
  .filter(({ file }) => existsSync(file))
  .map(({ name, folder, file }) => ({ name, folder, pinned: readFileSync(file, "utf8") }));

/** Every file of a folder, without what builds leave there. */
function filesOf(folder: string): string[] {
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((path) => !BUILT.test(path))
    .flatMap((path) => (statSync(path).isDirectory() ? filesOf(path) : [path]));
}

/**
 * The environment of Python with these adapters installed, from copies, so that no build is left in the
 * checkout; the path of its interpreter. What is installed already and has not changed is left alone.
 */
async function environmentOf(wanted: readonly Adapter[], newest: boolean): Promise<string> {
  const folder = join(CACHE, newest ? "newest" : "pinned");
  const venv = join(folder, "venv");
  const python = join(venv, "bin/python");
  const sources = [...new Set([CLIENT, RECORDS, ...wanted.map((adapter) => adapter.folder)])];
  const requirements = wanted
    .map(({ pinned }) => (newest ? pinned.replace(/==[^\s;]+/g, "") : pinned))
    .join("");
  const hash = createHash("sha256").update(requirements);
  for (const file of sources.flatMap(filesOf)) hash.update(file).update(readFileSync(file));
  const stamp = hash.digest("hex");
  const stampFile = join(folder, "stamp");
  // what is newest is asked for anew each time
  if (!newest && existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp) return python;
  await rm(stampFile, { force: true });
  const copies = join(folder, "packages");
  await rm(copies, { recursive: true, force: true });
  await mkdir(copies, { recursive: true });
  const paths = sources.map((path) => ({ path, copy: join(copies, basename(path)) }));
  const filter = (path: string) => !BUILT.test(path);
  for (const { path, copy } of paths) await cp(path, copy, { recursive: true, filter });
  const list = join(folder, "requirements.txt");
  await writeFile(list, requirements);
  if (!existsSync(python)) await checked("python3", ["-m", "venv", "--clear", venv]);
  const options = ["-q", "--no-compile", "--disable-pip-version-check", ...(newest ? ["--upgrade"] : [])];
  await checked(python, ["-m", "pip", "install", ...options, "-r", list, ...paths.map(({ copy }) => copy)]);
  await writeFile(stampFile, stamp);
  return python;
}

async function checked(command: string, args: readonly string[]): Promise<void> {
  const { code, output } = await run(command, args, { limitMs: INSTALL_LIMIT_MS });
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${code}:\n${output}`);
}

/** The figures in the last line of pytest: `1 failed, 24 passed, 2 errors in 3.21s`. */
function sumsOf(output: string, code: number | null): Sums {
  const line = output.trimEnd().split("\n").at(-1) ?? "";
  const figure = (noun: RegExp) => Number(noun.exec(line)?.[1] ?? 0);
  const passed = figure(/(\d+) passed/);
  const failed = figure(/(\d+) failed/) + figure(/(\d+) errors?/);
  return { passed, failed: code === 0 && passed > 0 ? failed : Math.max(1, failed) };
}

async function test(adapter: Adapter, python: string, address: string): Promise<Sums> {
  const { code, output } = await run(
    python,
    ["-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=short", "tests"],
    {
      cwd: adapter.folder,
      env: { CTXDB_ADDRESS: address, PYTHONDONTWRITEBYTECODE: "1", PYTHONSAFEPATH: "1" },
      limitMs: ADAPTER_LIMIT_MS,
    },
  );
  const sums = sumsOf(output, code);
  if (sums.failed > 0) console.log(output);
  return sums;
}

const given = process.argv.slice(2);
const isNewest = given.includes(NEWEST);
const names = given.filter((name) => name !== NEWEST);
const unknown = names.find((name) => !adapters.some((adapter) => adapter.name === name));
if (unknown)
  throw new Error(
    `no adapter is called ${unknown}; there are ${adapters.map(({ name }) => name).join(", ")}`,
  );
const wanted = adapters.filter(({ name }) => names.length === 0 || names.includes(name));
const python = await environmentOf(wanted, isNewest);
console.log(`installed in ${Math.round(performance.now() / 1000)} s`);
const server = await startServer();
let passed = 0;
let failed = 0;
try {
  for (const adapter of wanted) {
    const began = performance.now();
    const sums = await test(adapter, python, `127.0.0.1:${server.port}`);
    const seconds = Math.round((performance.now() - began) / 1000);
    console.log(`${adapter.name}: ${sums.passed} passed, ${sums.failed} failed in ${seconds} s`);
    passed += sums.passed;
    failed += sums.failed;
  }
} finally {
  await server.stop();
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
