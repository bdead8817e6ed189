// The addon: the one source file of faiss-node, compiled against a FAISS (docs/decisions/0027-faiss-is-shipped-prebuilt.md).
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** File name of the addon. */
export const ADDON = "faiss-node.node";
export const PACKAGE = "faiss-node@0.5.1";

const INTEGRITY =
  "sha512-zD8wobJn8C6OLWo68Unho+Ih8l6nSRB2w3Amj01a+xc4bsEvd2mBDLklAn7VocA9XO3WDvQL/bLpi5flkCn/XQ==";
const FETCH_LIMIT_MS = 30_000;
const COMPILE_LIMIT_MS = 300_000;
/** FAISS before 1.7.4 has the type in its class only. */
const HEADER = `#include <faiss/Index.h>
#if FAISS_VERSION_MAJOR == 1 && (FAISS_VERSION_MINOR < 7 || (FAISS_VERSION_MINOR == 7 && FAISS_VERSION_PATCH < 4))
namespace faiss { using idx_t = Index::idx_t; }
#endif
`;

/** Runs a command and returns its output; throws the end of what it complained about. */
export function run(command, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: "utf8", ...options });
  if (status !== 0)
    throw new Error(`${command}: ${error?.message ?? stderr.trim().split("\n").slice(-8).join("\n")}`);
  return stdout;
}

export const sha256 = (path) => createHash("sha256").update(readFileSync(path)).digest("hex");

/** Whether an addon can be loaded on this machine. */
export const loads = (path) =>
  spawnSync(process.execPath, ["-e", `require(${JSON.stringify(path)}).Index`], { stdio: "ignore" })
    .status === 0;

/** Puts the sources of faiss-node into `folder/package`, as the registry has them: no script of the package runs. */
export function fetchSources(folder) {
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

/** Compiles the fetched sources to `folder/faiss-node.node`, with the given further arguments, and returns its path. */
export function compile(folder, compiler, args) {
  const header = join(folder, "version.h");
  const made = join(folder, ADDON);
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
  run(compiler, [...flags, join(folder, "package/src/faiss.cc"), "-o", made, ...args], {
    timeout: COMPILE_LIMIT_MS,
  });
  return made;
}
