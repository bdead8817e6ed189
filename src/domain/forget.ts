import type { NodeId } from "./node.ts";

/** Kind of the jobs that clear the disk. */
export const FORGET = "forget";

/** What was forgotten and is to be cleared from the disk: numbers alone, no word of it. */
export interface Forget {
  readonly user: string;
  /** The task of the user, where it has one of its own. */
  readonly task?: string;
  /** Unix time in ms. */
  readonly began: number;
  /** Files, directories and sessions that held some of it; missing where they are too many to name. */
  readonly nodes?: readonly NodeId[];
  readonly sessions?: readonly NodeId[];
  /** The last job that removes records of it; missing before the first attempt. */
  readonly lastPurge?: number;
  /** Times that it was put off for jobs of which it needs the results. */
  readonly putOff?: number;
}
