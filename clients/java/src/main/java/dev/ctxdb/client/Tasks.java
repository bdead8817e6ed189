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

/** Work that goes on after the call that caused it. */
public final class Tasks {
  private final Caller caller;

  Tasks(Caller caller) {
    this.caller = caller;
  }

  /** One task. */
  public Task get(GetTaskRequest request) {
    return caller.read(TaskServiceGrpc.getGetTaskMethod(), request);
  }

  /** One task. */
  public Task get(String taskId) {
    return get(GetTaskRequest.newBuilder().setTaskId(taskId).build());
  }

  /** One page of the caller's tasks, newest first. */
  public ListTasksResponse list(ListTasksRequest request) {
    return caller.read(TaskServiceGrpc.getListTasksMethod(), request);
  }

  /** All tasks, page after page. */
  public Stream<Task> listAll(ListTasksRequest request) {
    return Pages.all(list(request), ListTasksResponse::getTasksList, page -> page.hasNextCursor() ? Optional.of(page.getNextCursor()) : Optional.empty(),
        cursor -> list(request.toBuilder().setCursor(cursor).build()));
  }

  /** Ends a task that has not ended; what it has written before stays. */
  public Task cancel(CancelTaskRequest request) {
    return caller.write(TaskServiceGrpc.getCancelTaskMethod(), request);
  }

  /** Ends a task that has not ended; what it has written before stays. */
  public Task cancel(String taskId) {
    return cancel(CancelTaskRequest.newBuilder().setTaskId(taskId).build());
  }

  /** The task now, and again whenever its stage or progress has changed, until it has ended either way. */
  public Messages<Task> watch(String taskId) {
    return caller.stream(TaskServiceGrpc.getWatchTaskMethod(), WatchTaskRequest.newBuilder().setTaskId(taskId).build());
  }

  /** The completed task; `onProgress` hears of its first state and of every change. The error of another end is the exception here. */
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
