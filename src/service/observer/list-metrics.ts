import type { Caller } from "../../domain/caller.ts";
import { invalidArgument, permissionDenied } from "../../domain/errors.ts";
import type { ServiceCall } from "../service-call.ts";
import type { MetricSample } from "./metric-sample.ts";
import type { MetricsHistory } from "./metrics-history.ts";

const MAX_LIMIT = 360;
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?Z$/;

export interface MetricsDeps {
  readonly history: Pick<MetricsHistory, "samples">;
}

interface ListMetricsInput {
  readonly resolution?: string | undefined;
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
}

interface ListedSample extends Omit<MetricSample, "at" | "operations" | "queues" | "models"> {
  at: string;
  operations: MetricSample["operations"][number][];
  queues: MetricSample["queues"][number][];
  models: MetricSample["models"][number][];
}

/**
 * Throws unless the caller is ROOT (or local, if there is no root key), because metrics cover all workspaces.
 */
export function checkMetrics(caller: Caller): void {
  if (caller.role !== "root") throw permissionDenied("metrics of the server", "only ROOT may read them");
}

/** GET observer/metrics: a page of samples, oldest first. */
export function listMetrics(
  { history }: MetricsDeps,
  call: ServiceCall,
  { resolution = "1m", after, limit = MAX_LIMIT }: ListMetricsInput,
): { samples: ListedSample[]; hasMore: boolean } {
  checkMetrics(call.caller);
  if (resolution !== "10s" && resolution !== "1m")
    throw invalidArgument("resolution", 'must be "10s" or "1m"');
  if (limit < 1 || limit > MAX_LIMIT) throw invalidArgument("limit", `must be 1 to ${MAX_LIMIT}`);
  const since = after === undefined ? 0 : timeOf(after);
  const later = history.samples(resolution).filter(({ at }) => at > since);
  return { samples: later.slice(0, limit).map(listed), hasMore: later.length > limit };
}

function timeOf(after: string): number {
  const time = ISO_TIME.test(after) ? Date.parse(after) : Number.NaN;
  if (Number.isNaN(time))
    throw invalidArgument("after", "must be a time in ISO 8601 and UTC, such as 2026-01-31T12:00:00Z");
  return time;
}

const listed = (sample: MetricSample): ListedSample => ({
  ...sample,
  at: new Date(sample.at).toISOString(),
  operations: [...sample.operations],
  queues: [...sample.queues],
  models: [...sample.models],
});
