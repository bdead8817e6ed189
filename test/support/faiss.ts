import { readdirSync, readFileSync } from "node:fs";
import { describeFaiss } from "../../src/index/open.ts";

const found = describeFaiss();

/** Why tests of FAISS do not run here; one is shipped for the platforms of CI. */
export const MISSING_FAISS = "fault" in found ? found.fault : undefined;

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
