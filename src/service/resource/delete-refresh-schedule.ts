import { readSchedule } from "../../workspace/schedules/schedules.ts";
import type { ServiceCall } from "../service-call.ts";
import { changeable, noSchedule, type ScheduleDeps } from "./own-schedule.ts";

/** DELETE resources/schedules: deletes the schedule of a resource. */
export async function deleteRefreshSchedule(
  deps: ScheduleDeps,
  { caller }: ServiceCall,
  { uri: given }: { readonly uri: string },
): Promise<{ deleted: true }> {
  const { workspace, ref, uri } = await changeable(deps, caller, given);
  await workspace.transact((draft) => {
    if (!readSchedule(draft, ref)) throw noSchedule(uri);
    draft.delete(draft.keys.schedule(ref.node));
    draft.isBeyondQuota = true;
    return () => deps.schedules.leave(ref);
  });
  return { deleted: true };
}
