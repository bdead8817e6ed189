"""Changes of files and folders, in commit order."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing

from ctxdb._gen.messages.change_pb2 import ListChangesRequest, ListChangesResponse, WatchChangesRequest, WatchChangesResponse
from ctxdb.aio._calls import Calls
from ctxdb.errors import Error


class Changes:
    """Changes of files and folders that the caller may read."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def list(
        self,
        *,
        uri: str | None = None,
        kinds: Sequence[str] = (),
        begin: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        deadline: float | None = None,
    ) -> ListChangesResponse:
        """Returns a page of changes. Its ``cursor`` continues with later changes."""
        request = ListChangesRequest(uri=uri, kinds=kinds, begin=begin, cursor=cursor, limit=limit)
        return await self._calls.read("ChangeService/ListChanges", request, ListChangesResponse, deadline)

    async def watch(
        self,
        *,
        uri: str | None = None,
        kinds: Sequence[str] = (),
        begin: str | None = None,
        cursor: str | None = None,
        deadline: float | None = None,
    ) -> AsyncGenerator[WatchChangesResponse, None]:
        """Yields changes as they are committed; it only ends at a ``deadline``.

        After a lost connection it reconnects with the cursor of the last event, which yields another "start"
        event.
        """
        request = WatchChangesRequest(uri=uri, kinds=kinds, begin=begin, cursor=cursor)
        while True:
            has_moved = False
            try:
                events = self._calls.stream("ChangeService/WatchChanges", request, WatchChangesResponse, deadline, resumes=True)
                async with aclosing(events):
                    async for event in events:
                        has_moved = True
                        request.cursor = event.cursor
                        yield event
                return
            except Error as error:
                is_lost = error.code == "UNAVAILABLE" and has_moved
                if not is_lost and (error.code != "DEADLINE_EXCEEDED" or deadline is not None):
                    raise
