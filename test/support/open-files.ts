import { readdirSync, readlinkSync } from "node:fs";

const LOOKS = 20_000;

/** Waits until this process has (or no longer has) an open file below a folder. Returns false on timeout. */
export async function whenOpen(folder: string, wanted: boolean): Promise<boolean> {
  for (let look = 0; look < LOOKS; look++) {
    if (openBelow(folder) === wanted) return true;
    await new Promise(setImmediate);
  }
  return false;
}

function openBelow(folder: string): boolean {
  return readdirSync("/proc/self/fd").some((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder);
    } catch {
      return false;
    }
  });
}
