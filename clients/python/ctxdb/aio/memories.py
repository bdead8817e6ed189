"""Single memories of the caller: facts and episodes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

from ctxdb._gen.messages.memory_pb2 import (
    CreateMemoryRequest,
    CreateMemoryResponse,
    DeleteMemoryRequest,
    DeleteMemoryResponse,
    ForgetRequest,
    ForgetResponse,
    GetMemoryHistoryRequest,
    GetMemoryHistoryResponse,
    GetMemoryRequest,
    GetMemoryResponse,
    ListMemoriesRequest,
    ListMemoriesResponse,
    Memory,
    UpdateMemoryRequest,
    UpdateMemoryResponse,
)
from ctxdb.aio._calls import Calls
from ctxdb.aio._pages import each


class Memories:
    """Facts are lines of Markdown files, episodes are files. Times are ISO 8601."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def create(
        self,
        statement: str,
        *,
        category: str | None = None,
        subject: str | None = None,
        valid_from: str | None = None,
        expires_at: str | None = None,
        origin: str | None = None,
        idempotency_key: str | None = None,
        deadline: float | None = None,
    ) -> CreateMemoryResponse:
        """Stores a statement word for word. If it is already known, returns it with ``created`` false."""
        request = CreateMemoryRequest(
            statement=statement,
            category=category,
            subject=subject,
            valid_from=valid_from,
            expires_at=expires_at,
            origin=origin,
            idempotency_key=idempotency_key,
        )
        return await self._calls.write("MemoryService/CreateMemory", request, CreateMemoryResponse, deadline)

    async def list(
        self,
        *,
        category: str | None = None,
        text: str | None = None,
        subject: str | None = None,
        as_of: str | None = None,
        since: str | None = None,
        until: str | None = None,
        include_superseded: bool = False,
        exclude_origins: Sequence[str] = (),
        limit: int | None = None,
        cursor: str | None = None,
        deadline: float | None = None,
    ) -> ListMemoriesResponse:
        """Returns a page of memories: facts, then episodes. ``as_of`` returns those valid at that time."""
        request = ListMemoriesRequest(
            category=category,
            text=text,
            subject=subject,
            as_of=as_of,
            since=since,
            until=until,
            include_superseded=include_superseded,
            exclude_origins=exclude_origins,
            limit=limit,
            cursor=cursor,
        )
        return await self._calls.read("MemoryService/ListMemories", request, ListMemoriesResponse, deadline)

    def list_all(
        self,
        *,
        category: str | None = None,
        text: str | None = None,
        subject: str | None = None,
        as_of: str | None = None,
        since: str | None = None,
        until: str | None = None,
        include_superseded: bool = False,
        exclude_origins: Sequence[str] = (),
        limit: int | None = None,
        deadline: float | None = None,
    ) -> AsyncIterator[Memory]:
        """Yields all memories. ``limit`` and ``deadline`` apply to each page."""
        return each(
            lambda cursor: self.list(
                category=category,
                text=text,
                subject=subject,
                as_of=as_of,
                since=since,
                until=until,
                include_superseded=include_superseded,
                exclude_origins=exclude_origins,
                limit=limit,
                cursor=cursor,
                deadline=deadline,
            ),
            lambda page: page.memories,
        )

    async def get(self, memory_id: str, *, deadline: float | None = None) -> GetMemoryResponse:
        """Returns one memory."""
        request = GetMemoryRequest(memory_id=memory_id)
        return await self._calls.read("MemoryService/GetMemory", request, GetMemoryResponse, deadline)

    async def update(
        self,
        memory_id: str,
        statement: str | None = None,
        *,
        valid_from: str | None = None,
        expires_at: str | None = None,
        idempotency_key: str | None = None,
        deadline: float | None = None,
    ) -> UpdateMemoryResponse:
        """Changes a fact. Its id stays the same; the previous statement moves to the history. ``expires_at=""``: never."""
        request = UpdateMemoryRequest(
            memory_id=memory_id,
            statement=statement,
            valid_from=valid_from,
            expires_at=expires_at,
            idempotency_key=idempotency_key,
        )
        return await self._calls.write("MemoryService/UpdateMemory", request, UpdateMemoryResponse, deadline)

    async def delete(self, memory_id: str, *, deadline: float | None = None) -> DeleteMemoryResponse:
        """Deletes a memory. The messages it comes from stay in the archive of their session."""
        request = DeleteMemoryRequest(memory_id=memory_id)
        return await self._calls.write("MemoryService/DeleteMemory", request, DeleteMemoryResponse, deadline)

    async def forget(
        self,
        *,
        uri: str | None = None,
        query: str | None = None,
        subject: str | None = None,
        min_score: float | None = None,
        limit: int | None = None,
        dry_run: bool = False,
        idempotency_key: str | None = None,
        deadline: float | None = None,
    ) -> ForgetResponse:
        """Removes memories for good, with the sentences they come from. Give exactly one of ``uri``,
        ``query`` and ``subject``.

        The task in the response ends when the disk is erased. With ``dry_run``, only lists them.
        """
        request = ForgetRequest(
            uri=uri,
            query=query,
            subject=subject,
            min_score=min_score,
            limit=limit,
            dry_run=dry_run,
            idempotency_key=idempotency_key,
        )
        return await self._calls.write("MemoryService/Forget", request, ForgetResponse, deadline)

    async def history(self, memory_id: str, *, deadline: float | None = None) -> GetMemoryHistoryResponse:
        """Returns a fact and the facts it superseded, newest first."""
        request = GetMemoryHistoryRequest(memory_id=memory_id)
        return await self._calls.read("MemoryService/GetMemoryHistory", request, GetMemoryHistoryResponse, deadline)
