import type { Logger } from "pino";
import { sha256 } from "../../base/sha256.ts";
import type { Caller } from "../../domain/caller.ts";
import { ServiceError } from "../../domain/errors.ts";
import { jobOwner } from "../../domain/job.ts";
import type { ChangingSources } from "../../ingest/source.ts";
import type { Kv } from "../../storage/kv.ts";
import { getTask, isEnded } from "../../workspace/requests/tasks.ts";
import type { RunOutcome, ScheduleRecord } from "../../workspace/schedules/records.ts";
import { changeSchedule, readSchedule, type ScheduleRef } from "../../workspace/schedules/schedules.ts";
import type { ImportDeps } from "../run-import.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenant } from "../tenants.ts";
import { filterOf, type ImportedSource, importedSource, specOf, uriOfResource } from "./imported-source.ts";
import { refreshResource } from "./refresh-resource.ts";

export interface RunDeps extends ImportDeps {
  readonly kv: Kv;
  readonly sources: ChangingSources;
  readonly clock: () => number;
  readonly log: Logger;
}

/** Number of runs since the start, by result. */
export type RunCounts = Record<RunOutcome, number>;

/** A schedule in memory. */
export interface Scheduled extends ScheduleRef {
  readonly key: string;
  user: string;
  isPaused: boolean;
  /** Whether its local source has changed since the last check. */
  isChanged: boolean;
  /** Plans the next step; `dueAt`: Unix time in ms. */
  readonly onChange: (dueAt: number) => void;
  /** Stops watching its local source. */
  endWatch: (() => void) | undefined;
}

/**
 * Maximum pause in ms after failed runs, and number of consecutive failures after which a schedule is paused.
 */
const MAX_PAUSE_MS = 24 * 3600_000;
const PAUSE_AFTER = 8;
/**
 * Delay in ms between the first change of a local source and the run, and minimum pause between two such
 * runs.
 */
const GATHER_MS = 2000;
const LEAST_PAUSE_MS = 10_000;
/** Minimum and maximum delay in ms between two checks of an import in progress. */
const MIN_LOOK_MS = 250;
const MAX_LOOK_MS = 15_000;
const MAX_ERROR_LENGTH = 1000;

/**
 * Runs the next step of a schedule: checks the import in progress, or starts the run that is due. Returns the
 * due time of the next step; undefined if the schedule is paused or removed.
 */
export async function runNext(
  deps: RunDeps,
  counts: RunCounts,
  one: Scheduled,
  signal: AbortSignal,
): Promise<number | undefined> {
  const record = readSchedule(deps.kv, one);
  if (!record || record.paused !== undefined) return undefined;
  const found = await callerOf(deps, one, record);
  if (!found) return undefined;
  const step: Step = { deps, counts, one, signal, ...found };
  if (!one.endWatch && record.isLocal) {
    await watchSource(step);
    // the source may have changed before it was watched, for example while the server was stopped
    one.isChanged = true;
  }
  if (record.task !== undefined) return look(step, record, record.task);
  const dueAt = dueOf(one, record);
  return dueAt > deps.clock() ? dueAt : begin(step, record);
}

/** Due time of the next run: the stored time, or soon after a change of a local source. */
const dueOf = ({ isChanged }: Scheduled, { nextAt, lastAt = 0, failures }: ScheduleRecord): number =>
  isChanged && failures === 0 ? Math.min(nextAt, lastAt + LEAST_PAUSE_MS) : nextAt;

interface Step {
  readonly deps: RunDeps;
  readonly counts: RunCounts;
  readonly one: Scheduled;
  readonly signal: AbortSignal;
  readonly tenant: Tenant;
  readonly caller: Caller;
}

/** The user of a schedule with the user's current rights; undefined if the user or account was removed. */
async function callerOf(
  { tenants }: RunDeps,
  { workspace }: Scheduled,
  { user, userIncarnation, agent }: ScheduleRecord,
): Promise<Pick<Step, "tenant" | "caller"> | undefined> {
  const job = { workspace, owner: jobOwner({ user, userIncarnation }) };
  const caller = tenants.hasOwner(job) ? tenants.callerOf(job, { user, agent }) : undefined;
  const tenant = caller && (await tenants.openForJob(job, { user, agent }));
  return caller && tenant && { tenant, caller };
}

/**
 * Starts watching a local source, or restarts it with the current folders. Errors are reported by the next
 * run.
 */
async function watchSource({ deps, one, tenant: { workspace }, signal }: Step): Promise<void> {
  const uri = uriOfResource(workspace, one.node);
  if (uri === undefined) return;
  const onChange = () => {
    if (one.isChanged) return;
    one.isChanged = true;
    one.onChange(deps.clock() + GATHER_MS);
  };
  try {
    const { source, terms } = importedSource(workspace, one.node, uri);
    if (terms.kind !== "path") return;
    const end = await deps.sources.watch(source, onChange, signal);
    one.endWatch?.();
    one.endWatch = end;
  } catch (error) {
    if (signal.aborted || !(error instanceof ServiceError)) throw error;
  }
}

