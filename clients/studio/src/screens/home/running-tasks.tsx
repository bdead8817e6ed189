import { Link } from "@tanstack/react-router";
import { isRunning, useListTasks } from "../../api/tasks.ts";
import { Card } from "../../ui/layout.tsx";
import { Failure, Loading } from "../../ui/states.tsx";
import { TaskRow } from "../tasks/task-row.tsx";

/** Maximum number of tasks; recently ended ones follow those that are running. */
const MAX_SHOWN = 5;

export function RunningTasks() {
  const { data, error } = useListTasks();
  const tasks = data?.pages.flatMap((page) => page.tasks) ?? [];
  const shown = [...tasks.filter(isRunning), ...tasks.filter((task) => !isRunning(task))].slice(0, MAX_SHOWN);
  return (
    <Card
      title="Tasks"
      flush
      actions={
        <Link to="/tasks" className="text-[13px] text-accent hover:underline">
          All tasks
        </Link>
      }
    >
      {error !== null && (
        <div className="p-4">
          <Failure error={error} />
        </div>
      )}
      {data === undefined && error === null && (
        <div className="p-4">
          <Loading />
        </div>
      )}
      {data !== undefined && shown.length === 0 && (
        <p className="p-4 text-soft">No tasks yet. Imports and commits appear here.</p>
      )}
      <ul>
        {shown.map((task) => (
          <TaskRow key={task.taskId} task={task} />
        ))}
      </ul>
    </Card>
  );
}
