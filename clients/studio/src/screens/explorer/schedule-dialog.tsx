import { useState } from "react";
import type { RefreshSchedule } from "../../../../typescript/src/gen/ctxdb/v1/resource_pb.ts";
import {
  useDeleteRefreshSchedule,
  useRefreshSchedule,
  useRunRefreshSchedule,
  useScheduleRefresh,
} from "../../api/resources.ts";
import { dateTime } from "../../text/format.ts";
import { visibleText } from "../../text/uri.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Input } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Failure, Loading } from "../../ui/states.tsx";
import { toast, toastError } from "../../ui/toasts.tsx";
import { type Fact, Facts } from "./facts.tsx";

const TITLE = "Refresh on schedule";
const DEFAULT_MINUTES = 60;

interface ScheduleDialogProps {
  readonly uri: string;
  readonly onClose: () => void;
}

/** Edits a refresh schedule, and shows the result of its last run. */
export function ScheduleDialog({ uri, onClose }: ScheduleDialogProps) {
  const { data, error } = useRefreshSchedule(uri);
  if (data !== undefined) return <Loaded uri={uri} schedule={data} onClose={onClose} />;
  return (
    <Dialog open onClose={onClose} title={TITLE}>
      {error === null ? <Loading /> : <Failure error={error} />}
    </Dialog>
  );
}

function Loaded({
  uri,
  schedule,
  onClose,
}: ScheduleDialogProps & { readonly schedule: RefreshSchedule | null }) {
  const [minutes, setMinutes] = useState(String((schedule?.intervalSeconds ?? DEFAULT_MINUTES * 60) / 60));
  const change = useScheduleRefresh();
  const submit = () =>
    change.mutate(
      { uri, intervalSeconds: Math.round(Number(minutes) * 60) },
      {
        onSuccess: ({ nextRunAt }) => {
          onClose();
          toast(nextRunAt === undefined ? "Saved" : `Next run ${dateTime(nextRunAt)}`);
        },
      },
    );
  return (
    <FormDialog
      title={TITLE}
      about="Imports the resource again from its source, with your rights. A run does nothing if the source is unchanged."
      action="Save"
      disabled={!(Number(minutes) >= 1)}
      call={change}
      onSubmit={submit}
      onClose={onClose}
    >
      <Input
        label="Minutes between two runs"
        type="number"
        min={1}
        max={43_200}
        step="any"
        autoFocus
        value={minutes}
        onChange={(event) => setMinutes(event.target.value)}
      />
      {schedule !== null && (
        <>
          <Facts facts={factsOf(schedule)} />
          <Actions schedule={schedule} />
        </>
      )}
    </FormDialog>
  );
}

function Actions({ schedule: { uri, state } }: { readonly schedule: RefreshSchedule }) {
  const change = useScheduleRefresh();
  const run = useRunRefreshSchedule();
  const remove = useDeleteRefreshSchedule();
  const isPaused = state === "paused";
  const toggle = () => change.mutate({ uri, paused: !isPaused }, { onError: toastError });
  return (
    <div className="flex flex-wrap gap-2">
      {!isPaused && (
        <Button busy={run.isPending} onClick={() => run.mutate(uri, { onError: toastError })}>
          Run now
        </Button>
      )}
      <Button busy={change.isPending} onClick={toggle}>
        {isPaused ? "Resume" : "Pause"}
      </Button>
      <Button
        look="danger"
        busy={remove.isPending}
        onClick={() =>
          remove.mutate(uri, { onSuccess: () => toast("The schedule is deleted"), onError: toastError })
        }
      >
        Delete the schedule
      </Button>
    </div>
  );
}

function factsOf(schedule: RefreshSchedule): Fact[] {
  const { state, pauseReason, nextRunAt, lastRunAt, lastOutcome = "", lastError, userId } = schedule;
  return [
    ["State", visibleText(pauseReason === undefined ? state : `${state}: ${pauseReason}`)],
    ...(nextRunAt === undefined ? [] : [["Next run", dateTime(nextRunAt)] as const]),
    ...(lastRunAt === undefined ? [] : [["Last run", `${dateTime(lastRunAt)}, ${lastOutcome}`] as const]),
    ...(lastError === undefined ? [] : [["Error", visibleText(lastError)] as const]),
    ["Rights of", visibleText(userId)],
  ];
}