/** Compares the source with its state at the last run, and enqueues an import if they differ. */
async function begin(step: Step, record: ScheduleRecord): Promise<number | undefined> {
  const { deps, one, signal, tenant, caller } = step;
  const { workspace, owner } = tenant;
  const uri = uriOfResource(workspace, one.node);
  // the resource is in the trash
  if (uri === undefined) return deps.clock() + record.intervalMs;
  try {
    const imported = importedSource(workspace, one.node, uri);
    owner.access?.check(workspace.uris.parse(uri), uri, "write");
    // start watching before comparing, so that no change is missed in between
    await watchSource(step);
    one.isChanged = false;
    const coming = await stateOf(deps, imported, signal);
    if (coming !== undefined && coming === record.state) return ended(step, { outcome: "unchanged" });
    const call: ServiceCall = { caller, signal, reply: {} };
    const { taskId: task } = await refreshResource(deps, call, { uri, wait: false, isQueued: true });
    await changeSchedule(deps.kv, one, ({ coming: _, ...now }) => ({
      ...now,
      ...(task !== undefined && { task, lastTask: task }),
      ...(coming !== undefined && { coming }),
    }));
    return deps.clock() + MIN_LOOK_MS;
  } catch (error) {
    if (signal.aborted || !(error instanceof ServiceError)) throw error;
    return ended(step, { outcome: "failed", error: error.message });
  }
}

/** Fingerprint of a source and its import options; undefined if only an import can detect changes. */
async function stateOf(
  { sources }: Pick<RunDeps, "sources">,
  { source, terms }: ImportedSource,
  signal: AbortSignal,
): Promise<string | undefined> {
  const state = await sources.stateOf(specOf(source), filterOf(terms), signal);
  return state === undefined ? undefined : sha256(JSON.stringify([source, terms, state]));
}

/** Checks whether the import in progress has ended. */
async function look(step: Step, record: ScheduleRecord, id: string): Promise<number | undefined> {
  const { deps, one, tenant } = step;
  const { kv, keys } = tenant.workspace;
  const task = getTask(kv, keys, record.user, id);
  // the content is visible, although its layers and vectors may be unfinished
  const isStored = task?.stage === "layers";
  if (task && !isStored && !isEnded(task)) {
    const now = deps.clock();
    return now + Math.min(MAX_LOOK_MS, Math.max(MIN_LOOK_MS, (now - task.created) / 4));
  }
  if (task?.error) return ended(step, { outcome: "failed", error: task.error.message });
  if (task?.status === "cancelled")
    return ended(step, { outcome: "failed", error: "the import was cancelled" });
  if (record.coming !== undefined) return ended(step, { outcome: "updated", state: record.coming });
  // for a URL, a response of 304 keeps the previous validators
  const version = tenant.workspace.entryOf(one.node)?.record.meta?.version;
  const state = version === undefined ? undefined : sha256(JSON.stringify(version));
  const isSame = state !== undefined && state === record.state;
  return ended(step, { outcome: isSame ? "unchanged" : "updated", ...(state !== undefined && { state }) });
}

type Ended = Pick<ScheduleRecord, "state" | "error"> & { readonly outcome: RunOutcome };

/** Stores the result of a run and plans the next one. */
async function ended(
  { deps, counts, one }: Step,
  { outcome, error, ...rest }: Ended,
): Promise<number | undefined> {
  counts[outcome]++;
  const stored = await changeSchedule(deps.kv, one, ({ task: _, coming: __, error: ___, ...record }) => {
    const lastAt = deps.clock();
    const failures = outcome === "failed" ? record.failures + 1 : 0;
    const isTooOften = failures >= PAUSE_AFTER && record.paused === undefined;
    return {
      ...record,
      ...rest,
      ...(error !== undefined && { error: error.slice(0, MAX_ERROR_LENGTH) }),
      outcome,
      failures,
      lastAt,
      nextAt: lastAt + pauseOf(record, failures),
      ...(isTooOften && { paused: `${failures} runs in a row failed; the last error: ${error}` }),
    };
  });
  if (!stored) return undefined;
  one.isPaused = stored.paused !== undefined;
  return one.isPaused ? undefined : dueOf(one, stored);
}

/** Delay in ms before the next run; doubles with each consecutive failure. */
const pauseOf = ({ intervalMs }: ScheduleRecord, failures: number): number =>
  Math.max(intervalMs, Math.min(MAX_PAUSE_MS, intervalMs * 2 ** Math.max(0, failures - 1)));
