// Builds and checks all packages in the form their registries accept, without publishing anything: npm run
// release [-- [--out FOLDER] [NAME …]]. It builds from a clone of the last commit and writes the packages and
// their SHA256SUMS to FOLDER (default: release/). Names: npm, python, go, java, rust, image. The last line is
// `N passed, N failed`.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** Python tools that build packages and check their metadata. */
const [UV, TWINE] = ["uv==0.13.9", "twine==6.2.0"];
const REPOSITORY = "https://github.com/ctxdb/ctxdb";
/**
 * Time limit for one command, for example installing a framework's packages with a cold cache or compiling a
 * crate with all its dependencies.
 */
const COMMAND_LIMIT_MS = 900_000;
const MAX_OUTPUT = 64 * 1024 * 1024;
/** Files that an npm package contains in addition to those listed in its manifest. */
const ALWAYS_PACKED = /^(?:package\.json|README\.md|LICENSE|NOTICE)$/;

const { values, positionals } = parseArgs({
  options: { out: { type: "string", default: join(ROOT, "release") } },
  allowPositionals: true,
});
const out = values.out;

/** @throws with the command's output if the command fails */
async function run(command: string, args: readonly string[], cwd: string): Promise<string> {
  const options = { cwd, timeout: COMMAND_LIMIT_MS, maxBuffer: MAX_OUTPUT };
  try {
    return (await promisify(execFile)(command, args, options)).stdout;
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(
      `${command} ${args.join(" ")}: ${error instanceof Error ? error.message : error}\n${stdout}${stderr}`,
    );
  }
}

function ensure(isTrue: boolean, what: string): void {
  if (!isTrue) throw new Error(what);
}

const json = (file: string) => JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;

/** Reads a value from a manifest in TOML or XML. Each requested value occurs exactly once. */
function valueIn(file: string, pattern: RegExp): string {
  const value = pattern.exec(readFileSync(file, "utf8"))?.[1];
  if (value === undefined) throw new Error(`${file} has no ${pattern}`);
  return value;
}

const folders = (parent: string): string[] => readdirSync(parent).map((name) => join(parent, name));

interface Source {
  /** The folder of the clone. */
  readonly folder: string;
  readonly version: string;
}

/** Fields that a package.json must have for the package's page in the registry. */
function checkNpmManifest(folder: string, version: string): Record<string, unknown> {
  const manifest = json(join(folder, "package.json"));
  const { name, license, description, keywords, homepage, repository, files } = manifest;
  ensure(manifest.version === version, `${name} is ${manifest.version}, and the server ${version}`);
  ensure(license === "Apache-2.0", `${name} names no licence`);
  ensure(
    typeof description === "string" && Array.isArray(keywords),
    `${name} has no description or keywords`,
  );
  ensure(typeof homepage === "string" && homepage.startsWith(REPOSITORY), `${name} has no homepage`);
  ensure(JSON.stringify(repository ?? "").includes(REPOSITORY), `${name} has no repository`);
  ensure(
    Array.isArray(files) && existsSync(join(folder, "README.md")),
    `${name} has no README or packs everything`,
  );
  return manifest;
}

