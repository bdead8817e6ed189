import type { UserIncarnation } from "../../domain/ids.ts";
import { isMissingOr, isNumber, isText, objects } from "../../storage/record-codec.ts";

export type RunOutcome = "updated" | "unchanged" | "failed";

/** Refresh schedule of an imported resource, by node. */
export interface ScheduleRecord {
  /** User with whose rights the refresh runs, and agent of the call that set the schedule. */
  readonly user: string;
  /** User incarnation (see Caller). */
  readonly userIncarnation?: UserIncarnation;
  readonly agent: string;
  readonly intervalMs: number;
  /** Whether the source is a local path, which is watched for changes. */
  readonly isLocal?: boolean;
  /** Unix time in ms. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly nextAt: number;
  /** Why it is paused; absent if it is not. */
  readonly paused?: string;
  /** Number of consecutive failed runs. */
  readonly failures: number;
  /** Task of the import in progress. */
  readonly task?: string;
  /** Fingerprint of the source for the import in progress. */
  readonly coming?: string;
  /** Fingerprint of the source as of the last successful run. */
  readonly state?: string;
  /** Result of the last run; `lastTask`: id of the latest import. */
  readonly lastAt?: number;
  readonly outcome?: RunOutcome;
  readonly error?: string;
  readonly lastTask?: string;
}

const OUTCOMES: readonly string[] = ["updated", "unchanged", "failed"] satisfies RunOutcome[];

export const SCHEDULES = objects<ScheduleRecord>(
  "refresh schedule",
  (record) =>
    isText(record.user) &&
    isMissingOr(record.userIncarnation, isNumber) &&
    isText(record.agent) &&
    isNumber(record.intervalMs) &&
    isNumber(record.createdAt) &&
    isNumber(record.updatedAt) &&
    isNumber(record.nextAt) &&
    isNumber(record.failures) &&
    isMissingOr(record.isLocal, (one) => typeof one === "boolean") &&
    isMissingOr(record.lastAt, isNumber) &&
    isMissingOr(record.outcome, (one) => isText(one) && OUTCOMES.includes(one)) &&
    [record.paused, record.task, record.coming, record.state, record.error, record.lastTask].every((one) =>
      isMissingOr(one, isText),
    ),
);
