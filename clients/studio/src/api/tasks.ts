import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Task } from "../../../typescript/src/gen/ctxdb/v1/task_pb.ts";
import { client } from "./client.ts";
import { queryClient } from "./query-client.ts";

export type { Task };

const PAGE_TASKS = 50;
const REFRESH_MS = 5_000;

export const isRunning = ({ status }: Task): boolean => status === "pending" || status === "running";

/** The caller's tasks, newest first, page by page. */
export function useListTasks() {
  return useInfiniteQuery({
    queryKey: ["tasks"],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      client().tasks.list(
        { limit: PAGE_TASKS, ...(pageParam !== undefined && { cursor: pageParam }) },
        { signal },
      ),
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: REFRESH_MS,
  });
}

export function useCancelTask() {
  return useMutation({
    mutationFn: (taskId: string) => client().tasks.cancel({ taskId }),
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ["tasks"] }),
  });
}

/** The current state of a task, from the stream of its changes. */
export function useWatchTask(first: Task): Task {
  const [latest, setLatest] = useState(first);
  const running = isRunning(first);
  useEffect(() => {
    if (!running) return;
    const gone = new AbortController();
    const follow = async () => {
      for await (const task of client().tasks.watch({ taskId: first.taskId }, { signal: gone.signal }))
        setLatest(task);
    };
    // the list is polled anyway, so a failed stream only delays updates
    follow().catch(() => undefined);
    return () => gone.abort();
  }, [running, first.taskId]);
  return running && latest.taskId === first.taskId ? latest : first;
}

/** Watches a task until it ends, outside a component. */
export const watchTask = (taskId: string, signal: AbortSignal): AsyncGenerator<Task> =>
  client().tasks.watch({ taskId }, { signal });
