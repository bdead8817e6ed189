import type { Clock } from "../../base/clock.ts";
import type { Caller } from "../../domain/caller.ts";
import { notFound } from "../../domain/errors.ts";
import type { ScheduleRef } from "../../workspace/schedules/schedules.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Tenants } from "../tenants.ts";
import { resourceAt } from "./imported-source.ts";
import type { RefreshSchedules } from "./refresh-schedules.ts";

export interface ScheduleDeps {
  readonly tenants: Tenants;
  readonly clock: Clock;
  readonly schedules: RefreshSchedules;
}

/** A resource whose schedule the caller may change. Throws NOT_FOUND, PERMISSION_DENIED. */
export async function changeable(
  { tenants }: Pick<ScheduleDeps, "tenants">,
  caller: Caller,
  given: string,
): Promise<{ readonly workspace: Workspace; readonly ref: ScheduleRef; readonly uri: string }> {
  const tenant = await tenants.openOrCreate(caller);
  const { workspace, owner } = tenant;
  const { path, entry } = resourceAt(tenant, given);
  const uri = workspace.uris.format(path);
  owner.access?.check(path, uri, "write");
  return { workspace, ref: { workspace: workspace.incarnation, node: entry.node }, uri };
}

export const noSchedule = (uri: string) => notFound("refresh schedule", uri);
