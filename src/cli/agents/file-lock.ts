import { closeSync, openSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import { codeOf } from "../../base/faults.ts";

/** Ends the lock; for the one that holds it. */
export type Unlock = () => void;

/**
 * Takes a lock file, which one process holds at a time; undefined if another process has it. A lock whose
 * process is gone, or that is older than `staleMs`, is taken over.
 */
export function lockFile(path: string, now: () => number, staleMs: number): Unlock | undefined {
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      const file = openSync(path, "wx", 0o600);
      writeSync(file, String(process.pid));
      closeSync(file);
      return () => rmSync(path, { force: true });
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
      if (isLocked(path, now, staleMs)) return undefined;
      rmSync(path, { force: true });
    }
  }
  return undefined;
}

/** Whether a process holds the lock. */
export function isLocked(path: string, now: () => number, staleMs: number): boolean {
  const taken = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  if (taken === undefined || now() - taken > staleMs) return false;
  try {
    const pid = Number(readFileSync(path, "utf8"));
    // the holder is about to write its process id
    if (!(pid > 0)) return true;
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}
