import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { openLog } from "../../base/log.ts";
import { packageRoot } from "../../base/package-root.ts";
import { describeFaiss } from "../../index/open.ts";
import { openEmbedders } from "../../providers/open.ts";
import { type Check, fault, good, missing } from "./check.ts";

const LEAST_NODE = [20, 19] as const;
const TOOL_LIMIT_MS = 5_000;
const MODEL_LIMIT_MS = 60_000;
const SAMPLE = "A sentence to be embedded.";
const REINSTALL = "run `npm ci` in the folder of ctxdb to reinstall it";

export function checkNode(version: string): Check {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isEnough = major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1]);
  if (isEnough) return good("Node.js", version);
  return fault(
    "Node.js",
    `${version} is too old`,
    `install ${LEAST_NODE.join(".")} or newer from https://nodejs.org`,
  );
}

/** Checks that the built-in models (instant table, MiniLM with onnxruntime) can embed a sentence. */
export async function checkModels(provider: string): Promise<Check[]> {
  const { log, close } = openLog("silent");
  const { instant, queued } = openEmbedders(
    provider === "light" ? "light" : "builtin",
    join(packageRoot(import.meta.url), "models"),
    log,
  );
  const table = await instant.embed([SAMPLE]).then(
    () => good("instant model", instant.space.name),
    (error: Error) => fault("instant model", error.message, REINSTALL),
  );
  const checks = [table];
  for (const embedder of queued) {
    const found = await embedder.embed([SAMPLE], AbortSignal.timeout(MODEL_LIMIT_MS)).then(
      () => good("embedding", `${embedder.space.name}, run by onnxruntime`),
      (error: Error) =>
        missing("embedding", error.message, `searches use only the instant model; ${REINSTALL}`),
    );
    checks.push(found);
    await embedder.close();
  }
  await close();
  return checks;
}

export function checkFaiss(): Check {
  const found = describeFaiss();
  if ("kind" in found) return good("FAISS", `${found.kind}; used to search large indexes`);
  const remedy =
    "optional, for large indexes: apt-get install libfaiss-dev libopenblas-dev g++, then npm run faiss";
  return missing("FAISS", `not used, large indexes are scanned: ${found.fault}`, remedy);
}

/** Checks for a system program that is required for one kind of source. */
export async function checkTool(command: string, flag: string, use: string): Promise<Check> {
  try {
    const { stdout } = await promisify(execFile)(command, [flag], { timeout: TOOL_LIMIT_MS });
    return good(command, /\d+(\.\d+)+/.exec(stdout)?.[0] ?? "installed");
  } catch {
    return missing(command, "not installed", `optional, for ${use}: apt-get install ${command}`);
  }
}
