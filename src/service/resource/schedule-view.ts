import type { NodeId } from "../../domain/node.ts";
import type { RunOutcome, ScheduleRecord } from "../../workspace/schedules/records.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** A refresh schedule in API responses. */
export interface ScheduleView {
  uri: string;
  source: string;
  intervalSeconds: number;
  userId: string;
  state: "active" | "running" | "paused";
  pauseReason?: string;
  nextRunAt?: string;
  lastRunAt?: string;
  lastOutcome?: RunOutcome;
  lastError?: string;
  lastTaskId?: string;
  failedRuns: number;
  createdAt: string;
  updatedAt: string;
}

export function scheduleView(
  workspace: Workspace,
  node: NodeId,
  record: ScheduleRecord,
  uri: string,
): ScheduleView {
  const { source } = workspace.entryOf(node)?.record.meta ?? {};
  const { paused, task, lastAt, outcome, error, lastTask } = record;
  return {
    uri,
    source: String(source ?? ""),
    intervalSeconds: record.intervalMs / 1000,
    userId: record.user,
    state: paused !== undefined ? "paused" : task !== undefined ? "running" : "active",
    ...(paused !== undefined && { pauseReason: paused }),
    ...(paused === undefined && { nextRunAt: isoTime(record.nextAt) }),
    ...(lastAt !== undefined && { lastRunAt: isoTime(lastAt) }),
    ...(outcome !== undefined && { lastOutcome: outcome }),
    ...(error !== undefined && { lastError: error }),
    ...(lastTask !== undefined && { lastTaskId: lastTask }),
    failedRuns: record.failures,
    createdAt: isoTime(record.createdAt),
    updatedAt: isoTime(record.updatedAt),
  };
}

const isoTime = (ms: number): string => new Date(ms).toISOString();
