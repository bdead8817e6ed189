import type { Caller } from "../caller.ts";
import { CtxdbError, taskError } from "../errors.ts";
import type { Fields } from "../fields.ts";
import {
  type ListTasksRequest,
  type ListTasksResponse,
  type Task,
  TaskService,
} from "../gen/ctxdb/v1/task_pb.ts";
import type { CallOptions } from "../options.ts";
import { allOf } from "../pages.ts";
import { pause, pauseBefore } from "../retry.ts";

/** Remaining time of a deadline in ms, with a minimum. */
const MIN_SECONDS = 0.001;

/** Progress of a task. */
export interface Progress {
  /** Current stage, in one word. */
  readonly stage: string;
  /** Number of completed steps. */
  readonly done: number;
  /** Total number of steps; may grow, and is 0 while unknown. */
  readonly total: number;
}

/** Options of a wait. */
export interface WaitOptions extends CallOptions {
  /** Called with the first state and with every change. */
  readonly onProgress?: (progress: Progress) => void;
}

/** Work that continues after the call that started it. */
export class Tasks {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  async get(request: { readonly taskId: string }, options?: CallOptions): Promise<Task> {
    return (await this.#caller.read(TaskService.method.getTask, request, options)).message;
  }

  /** Returns a page of the caller's tasks, newest first. */
  async list(request: Fields<ListTasksRequest> = {}, options?: CallOptions): Promise<ListTasksResponse> {
    return (await this.#caller.read(TaskService.method.listTasks, request, options)).message;
  }

  /** Yields all tasks, page by page. */
  listAll(request: Fields<ListTasksRequest> = {}, options?: CallOptions): AsyncGenerator<Task> {
    const ask = (cursor = request.cursor) => this.list({ ...request, cursor }, options);
    return allOf(ask, (page) => page.tasks);
  }

  /** Cancels a task that has not ended, and returns it. Content that it has already written stays. */
  async cancel(request: { readonly taskId: string }, options?: CallOptions): Promise<Task> {
    return (await this.#caller.write(TaskService.method.cancelTask, request, options)).message;
  }

  /**
   * Yields the task at every change, until it has ended. Throws DEADLINE_EXCEEDED if that takes too long; the
   * work continues.
   */
  async *watch(request: { readonly taskId: string }, options: CallOptions = {}): AsyncGenerator<Task> {
    const { longDeadlineSeconds, retries } = this.#caller.settings;
    const { signal, deadlineSeconds = longDeadlineSeconds } = options;
    const ends = performance.now() + deadlineSeconds * 1000;
    for (let failures = 0, wanted = 0; ; await pause(wanted, signal)) {
      const left = Math.max(MIN_SECONDS, (ends - performance.now()) / 1000);
      try {
        for await (const task of await this.#caller.stream(TaskService.method.watchTask, request, {
          signal,
          deadlineSeconds: left,
        })) {
          failures = 0;
          yield task;
          if (hasEnded(task)) return;
        }
        wanted = pauseBefore(failures, undefined);
      } catch (thrown) {
        wanted = pauseBefore(failures, thrown);
        const isLost = thrown instanceof CtxdbError && thrown.code === "UNAVAILABLE";
        if (!isLost || ++failures > retries || performance.now() + wanted >= ends) throw thrown;
      }
    }
  }

  /** Returns the completed task; throws its error if it failed or was cancelled. */
  async wait(
    request: { readonly taskId: string },
    { onProgress, ...options }: WaitOptions = {},
  ): Promise<Task> {
    let last: Task | undefined;
    for await (last of this.watch(request, options)) {
      onProgress?.({ stage: last.stage, done: last.progress?.done ?? 0, total: last.progress?.total ?? 0 });
    }
    if (last?.status !== "completed") throw taskError(last?.error);
    return last;
  }
}

const hasEnded = ({ status }: Task): boolean => status !== "pending" && status !== "running";
