package dev.ctxdb.client;

import dev.ctxdb.v1.CancelTaskRequest;
import dev.ctxdb.v1.GetTaskRequest;
import dev.ctxdb.v1.ListTasksRequest;
import dev.ctxdb.v1.ListTasksResponse;
import dev.ctxdb.v1.Task;
import dev.ctxdb.v1.TaskServiceGrpc;
import dev.ctxdb.v1.WatchTaskRequest;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Tasks: work that continues after the call that started it. */
public final class Tasks {
  private final Caller caller;

  Tasks(Caller caller) {
    this.caller = caller;
  }

  /** Returns one task. */
  public Task get(GetTaskRequest request) {
    return caller.read(TaskServiceGrpc.getGetTaskMethod(), request);
  }

  /** Returns one task. */
  public Task get(String taskId) {
    return get(GetTaskRequest.newBuilder().setTaskId(taskId).build());
  }

  /** Returns a page of the caller's tasks, newest first. */
  public ListTasksResponse list(ListTasksRequest request) {
    return caller.read(TaskServiceGrpc.getListTasksMethod(), request);
  }

  /** Yields all tasks, page by page. */
  public Stream<Task> listAll(ListTasksRequest request) {
    return Pages.all(list(request), ListTasksResponse::getTasksList, page -> page.hasNextCursor() ? Optional.of(page.getNextCursor()) : Optional.empty(),
        cursor -> list(request.toBuilder().setCursor(cursor).build()));
  }

  /** Cancels an unfinished task. What it has already written stays. */
  public Task cancel(CancelTaskRequest request) {
    return caller.write(TaskServiceGrpc.getCancelTaskMethod(), request);
  }

  /** Cancels an unfinished task. What it has already written stays. */
  public Task cancel(String taskId) {
    return cancel(CancelTaskRequest.newBuilder().setTaskId(taskId).build());
  }

  /**
   * Streams the task: its current state, then each change of its stage or progress, until it ends. Reconnects
   * after a lost connection.
   */
  public Messages<Task> watch(String taskId) {
    return caller.resumed(TaskServiceGrpc.getWatchTaskMethod(), WatchTaskRequest.newBuilder().setTaskId(taskId).build());
  }

  /**
   * The completed task; `onProgress` is called with its first state and every change. Throws if the
   * task fails or is cancelled.
   */
  public Task await(String taskId, Consumer<Progress> onProgress) {
    Task last = Task.getDefaultInstance();
    try (Messages<Task> states = watch(taskId)) {
      while (states.hasNext()) {
        last = states.next();
        onProgress.accept(new Progress(last.getStage(), last.getProgress().getDone(), last.getProgress().getTotal()));
      }
    }
    if (last.getStatus().equals("completed")) return last;
    throw CtxdbException.ofTask(taskId, last.getStatus(), last.hasError() ? last.getError() : null);
  }
}
