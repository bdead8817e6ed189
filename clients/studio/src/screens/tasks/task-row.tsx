import { Link } from "@tanstack/react-router";
import { CircleAlert, CircleCheck, CircleSlash, LoaderCircle } from "lucide-react";
import { isRunning, type Task, useCancelTask, useWatchTask } from "../../api/tasks.ts";
import { ago, count, dateTime } from "../../text/format.ts";
import { visibleText } from "../../text/uri.ts";
import { Button } from "../../ui/button.tsx";
import { Progress } from "../../ui/progress.tsx";
import { toast, toastError } from "../../ui/toasts.tsx";
import { UriText } from "../../ui/uri-text.tsx";

/** Maximum number of messages shown from a result. */
const MAX_NOTES = 5;

const RUNNING = { icon: LoaderCircle, look: "animate-spin text-soft" };
const COMPLETED = { icon: CircleCheck, look: "text-accent" };
/** Icons of states other than running and completed. */
const OTHER_ENDS: Readonly<Record<string, typeof RUNNING>> = {
  failed: { icon: CircleAlert, look: "text-danger" },
  cancelled: { icon: CircleSlash, look: "text-soft" },
};
/** Tasks that cannot be cancelled. */
const UNSTOPPABLE = "forget";

/** A task: current stage, progress and result. */
export function TaskRow({ task: first }: { readonly task: Task }) {
  const task = useWatchTask(first);
  // here and not in the button, which is unmounted before the call ends
  const cancel = useCancelTask();
  const { taskType, status, stage, progress, createdAt, error } = task;
  const running = isRunning(task);
  const { done = 0, total = 0 } = progress ?? {};
  const { icon: Icon, look } = running ? RUNNING : (OTHER_ENDS[status] ?? COMPLETED);
  const isCancelled = status === "cancelled";
  const uri = text(task.result?.root_uri) ?? text(task.result?.uri);
  const notes = [...strings(task.result?.errors), ...strings(task.result?.warnings)];
  const name = taskType.replaceAll("_", " ");
  return (
    <li className="flex gap-3 border-b border-line px-4 py-2.5 text-[13px] last:border-0">
      <Icon className={`mt-0.5 size-4 shrink-0 ${look}`} aria-label={status} />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap gap-x-2">
          <span className="font-medium first-letter:uppercase">{name}</span>
          {uri !== undefined && (
            <Link to="/explorer" search={{ uri }} className="text-accent hover:underline">
              <UriText uri={uri} />
            </Link>
          )}
        </p>
        {running && (
          <>
            <p className="text-soft tabular-nums">
              {stage}
              {total > 0 && ` · ${count(done)} of ${count(total)}`}
            </p>
            <Progress label={`${name}: ${stage}`} value={total === 0 ? 0 : done / total} />
          </>
        )}
        {isCancelled && (
          <p className="text-soft">
            {uri === undefined ? "cancelled" : "cancelled; what was imported stays"}
          </p>
        )}
        {error !== undefined && !isCancelled && (
          <p className="break-words text-danger">
            <code>{error.code}</code> {visibleText(error.message)}
          </p>
        )}
        {notes.slice(0, MAX_NOTES).map((note) => (
          <p key={note} className="break-words text-warning">
            {visibleText(note)}
          </p>
        ))}
        {notes.length > MAX_NOTES && (
          <p className="text-warning">and {count(notes.length - MAX_NOTES)} more</p>
        )}
      </div>
      {running && taskType !== UNSTOPPABLE && (
        <Button
          aria-label={`Cancel ${name}`}
          busy={cancel.isPending}
          onClick={() =>
            cancel.mutate(task.taskId, {
              onSuccess: () => toast(`Cancelled ${name}`),
              onError: toastError,
            })
          }
        >
          Cancel
        </Button>
      )}
      <time dateTime={createdAt} title={dateTime(createdAt)} className="shrink-0 text-xs text-soft">
        {ago(createdAt)}
      </time>
    </li>
  );
}

const text = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;
const strings = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
