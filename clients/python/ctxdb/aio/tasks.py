"""Tasks: work that continues after the call that started it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing

from ctxdb._gen.messages.task_pb2 import (
    CancelTaskRequest,
    GetTaskRequest,
    ListTasksRequest,
    ListTasksResponse,
    Task,
    WatchTaskRequest,
)
from ctxdb.aio._calls import Calls
from ctxdb.aio._pages import each
from ctxdb.errors import detail_error


class Tasks:
    """The caller's own tasks."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def get(self, task_id: str, *, deadline: float | None = None) -> Task:
        """Returns one task."""
        return await self._calls.read("TaskService/GetTask", GetTaskRequest(task_id=task_id), Task, deadline)

    async def list(self, *, limit: int | None = None, cursor: str | None = None, deadline: float | None = None) -> ListTasksResponse:
        """Returns a page of tasks, newest first."""
        request = ListTasksRequest(limit=limit, cursor=cursor)
        return await self._calls.read("TaskService/ListTasks", request, ListTasksResponse, deadline)

    def list_all(self, *, limit: int | None = None, deadline: float | None = None) -> AsyncIterator[Task]:
        """Yields all tasks. ``limit`` and ``deadline`` apply to each page."""
        return each(lambda cursor: self.list(limit=limit, cursor=cursor, deadline=deadline), lambda page: page.tasks)

    async def cancel(self, task_id: str, *, deadline: float | None = None) -> Task:
        """Cancels an unfinished task. What it has already written stays."""
        return await self._calls.write("TaskService/CancelTask", CancelTaskRequest(task_id=task_id), Task, deadline)

    def watch(self, task_id: str, *, deadline: float | None = None) -> AsyncGenerator[Task, None]:
        """Yields the task: its current state, then each change of its stage or progress, until it has ended."""
        request = WatchTaskRequest(task_id=task_id)
        return self._calls.stream("TaskService/WatchTask", request, Task, deadline, resumes=True)

    async def wait(
        self, task_id: str, *, on_progress: Callable[[str, int, int], None] | None = None, deadline: float | None = None
    ) -> Task:
        """Waits until the task is completed; ``on_progress(stage, done, total)`` is called at each step.
        Raises an error if the task fails or is cancelled.
        """
        task = Task()
        async with aclosing(self.watch(task_id, deadline=deadline)) as states:
            async for task in states:
                if on_progress is not None:
                    on_progress(task.stage, task.progress.done, task.progress.total)
        if task.status in ("failed", "cancelled"):
            raise detail_error(task.error)
        return task
