import { closeSync, openSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import { codeOf } from "../../base/faults.ts";

/** Releases a lock; only its holder may call it. */
export type Unlock = () => void;

/**
 * Acquires a lock file, which one process can hold; undefined if another process holds it. Takes over a lock
 * if its process is gone or it is older than `staleMs`.
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

/** Whether any process holds the lock. */
export function isLocked(path: string, now: () => number, staleMs: number): boolean {
  const taken = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  if (taken === undefined || now() - taken > staleMs) return false;
  try {
    const pid = Number(readFileSync(path, "utf8"));
    // the holder has not written its process id yet
    if (!(pid > 0)) return true;
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}
