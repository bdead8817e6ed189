// postinstall, and `npm run faiss`: compiles the addon against the machine's own FAISS where none is shipped for it.
// Never fails an installation: without FAISS the server answers from its exact index.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ADDON, compile, fetchSources, loads, ROOT } from "./addon.mjs";

const SHIPPED = join(ROOT, "native/faiss", `${process.platform}-${process.arch}`, ADDON);
/** npm leaves folders with a dot alone. */
const FOLDER = join(ROOT, "node_modules/.faiss");
const COMPILED = join(FOLDER, ADDON);

function hasHeaders() {
  const input = "#include <faiss/Index.h>\n#include <cblas.h>\n";
  return (
    spawnSync("g++", ["-E", "-x", "c++", "-std=c++17", "-"], { input, stdio: ["pipe", "ignore", "ignore"] })
      .status === 0
  );
}

function install() {
  if (!hasHeaders())
    throw new Error("on Debian: apt-get install libfaiss-dev libopenblas-dev g++, then npm run faiss");
  const folder = mkdtempSync(join(tmpdir(), "ctxdb-faiss-"));
  try {
    fetchSources(folder);
    const made = compile(folder, "g++", ["-lfaiss", "-lopenblas"]);
    if (!loads(made)) throw new Error("it was compiled and does not load");
    mkdirSync(FOLDER, { recursive: true });
    // aside first: the temporary folder may be on another file system
    writeFileSync(`${COMPILED}.new`, readFileSync(made), { mode: 0o755 });
    renameSync(`${COMPILED}.new`, COMPILED);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

try {
  if (!process.argv.includes("--compile") && loads(SHIPPED)) console.log("FAISS is shipped for this machine");
  else if (!process.argv.includes("--compile") && loads(COMPILED)) console.log("FAISS is installed");
  else {
    install();
    console.log("FAISS has been compiled");
  }
} catch (error) {
  console.log(`FAISS is not installed, searches use the exact index. ${error.message}`);
  if (process.argv.includes("--strict")) process.exitCode = 1;
}
