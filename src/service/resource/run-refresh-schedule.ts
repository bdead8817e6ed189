import { failedPrecondition } from "../../domain/errors.ts";
import { putSchedule, readSchedule } from "../../workspace/schedules/schedules.ts";
import type { ServiceCall } from "../service-call.ts";
import { changeable, noSchedule, type ScheduleDeps } from "./own-schedule.ts";
import { type ScheduleView, scheduleView } from "./schedule-view.ts";

/** POST resources/schedules/run: makes a refresh schedule due now. */
export async function runRefreshSchedule(
  deps: ScheduleDeps,
  { caller }: ServiceCall,
  { uri: given }: { readonly uri: string },
): Promise<ScheduleView> {
  const { workspace, ref, uri } = await changeable(deps, caller, given);
  return workspace.transact((draft) => {
    const stored = readSchedule(draft, ref);
    if (!stored) throw noSchedule(uri);
    if (stored.paused !== undefined)
      throw failedPrecondition(uri, "its schedule is paused: resume it, which runs it at once");
    const record = { ...stored, nextAt: deps.clock() };
    putSchedule(draft, ref, record);
    return () => {
      deps.schedules.changed(ref, record);
      return scheduleView(workspace, ref.node, record, uri);
    };
  });
}
