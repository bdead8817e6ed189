import { invalidArgument } from "../../domain/errors.ts";
import { checkMainKey } from "../../domain/permission.ts";
import type { ScheduleRecord } from "../../workspace/schedules/records.ts";
import { putSchedule, readSchedule } from "../../workspace/schedules/schedules.ts";
import type { ServiceCall } from "../service-call.ts";
import { importedSource } from "./imported-source.ts";
import { changeable, type ScheduleDeps } from "./own-schedule.ts";
import { type ScheduleView, scheduleView } from "./schedule-view.ts";

const MIN_SECONDS = 60;
const MAX_SECONDS = 30 * 24 * 3600;
const DEFAULT_SECONDS = 3600;

interface ScheduleInput {
  readonly uri: string;
  readonly intervalSeconds?: number | undefined;
  readonly paused?: boolean | undefined;
}

/** PUT resources/schedules: imports a resource again at an interval, with the caller's rights. */
export async function scheduleRefresh(
  deps: ScheduleDeps,
  call: ServiceCall,
  { uri: given, intervalSeconds, paused }: ScheduleInput,
): Promise<ScheduleView> {
  if (intervalSeconds !== undefined && (intervalSeconds < MIN_SECONDS || intervalSeconds > MAX_SECONDS))
    throw invalidArgument("interval_seconds", `must be from ${MIN_SECONDS} to ${MAX_SECONDS}`);
  const { caller } = call;
  checkMainKey(caller, "schedule refreshes");
  const { workspace, ref, uri } = await changeable(deps, caller, given);
  const isLocal = importedSource(workspace, ref.node, uri).terms.kind === "path";
  const isNew = deps.schedules.enter(ref, caller.user);
  try {
    return await workspace.transact((draft) => {
      const before = readSchedule(draft, ref);
      const { userIncarnation: _, paused: reason, ...rest } = handedTo(caller.user, before, deps.clock());
      const pause = paused === undefined ? reason : paused ? (reason ?? "paused by a user") : undefined;
      const now = deps.clock();
      const intervalMs = intervalSeconds === undefined ? rest.intervalMs : intervalSeconds * 1000;
      const isResumed = reason !== undefined && pause === undefined;
      const record: ScheduleRecord = {
        ...rest,
        user: caller.user,
        ...(caller.userIncarnation !== undefined && { userIncarnation: caller.userIncarnation }),
        agent: caller.agent,
        intervalMs,
        isLocal,
        nextAt: isResumed ? now : before ? Math.min(rest.nextAt, now + intervalMs) : now + intervalMs,
        ...(pause !== undefined && { paused: pause }),
        failures: isResumed ? 0 : rest.failures,
        updatedAt: now,
      };
      putSchedule(draft, ref, record);
      return () => {
        deps.schedules.changed(ref, record);
        return scheduleView(workspace, ref.node, record, uri);
      };
    });
  } catch (error) {
    if (isNew) deps.schedules.leave(ref);
    throw error;
  }
}

/**
 * The stored record, or the defaults of a new schedule, for a user. A change of user drops the import in
 * progress, which belongs to the previous user.
 */
function handedTo(user: string, before: ScheduleRecord | undefined, now: number): ScheduleRecord {
  if (before?.user === user) return before;
  const {
    task: _,
    coming: __,
    lastTask: ___,
    ...rest
  } = before ?? {
    agent: "",
    intervalMs: DEFAULT_SECONDS * 1000,
    createdAt: now,
    updatedAt: now,
    nextAt: now,
    failures: 0,
  };
  return { ...rest, user };
}
