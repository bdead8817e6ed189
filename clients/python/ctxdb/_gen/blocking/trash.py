# Made from ctxdb/aio/trash.py by tools/blocking.py: change that and run generate.sh.
"""What was deleted or replaced, until it expires."""

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
from ctxdb._calls import Calls


class Trash:
    """The trash of the places that the caller may see."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def list(self, *, limit: int | None = None, cursor: str | None = None, deadline: float | None = None) -> ListTrashResponse:
        """A page of the trash, the newest item first."""
        request = ListTrashRequest(limit=limit, cursor=cursor)
        return self._calls.read("TrashService/ListTrash", request, ListTrashResponse, deadline)

    def restore(
        self,
        trash_id: str,
        *,
        to_uri: str | None = None,
        idempotency_key: str | None = None,
        deadline: float | None = None,
    ) -> RestoreTrashResponse:
        """Puts an item back to where it was, or to ``to_uri``."""
        request = RestoreTrashRequest(trash_id=trash_id, to_uri=to_uri, idempotency_key=idempotency_key)
        return self._calls.write("TrashService/RestoreTrash", request, RestoreTrashResponse, deadline)

    def delete(self, trash_id: str, *, deadline: float | None = None) -> DeleteTrashResponse:
        """Deletes one item for good."""
        return self._calls.write("TrashService/DeleteTrash", DeleteTrashRequest(trash_id=trash_id), DeleteTrashResponse, deadline)

    def empty(self, *, all: bool = False, deadline: float | None = None) -> EmptyTrashResponse:
        """Deletes for good the items of the caller, and with ``all`` also what others removed from shared places."""
        return self._calls.write("TrashService/EmptyTrash", EmptyTrashRequest(all=all), EmptyTrashResponse, deadline)
