import { readFileSync } from "node:fs";

const PAGE_BYTES = 4096;
/** Linux reports CPU times in hundredths of a second. */
const MS_PER_TICK = 10;

/** Resident memory of a process in bytes, from /proc; 0 if unavailable. */
export function residentBytes(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, "latin1").split(" ", 2)[1]) * PAGE_BYTES;
  } catch {
    return 0;
  }
}

/** CPU time of a process in ms, user and system, from /proc; undefined if unavailable. */
export function cpuMs(pid: number | undefined): number | undefined {
  try {
    // the name before it may contain spaces
    const fields = readFileSync(`/proc/${pid}/stat`, "latin1")
      .replace(/^.*\) /s, "")
      .split(" ", 13);
    return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
  } catch {
    return undefined;
  }
}
