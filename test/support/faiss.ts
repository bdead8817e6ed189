import { readdirSync, readFileSync } from "node:fs";
import { FaissNeighbours } from "../../src/index/faiss/faiss-neighbours.ts";

/** Why tests of FAISS do not run here; CI installs it. */
export const MISSING_FAISS = FaissNeighbours.isInstalled()
  ? undefined
  : "FAISS is not installed (npm run faiss says how to get it)";

if (MISSING_FAISS) process.stdout.write(`skipped: ${MISSING_FAISS}\n`);

/** Processes of FAISS that this process has started: those that answer or those that build. */
export function faissProcesses(role: "answer" | "build"): number[] {
  const tasks = readdirSync("/proc/self/task").map((task) => `/proc/self/task/${task}/children`);
  const children = tasks.flatMap((path) => read(path).split(" ").filter(Boolean));
  return children.filter((pid) => read(`/proc/${pid}/cmdline`).includes(`faiss/${role}.`)).map(Number);
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return "";
  }
}
