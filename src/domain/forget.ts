import type { NodeId } from "./node.ts";

/** Kind of the jobs that erase forgotten content from disk. */
export const FORGET = "forget";

/** Forgotten content to erase from disk; identified by numbers only, without text. */
export interface Forget {
  readonly user: string;
  /** Task of the user, if the operation has one. */
  readonly task?: string;
  /** Unix time in ms. */
  readonly began: number;
  /** Files, directories and sessions that contained the content; absent if there are too many to list. */
  readonly nodes?: readonly NodeId[];
  readonly sessions?: readonly NodeId[];
  /** Newest job that removes the content or rebuilds layers without it; absent before the first attempt. */
  readonly lastJob?: number;
  /** Number of postponements while waiting for other jobs. */
  readonly putOff?: number;
}
