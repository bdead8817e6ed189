"""Trash: deleted and replaced files and folders, until they expire."""

from __future__ import annotations

from ctxdb._gen.messages.trash_pb2 import (
    DeleteTrashRequest,
    DeleteTrashResponse,
    EmptyTrashRequest,
    EmptyTrashResponse,
    ListTrashRequest,
    ListTrashResponse,
    RestoreTrashRequest,
    RestoreTrashResponse,
)
from ctxdb.aio._calls import Calls


class Trash:
    """The trash of folders that the caller may see."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def list(self, *, limit: int | None = None, cursor: str | None = None, deadline: float | None = None) -> ListTrashResponse:
        """Returns a page of the trash, newest item first."""
        request = ListTrashRequest(limit=limit, cursor=cursor)
        return await self._calls.read("TrashService/ListTrash", request, ListTrashResponse, deadline)

    async def restore(
        self,
        trash_id: str,
        *,
        to_uri: str | None = None,
        idempotency_key: str | None = None,
        deadline: float | None = None,
    ) -> RestoreTrashResponse:
        """Restores an item to its old URI, or to ``to_uri``."""
        request = RestoreTrashRequest(trash_id=trash_id, to_uri=to_uri, idempotency_key=idempotency_key)
        return await self._calls.write("TrashService/RestoreTrash", request, RestoreTrashResponse, deadline)

    async def delete(self, trash_id: str, *, deadline: float | None = None) -> DeleteTrashResponse:
        """Deletes one item for good."""
        return await self._calls.write("TrashService/DeleteTrash", DeleteTrashRequest(trash_id=trash_id), DeleteTrashResponse, deadline)

    async def empty(self, *, all: bool = False, deadline: float | None = None) -> EmptyTrashResponse:
        """Deletes the caller's items for good; with ``all`` also items that others removed from shared folders."""
        return await self._calls.write("TrashService/EmptyTrash", EmptyTrashRequest(all=all), EmptyTrashResponse, deadline)
