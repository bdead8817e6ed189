import { readdirSync, readFileSync } from "node:fs";
import { describeFaiss } from "../../src/index/open.ts";

const found = describeFaiss();

/** The reason to skip FAISS tests here, if any. FAISS is shipped for all platforms that CI uses. */
export const MISSING_FAISS = "fault" in found ? found.fault : undefined;

if (MISSING_FAISS) process.stdout.write(`skipped: ${MISSING_FAISS}\n`);

/**
 * Returns the running FAISS child processes of this process, either those that search or those that build.
 */
export function faissProcesses(role: "search" | "build"): number[] {
  const tasks = readdirSync("/proc/self/task").map((task) => `/proc/self/task/${task}/children`);
  const children = tasks.flatMap((path) => read(path).split(" ").filter(Boolean));
  return children.filter((pid) => read(`/proc/${pid}/cmdline`).includes(`faiss/${role}-child.`)).map(Number);
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return "";
  }
}