/** Returns all paths that `exports` or `bin` of a manifest point to. */
function entriesOf(value: unknown): string[] {
  if (typeof value === "string") return [value.replace(/^\.\//, "")];
  return value === null || typeof value !== "object" ? [] : Object.values(value).flatMap(entriesOf);
}

async function npmPackage(folder: string, { version }: Source): Promise<void> {
  const manifest = checkNpmManifest(folder, version);
  await run("npm", ["install", "--silent", "--no-audit", "--no-fund", "--no-package-lock"], folder);
  await run("npm", ["run", "--silent", "build"], folder);
  const packed = JSON.parse(
    await run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", out], folder),
  ) as { files: { path: string }[] }[];
  const paths = packed[0]?.files.map(({ path }) => path) ?? [];
  const named = manifest.files as string[];
  const stray = paths.find(
    (path) => !ALWAYS_PACKED.test(path) && !named.some((one) => path === one || path.startsWith(`${one}/`)),
  );
  ensure(stray === undefined, `${manifest.name} packs ${stray}`);
  const lost = entriesOf([manifest.exports, manifest.bin]).find((path) => !paths.includes(path));
  ensure(lost === undefined, `${manifest.name} leads to ${lost}, which is not packed`);
  ensure(paths.includes("LICENSE"), `${manifest.name} packs no LICENSE`);
  // a package can import itself by name, which checks its exports and everything they import
  await run("node", ["--input-type=module", "-e", `await import(${JSON.stringify(manifest.name)})`], folder);
}

async function npm(source: Source): Promise<void> {
  // the other packages are built against the client and the code that the adapters share
  const first = [join(source.folder, "clients/typescript"), join(source.folder, "adapters/js/records")];
  const others = folders(join(source.folder, "adapters/js")).filter((folder) => !first.includes(folder));
  for (const folder of [...first, ...others])
    await check(`npm: ${basename(folder)}`, () => npmPackage(folder, source));
}

async function python(source: Source): Promise<void> {
  const venv = join(source.folder, ".venv-release");
  const command = join(venv, "bin/python");
  await run("python3", ["-m", "venv", venv], source.folder);
  await run(command, ["-m", "pip", "install", "-q", "--disable-pip-version-check", UV, TWINE], source.folder);
  const packages = [
    join(source.folder, "clients/python"),
    ...folders(join(source.folder, "adapters/python")),
  ];
  for (const folder of packages)
    await check(`python: ${basename(folder)}`, async () => {
      const manifest = join(folder, "pyproject.toml");
      ensure(valueIn(manifest, /^version = "(.*)"$/m) === source.version, `${folder} has another version`);
      ensure(
        valueIn(manifest, /^Repository = "(.*)"$/m).startsWith(REPOSITORY),
        `${folder} has no repository`,
      );
      const name = valueIn(manifest, /^name = "(.*)"$/m).replaceAll("-", "_");
      await run(command, ["-m", "uv", "build", "-q", "--out-dir", out, folder], source.folder);
      const built = [`${name}-${source.version}.tar.gz`, `${name}-${source.version}-py3-none-any.whl`];
      await run(
        command,
        ["-m", "twine", "check", "--strict", ...built.map((file) => join(out, file))],
        source.folder,
      );
      const listed = await run(command, ["-m", "zipfile", "-l", join(out, built[1] ?? "")], source.folder);
      for (const part of [`${name}/py.typed`, `${name}/__init__.py`, "licenses/LICENSE"])
        ensure(listed.includes(part), `the wheel of ${name} has no ${part}`);
    });
  await check("python: the client is installed from its wheel and imported", async () => {
    await run(
      command,
      ["-m", "uv", "pip", "install", "-q", join(out, `ctxdb-${source.version}-py3-none-any.whl`)],
      source.folder,
    );
    await run(command, ["-c", "import ctxdb, ctxdb.aio"], out);
  });
}

async function go(source: Source): Promise<void> {
  await check(`go: clients/go, to be tagged clients/go/v${source.version}`, async () => {
    const folder = join(source.folder, "clients/go");
    await run("go", ["mod", "verify"], folder);
    await run("go", ["vet", "./..."], folder);
    ensure((await run("go", ["mod", "tidy", "-diff"], folder)) === "", "go.mod is not tidy");
  });
}

async function java(source: Source): Promise<void> {
  await check("java: dev.ctxdb:ctxdb-client", async () => {
    const folder = join(source.folder, "clients/java");
    const pom = join(folder, "pom.xml");
    ensure(valueIn(pom, /^ {2}<version>(.*)<\/version>$/m) === source.version, "pom.xml has another version");
    // files that Maven Central requires
    for (const part of ["name", "description", "url", "licenses", "developers", "scm"])
      ensure(new RegExp(`^ {2}<${part}>`, "m").test(readFileSync(pom, "utf8")), `pom.xml has no ${part}`);
    await run("mvn", ["-q", "-B", "-DskipTests", "-Prelease", "package"], folder);
    for (const kind of ["", "-sources", "-javadoc"]) {
      const file = `ctxdb-client-${source.version}${kind}.jar`;
      await copyFile(join(folder, "target", file), join(out, file));
    }
    await copyFile(pom, join(out, `ctxdb-client-${source.version}.pom`));
  });
}

async function rust(source: Source): Promise<void> {
  await check("rust: ctxdb", async () => {
    const folder = join(source.folder, "clients/rust");
    ensure(
      valueIn(join(folder, "Cargo.toml"), /^version = "(.*)"$/m) === source.version,
      "Cargo.toml has another version",
    );
    ensure(
      valueIn(join(folder, "Cargo.toml"), /^repository = "(.*)"$/m) === REPOSITORY,
      "Cargo.toml has no repository",
    );
    // also compiles the packed crate
    await run("cargo", ["package", "--quiet", "--locked", "--package", "ctxdb"], folder);
    const file = `ctxdb-${source.version}.crate`;
    const target = process.env.CARGO_TARGET_DIR ?? join(folder, "target");
    await copyFile(join(target, "package", file), join(out, file));
  });
}

async function image(source: Source): Promise<void> {
  const isThere = await run("docker", ["--version"], source.folder).then(
    () => true,
    () => false,
  );
  if (isThere)
    await check("image: docker build", async () => {
      await run("docker", ["build", "-q", "-t", `ctxdb:${source.version}`, "."], source.folder);
    });
  else
    await check("image: its steps without a container engine", async () => {
      await run("bash", ["scripts/container-test.sh"], source.folder);
    });
}

let passed = 0;
let failed = 0;
async function check(name: string, act: () => Promise<void>): Promise<void> {
  try {
    await act();
    passed++;
    console.log(`ok    ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAIL  ${name}\n${error instanceof Error ? error.message : error}`);
  }
}

async function writeSums(): Promise<void> {
  const files = readdirSync(out)
    .filter((name) => name !== "SHA256SUMS")
    .sort();
  const sums = files.map(
    async (name) =>
      `${createHash("sha256")
        .update(await readFile(join(out, name)))
        .digest("hex")}  ${name}\n`,
  );
  await writeFile(join(out, "SHA256SUMS"), (await Promise.all(sums)).join(""));
}

const KINDS = { npm, python, go, java, rust, image };
const isKind = (name: string): name is keyof typeof KINDS => name in KINDS;
const unknown = positionals.find((name) => !isKind(name));
if (unknown) throw new Error(`nothing is called ${unknown}; there are ${Object.keys(KINDS).join(", ")}`);
const changed = await run("git", ["status", "--porcelain"], ROOT);
ensure(changed === "", `a release is what is committed, and these files differ from it:\n${changed}`);
await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });
const folder = await mkdtemp(join(tmpdir(), "ctxdb-release-"));
try {
  await run("git", ["clone", "--quiet", "--no-hardlinks", ROOT, join(folder, "source")], ROOT);
  const source = {
    folder: join(folder, "source"),
    version: String(json(join(ROOT, "package.json")).version),
  };
  const names =
    positionals.length > 0 ? positionals.filter(isKind) : (Object.keys(KINDS) as (keyof typeof KINDS)[]);
  for (const name of names) await KINDS[name](source);
  await writeSums();
} finally {
  await rm(folder, { recursive: true, force: true });
}
console.log(`${passed} passed, ${failed} failed; the packages are in ${out}`);
process.exitCode = failed > 0 ? 1 : 0;
