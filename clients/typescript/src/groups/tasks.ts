import type { Caller } from "../caller.ts";
import { taskError } from "../errors.ts";
import { type ListTasksRequest, type ListTasksResponse, type Task, TaskService } from "../gen/ctxdb/v1/task_pb.ts";
import type { CallOptions } from "../options.ts";
import { allOf } from "../pages.ts";
import type { Fields } from "../request.ts";
import { pause } from "../retry.ts";

const FIRST_POLL_MS = 50;
const MAX_POLL_MS = 1_000;

/** How far a task is. */
export interface Progress {
  /** What it is at, in one word. */
  readonly stage: string;
  readonly done: number;
  /** Steps in all, as far as known. */
  readonly total: number;
}

/** What can be said of a wait. */
export interface WaitOptions extends CallOptions {
  /** Hears of every change, and of the first state. */
  readonly onProgress?: (progress: Progress) => void;
}

/** Work that goes on after the call that caused it. */
export class Tasks {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  async get(request: { readonly taskId: string }, options?: CallOptions): Promise<Task> {
    return (await this.#caller.read(TaskService.method.getTask, request, options)).message;
  }

  /** One page of the caller's tasks, newest first. */
  async list(request: Fields<ListTasksRequest> = {}, options?: CallOptions): Promise<ListTasksResponse> {
    return (await this.#caller.read(TaskService.method.listTasks, request, options)).message;
  }

  /** All tasks, page after page. */
  listAll(request: Fields<ListTasksRequest> = {}, options?: CallOptions): AsyncGenerator<Task> {
    const ask = (cursor = request.cursor) => this.list({ ...request, cursor }, options);
    return allOf(ask, (page) => page.tasks);
  }

  /** The task at every change, until it has ended either way. DEADLINE_EXCEEDED when that takes too long; the work goes on. */
  async *watch(request: { readonly taskId: string }, options: CallOptions = {}): AsyncGenerator<Task> {
    const { signal, deadlineSeconds = this.#caller.settings.longDeadlineSeconds } = options;
    const ends = performance.now() + deadlineSeconds * 1000;
    let seen = "";
    for (let wait = FIRST_POLL_MS; ; wait = Math.min(wait * 1.5, MAX_POLL_MS)) {
      const left = Math.max(0.001, (ends - performance.now()) / 1000);
      const task = await this.get(request, { signal, deadlineSeconds: Math.min(left, this.#caller.settings.deadlineSeconds) });
      const state = `${task.status} ${task.stage} ${task.progress?.done} ${task.progress?.total}`;
      if (state !== seen) yield task;
      if (hasEnded(task)) return;
      seen = state;
      await pause(Math.min(wait, Math.max(0, ends - performance.now())), signal);
    }
  }

  /** The completed task; throws the error of a failed one. */
  async wait(request: { readonly taskId: string }, { onProgress, ...options }: WaitOptions = {}): Promise<Task> {
    let last: Task | undefined;
    for await (last of this.watch(request, options)) {
      onProgress?.({ stage: last.stage, done: last.progress?.done ?? 0, total: last.progress?.total ?? 0 });
    }
    if (last?.status !== "completed") throw taskError(last?.error);
    return last;
  }
}

const hasEnded = ({ status }: Task): boolean => status === "completed" || status === "failed";
