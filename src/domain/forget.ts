import type { NodeId } from "./node.ts";

/** Kind of the jobs that clear the disk. */
export const FORGET = "forget";

/** A forgotten content to clear from the disk: numbers only, no text. */
export interface Forget {
  readonly user: string;
  /** The user's task, if the operation has one. */
  readonly task?: string;
  /** Unix time in ms. */
  readonly began: number;
  /** Files, directories and sessions that held it; missing if there are too many to list. */
  readonly nodes?: readonly NodeId[];
  readonly sessions?: readonly NodeId[];
  /** The newest job that removes it or makes layers without it; missing before the first attempt. */
  readonly lastJob?: number;
  /** Number of postponements for jobs whose results it needs. */
  readonly putOff?: number;
}
