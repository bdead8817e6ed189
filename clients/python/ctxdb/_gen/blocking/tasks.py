# Made from ctxdb/aio/tasks.py by tools/blocking.py: change that and run generate.sh.
"""Work that goes on after the call that caused it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import closing

from ctxdb._gen.messages.task_pb2 import (
    CancelTaskRequest,
    GetTaskRequest,
    ListTasksRequest,
    ListTasksResponse,
    Task,
    WatchTaskRequest,
)
from ctxdb._calls import Calls
from ctxdb._gen.blocking._pages import each
from ctxdb.errors import detail_error


class Tasks:
    """The caller's own tasks."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def get(self, task_id: str, *, deadline: float | None = None) -> Task:
        """One task."""
        return self._calls.read("TaskService/GetTask", GetTaskRequest(task_id=task_id), Task, deadline)

    def list(self, *, limit: int | None = None, cursor: str | None = None, deadline: float | None = None) -> ListTasksResponse:
        """One page, newest first."""
        request = ListTasksRequest(limit=limit, cursor=cursor)
        return self._calls.read("TaskService/ListTasks", request, ListTasksResponse, deadline)

    def list_all(self, *, limit: int | None = None, deadline: float | None = None) -> Iterator[Task]:
        """Every task; ``limit`` tasks and ``deadline`` seconds are those of a page."""
        return each(lambda cursor: self.list(limit=limit, cursor=cursor, deadline=deadline), lambda page: page.tasks)

    def cancel(self, task_id: str, *, deadline: float | None = None) -> Task:
        """Ends a task that has not ended; what it has written before stays."""
        return self._calls.write("TaskService/CancelTask", CancelTaskRequest(task_id=task_id), Task, deadline)

    def watch(self, task_id: str, *, deadline: float | None = None) -> Generator[Task, None, None]:
        """The task now, and again each time it has moved, until it has ended."""
        request = WatchTaskRequest(task_id=task_id)
        return self._calls.stream("TaskService/WatchTask", request, Task, deadline, resumes=True)

    def wait(self, task_id: str, *, on_progress: Callable[[str, int, int], None] | None = None, deadline: float | None = None) -> Task:
        """Waits until the task is completed; ``on_progress(stage, done, total)`` hears of each step. Raises the error of any other end."""
        task = Task()
        with closing(self.watch(task_id, deadline=deadline)) as states:
            for task in states:
                if on_progress is not None:
                    on_progress(task.stage, task.progress.done, task.progress.total)
        if task.status in ("failed", "cancelled"):
            raise detail_error(task.error)
        return task
