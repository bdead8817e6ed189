import { isReadable } from "../../domain/scope.ts";
import { compareNames } from "../../domain/uri.ts";
import { listSchedules } from "../../workspace/schedules/schedules.ts";
import { isOwn } from "../../workspace/tree/own-path.ts";
import type { ServiceCall } from "../service-call.ts";
import { visiblePath } from "../visible-path.ts";
import type { ScheduleDeps } from "./own-schedule.ts";
import { type ScheduleView, scheduleView } from "./schedule-view.ts";

/** GET resources/schedules: schedules of the resources that the caller may see, ordered by URI. */
export async function listRefreshSchedules(
  deps: Pick<ScheduleDeps, "tenants">,
  call: ServiceCall,
  { uri: given }: { readonly uri?: string | undefined },
): Promise<{ schedules: ScheduleView[] }> {
  const { workspace, owner } = await deps.tenants.openOrEmpty(call.caller);
  const below = given ? (await visiblePath(deps, call, given)).uri : undefined;
  const schedules: ScheduleView[] = [];
  for (const { node, record } of await listSchedules(workspace.kv, workspace.incarnation)) {
    // undefined for a resource in the trash
    const path = workspace.table.isReachable(node) ? workspace.pathOf(node) : undefined;
    // a resource may be moved into the space of an agent, whose path does not contain its owner
    if (!path || !isOwn(workspace, owner, node, path) || !isReadable(owner, path)) continue;
    const uri = workspace.uris.format(path);
    if (below === undefined || uri === below || uri.startsWith(`${below}/`))
      schedules.push(scheduleView(workspace, node, record, uri));
  }
  return { schedules: schedules.sort((a, b) => compareNames(a.uri, b.uri)) };
}
