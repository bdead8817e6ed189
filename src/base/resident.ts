import { readFileSync } from "node:fs";

const PAGE_BYTES = 4096;

/** Memory of a process in bytes as /proc tells it; 0 where it is gone or there is no /proc. */
export function residentBytes(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, "latin1").split(" ", 2)[1]) * PAGE_BYTES;
  } catch {
    return 0;
  }
}
