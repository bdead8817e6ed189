// Builds the sources of faiss-node against Debian's FAISS: postinstall, and `npm run faiss` (docs/decisions/0009-faiss-is-compiled-here.md).
// Never fails an installation: without FAISS the server answers from its exact index.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGE = "faiss-node@0.5.1";
const INTEGRITY =
  "sha512-zD8wobJn8C6OLWo68Unho+Ih8l6nSRB2w3Amj01a+xc4bsEvd2mBDLklAn7VocA9XO3WDvQL/bLpi5flkCn/XQ==";
const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** npm leaves folders with a dot alone. */
const ADDON = join(ROOT, "node_modules/.faiss/faiss-node.node");
const FETCH_LIMIT_MS = 30_000;
const COMPILE_LIMIT_MS = 300_000;
/** FAISS before 1.7.4 has the type in its class only. */
const HEADER = `#include <faiss/Index.h>
#if FAISS_VERSION_MAJOR == 1 && (FAISS_VERSION_MINOR < 7 || (FAISS_VERSION_MINOR == 7 && FAISS_VERSION_PATCH < 4))
namespace faiss { using idx_t = Index::idx_t; }
#endif
`;

function run(command, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: "utf8", ...options });
  if (status !== 0)
    throw new Error(`${command}: ${error?.message ?? stderr.trim().split("\n").slice(-8).join("\n")}`);
  return stdout;
}

const runs = (path) =>
  spawnSync(process.execPath, ["-e", `require(${JSON.stringify(path)}).Index`], { stdio: "ignore" })
    .status === 0;

function hasHeaders() {
  const input = "#include <faiss/Index.h>\n#include <cblas.h>\n";
  return (
    spawnSync("g++", ["-E", "-x", "c++", "-std=c++17", "-"], { input, stdio: ["pipe", "ignore", "ignore"] })
      .status === 0
  );
}

/** The sources of the package, as the registry has them: no script of the package runs. */
function fetchSources(folder) {
  const [npm, args] = process.env.npm_execpath ? [process.execPath, [process.env.npm_execpath]] : ["npm", []];
  const pack = [
    "pack",
    PACKAGE,
    "--pack-destination",
    folder,
    "--silent",
    "--fetch-retries=1",
    "--fetch-timeout=10000",
  ];
  const name = run(npm, [...args, ...pack], { cwd: folder, timeout: FETCH_LIMIT_MS })
    .trim()
    .split("\n")
    .at(-1);
  const tarball = join(folder, name);
  const found = `sha512-${createHash("sha512").update(readFileSync(tarball)).digest("base64")}`;
  if (found !== INTEGRITY) throw new Error(`${PACKAGE} is not what it was: ${found}`);
  run("tar", ["-xzf", tarball, "-C", folder]);
}

function compile(folder) {
  const header = join(folder, "version.h");
  const made = join(folder, "faiss-node.node");
  writeFileSync(header, HEADER);
  const defined = [
    "-DNAPI_VERSION=6",
    "-DNAPI_CPP_EXCEPTIONS",
    "-DNODE_GYP_MODULE_NAME=faiss_node",
    "-include",
    header,
  ];
  const included = ["node-addon-api", "node-api-headers/include"].map(
    (path) => `-I${join(ROOT, "node_modules", path)}`,
  );
  const flags = ["-shared", "-fPIC", "-O2", "-std=c++17", "-fopenmp", "-w", ...defined, ...included];
  run("g++", [...flags, join(folder, "package/src/faiss.cc"), "-o", made, "-lfaiss", "-lopenblas"], {
    timeout: COMPILE_LIMIT_MS,
  });
  if (!runs(made)) throw new Error("it was compiled and does not load");
  mkdirSync(dirname(ADDON), { recursive: true });
  // aside first: the folder may be on another file system
  writeFileSync(`${ADDON}.new`, readFileSync(made), { mode: 0o755 });
  renameSync(`${ADDON}.new`, ADDON);
}

function install() {
  if (existsSync(ADDON) && runs(ADDON)) return "FAISS is installed";
  if (!hasHeaders())
    throw new Error("on Debian: apt-get install libfaiss-dev libopenblas-dev g++, then npm run faiss");
  const folder = mkdtempSync(join(tmpdir(), "ctxdb-faiss-"));
  try {
    fetchSources(folder);
    compile(folder);
    return "FAISS has been compiled";
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

try {
  console.log(install());
} catch (error) {
  console.log(`FAISS is not installed, searches use the exact index. ${error.message}`);
  if (process.argv.includes("--strict")) process.exitCode = 1;
}
