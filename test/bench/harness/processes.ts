import { readdirSync, readFileSync } from "node:fs";

const TICKS_PER_SECOND = 100;

/** A process and all its descendants, as shown by Linux. */
function tree(root: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc"))
    if (/^\d+$/.test(name)) parents.set(Number(name), parentOf(Number(name)));
  const found = [root];
  for (let at = 0; at < found.length; at++)
    for (const [pid, parent] of parents) if (parent === found[at]) found.push(pid);
  return found;
}

/** Returns the fields after the process name in `stat`. */
const fieldsOf = (pid: number): string[] => (read(`/proc/${pid}/stat`).split(") ").at(-1) ?? "").split(" ");

const parentOf = (pid: number): number => Number(fieldsOf(pid)[1]);

/** Memory of a process tree in MB; NaN if the system does not report it. */
export interface Memory {
  /**
   * Proportional set size: pages shared by several processes count in part, so other node processes make it
   * smaller.
   */
  readonly pss: number;
  /** Memory used by this tree alone. */
  readonly own: number;
}

export function memoryOf(root: number): Memory {
  const rollups = tree(root).map((pid) => read(`/proc/${pid}/smaps_rollup`));
  const sum = (field: RegExp) =>
    rollups.reduce(
      (total, text) =>
        total + [...text.matchAll(field)].reduce((kilobytes, found) => kilobytes + Number(found[1]), 0),
      0,
    ) / 1000;
  return { pss: sum(/^Pss:\s+(\d+)/gm), own: sum(/^Private_(?:Clean|Dirty):\s+(\d+)/gm) };
}

export const megabytes = ({ pss, own }: Memory): string =>
  `${pss.toFixed(0)} MB PSS, ${own.toFixed(0)} MB not shared`;

/** Returns the CPU seconds of a process, including its threads; NaN if the system does not report them. */
export function cpuSeconds(pid: number): number {
  const fields = fieldsOf(pid);
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Returns the CPU seconds of a process and its living descendants. */
export const cpuSecondsOfAll = (root: number): number =>
  tree(root).reduce((sum, pid) => sum + cpuSeconds(pid), 0);

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
