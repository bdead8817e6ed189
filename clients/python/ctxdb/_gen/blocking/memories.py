# Made from ctxdb/aio/memories.py by tools/blocking.py: change that and run generate.sh.
"""The caller's memories one by one: facts and episodes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

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
from ctxdb._calls import Calls
from ctxdb._gen.blocking._pages import each


class Memories:
    """Facts, which are lines of Markdown files, and episodes, which are files. Times are ISO 8601."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def create(
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
        """Keeps a statement word for word; one that is known already answers with ``created`` false."""
        request = CreateMemoryRequest(
            statement=statement,
            category=category,
            subject=subject,
            valid_from=valid_from,
            expires_at=expires_at,
            origin=origin,
            idempotency_key=idempotency_key,
        )
        return self._calls.write("MemoryService/CreateMemory", request, CreateMemoryResponse, deadline)

    def list(
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
        """One page: facts, then episodes. ``as_of`` gives what held at that time."""
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
        return self._calls.read("MemoryService/ListMemories", request, ListMemoriesResponse, deadline)

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
    ) -> Iterator[Memory]:
        """Every memory; ``limit`` memories and ``deadline`` seconds are those of a page."""
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

    def get(self, memory_id: str, *, deadline: float | None = None) -> GetMemoryResponse:
        """One memory."""
        request = GetMemoryRequest(memory_id=memory_id)
        return self._calls.read("MemoryService/GetMemory", request, GetMemoryResponse, deadline)

    def update(
        self,
        memory_id: str,
        statement: str | None = None,
        *,
        valid_from: str | None = None,
        expires_at: str | None = None,
        idempotency_key: str | None = None,
        deadline: float | None = None,
    ) -> UpdateMemoryResponse:
        """Changes a fact: its id stays, the statement before goes into the history. ``expires_at=""``: never."""
        request = UpdateMemoryRequest(
            memory_id=memory_id,
            statement=statement,
            valid_from=valid_from,
            expires_at=expires_at,
            idempotency_key=idempotency_key,
        )
        return self._calls.write("MemoryService/UpdateMemory", request, UpdateMemoryResponse, deadline)

    def delete(self, memory_id: str, *, deadline: float | None = None) -> DeleteMemoryResponse:
        """Deletes a memory; what was said stays in the archive of its session."""
        request = DeleteMemoryRequest(memory_id=memory_id)
        return self._calls.write("MemoryService/DeleteMemory", request, DeleteMemoryResponse, deadline)

    def forget(
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
        """Forgets for good, in memories and in what was said; exactly one of ``uri``, ``query`` and ``subject``.

        The task of the answer ends when the disk is clear; ``dry_run`` lists what would go.
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
        return self._calls.write("MemoryService/Forget", request, ForgetResponse, deadline)

    def history(self, memory_id: str, *, deadline: float | None = None) -> GetMemoryHistoryResponse:
        """A fact and what it has superseded, the newest first."""
        request = GetMemoryHistoryRequest(memory_id=memory_id)
        return self._calls.read("MemoryService/GetMemoryHistory", request, GetMemoryHistoryResponse, deadline)
