import { getRouteApi } from "@tanstack/react-router";
import { ListChecks } from "lucide-react";
import { useListDeadLetters } from "../../api/dead-letters.ts";
import { tableOf, useSystemState } from "../../api/observer.ts";
import { useRole } from "../../api/system.ts";
import { isRunning, type Task, useListTasks } from "../../api/tasks.ts";
import { Button } from "../../ui/button.tsx";
import { Card, Page } from "../../ui/layout.tsx";
import { Empty, Failure, Loading } from "../../ui/states.tsx";
import { StatusTable } from "../../ui/status-table.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { DeadLetters } from "./dead-letters.tsx";
import { TaskRow } from "./task-row.tsx";

const route = getRouteApi("/tasks");

/** Background tasks of the server, and failed jobs. */
export function Tasks() {
  const { view = "tasks" } = route.useSearch();
  const navigate = route.useNavigate();
  const administers = useRole() !== "user";
  const letters = useListDeadLetters(administers).data?.pages[0];
  const given = letters?.deadLetters.length ?? 0;
  const more = letters?.nextCursor !== undefined;
  const tabs = [
    { id: "tasks", title: "Your tasks", content: <TaskList /> },
    { id: "queues", title: "Queues", content: <Queues /> },
    ...(administers
      ? [
          {
            id: "dead",
            title: given === 0 ? "Dead letters" : `Dead letters (${given}${more ? "+" : ""})`,
            content: <DeadLetters />,
          },
        ]
      : []),
  ];
  return (
    <Page
      title="Tasks"
      about="Imports and commits that go on after their call, and the queues that write summaries and vectors."
    >
      <div className="flex flex-col rounded-xl border border-line bg-surface">
        <Tabs
          label="Work of the server"
          tabs={tabs}
          value={tabs.some(({ id }) => id === view) ? view : "tasks"}
          onChange={(next) => void navigate({ search: { view: next }, replace: true })}
        />
      </div>
    </Page>
  );
}

/** Sorts running tasks first. */
const runningFirst = (tasks: readonly Task[]): readonly Task[] => [
  ...tasks.filter(isRunning),
  ...tasks.filter((task) => !isRunning(task)),
];

function TaskList() {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useListTasks();
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading />;
  const tasks = runningFirst(data.pages.flatMap((page) => page.tasks));
  if (tasks.length === 0) {
    return (
      <Empty icon={ListChecks} title="No tasks yet">
        Imports of folders and web pages, and commits of sessions, appear here while they run and afterwards.
      </Empty>
    );
  }
  return (
    <>
      <ul className="-mx-4 -my-4">
        {tasks.map((task) => (
          <TaskRow key={task.taskId} task={task} />
        ))}
      </ul>
      {hasNextPage && (
        <div className="pt-5 text-center">
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Older tasks
          </Button>
        </div>
      )}
    </>
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
