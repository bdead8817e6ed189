import { ListChecks } from "lucide-react";
import { tableOf, useSystemState } from "../../api/observer.ts";
import { useListTasks } from "../../api/tasks.ts";
import { Button } from "../../ui/button.tsx";
import { Card, Page } from "../../ui/layout.tsx";
import { Empty, Failure, Loading } from "../../ui/states.tsx";
import { StatusTable } from "../../ui/status-table.tsx";
import { TaskRow } from "./task-row.tsx";

/** What the server does after the calls that caused it. */
export function Tasks() {
  return (
    <Page
      title="Tasks"
      about="Imports and commits that go on after their call, and the queues that write summaries and vectors."
    >
      <TaskList />
      <Queues />
    </Page>
  );
}

function TaskList() {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useListTasks();
  const tasks = data?.pages.flatMap((page) => page.tasks) ?? [];
  return (
    <Card title="Your tasks" flush>
      {error !== null && (
        <div className="p-4">
          <Failure error={error} onRetry={() => void refetch()} />
        </div>
      )}
      {data === undefined && error === null && (
        <div className="p-4">
          <Loading />
        </div>
      )}
      {data !== undefined && tasks.length === 0 && (
        <Empty icon={ListChecks} title="No tasks yet">
          Imports of folders and web pages, and commits of sessions, appear here while they run and
          afterwards.
        </Empty>
      )}
      <ul>
        {tasks.map((task) => (
          <TaskRow key={task.taskId} task={task} />
        ))}
      </ul>
      {hasNextPage && (
        <div className="p-3 text-center">
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Older tasks
          </Button>
        </div>
      )}
    </Card>
  );
}

function Queues() {
  const { data, error } = useSystemState();
  const { queue, vectordb, vlm } = data?.components ?? {};
  if (error !== null) return <Failure error={error} />;
  if (data === undefined) return <Loading />;
  return (
    <div className="grid gap-5 lg:grid-cols-2">
      <Card title="Queues">
        <StatusTable label="Queues" table={tableOf(queue?.status ?? "")} />
      </Card>
      <Card title="Vectors">
        <StatusTable label="Vectors" table={tableOf(vectordb?.status ?? "")} />
      </Card>
      <Card title="Language models" className="lg:col-span-2">
        <StatusTable label="Tokens by model" table={tableOf(vlm?.status ?? "")} />
      </Card>
    </div>
  );
}
