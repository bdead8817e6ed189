"""State of the server's components."""

from __future__ import annotations

from ctxdb._gen.messages.observer_pb2 import (
    ComponentStatus,
    DrainMemberRequest,
    DrainMemberResponse,
    GetHealthRequest,
    GetHealthResponse,
    GetQueueRequest,
    GetSystemRequest,
    GetSystemResponse,
    GetVectordbRequest,
    GetVlmRequest,
    ListAuditRequest,
    ListAuditResponse,
    ListDeadLettersRequest,
    ListDeadLettersResponse,
    ListMembersRequest,
    ListMembersResponse,
    ListMetricsRequest,
    ListMetricsResponse,
    MoveAccountRequest,
    MoveAccountResponse,
    RetryDeadLetterRequest,
    RetryDeadLetterResponse,
)
from ctxdb.aio._calls import Calls


class Observer:
    """Tables with rows separated by newlines and cells separated by tabs."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def queue(self, *, deadline: float | None = None) -> ComponentStatus:
        """Returns the state of the queues."""
        return await self._calls.read("ObserverService/GetQueue", GetQueueRequest(), ComponentStatus, deadline)

    async def vectordb(self, *, deadline: float | None = None) -> ComponentStatus:
        """Returns the state of the vectors."""
        return await self._calls.read("ObserverService/GetVectordb", GetVectordbRequest(), ComponentStatus, deadline)

    async def vlm(self, *, deadline: float | None = None) -> ComponentStatus:
        """Returns the tokens used by models."""
        return await self._calls.read("ObserverService/GetVlm", GetVlmRequest(), ComponentStatus, deadline)

    async def system(self, *, deadline: float | None = None) -> GetSystemResponse:
        """Returns the state of the queues, the vector index and the models, and the problems found."""
        return await self._calls.read("ObserverService/GetSystem", GetSystemRequest(), GetSystemResponse, deadline)

    async def metrics(
        self,
        *,
        resolution: str | None = None,
        after: str | None = None,
        limit: int | None = None,
        deadline: float | None = None,
    ) -> ListMetricsResponse:
        """Returns measurements over time. Requires ROOT."""
        request = ListMetricsRequest(resolution=resolution, after=after, limit=limit)
        return await self._calls.read("ObserverService/ListMetrics", request, ListMetricsResponse, deadline)

    async def members(self, *, deadline: float | None = None) -> ListMembersResponse:
        """Returns the servers that share the store, with their accounts. Requires ROOT."""
        return await self._calls.read("ObserverService/ListMembers", ListMembersRequest(), ListMembersResponse, deadline)

    async def drain_member(self, number: int, *, cancel: bool | None = None, deadline: float | None = None) -> DrainMemberResponse:
        """Makes a server hand over all its accounts; ``cancel`` stops this. Requires ROOT."""
        request = DrainMemberRequest(number=number, cancel=cancel)
        return await self._calls.write("ObserverService/DrainMember", request, DrainMemberResponse, deadline)

    async def move_account(self, account_id: str, number: int, *, deadline: float | None = None) -> MoveAccountResponse:
        """Hands an account over to a server. Requires ROOT."""
        request = MoveAccountRequest(account_id=account_id, number=number)
        return await self._calls.write("ObserverService/MoveAccount", request, MoveAccountResponse, deadline)

    async def dead_letters(
        self, *, limit: int | None = None, cursor: str | None = None, deadline: float | None = None
    ) -> ListDeadLettersResponse:
        """Returns jobs that were given up, newest first. Requires ADMIN or ROOT."""
        request = ListDeadLettersRequest(limit=limit, cursor=cursor)
        return await self._calls.read("ObserverService/ListDeadLetters", request, ListDeadLettersResponse, deadline)

    async def retry_dead_letter(self, id: str, *, deadline: float | None = None) -> RetryDeadLetterResponse:
        """Queues the job of a dead letter again. Requires ADMIN or ROOT."""
        request = RetryDeadLetterRequest(id=id)
        return await self._calls.write("ObserverService/RetryDeadLetter", request, RetryDeadLetterResponse, deadline)

    async def audit(self, *, limit: int | None = None, cursor: str | None = None, deadline: float | None = None) -> ListAuditResponse:
        """Returns administrative and refused calls, newest first. Requires ADMIN or ROOT."""
        request = ListAuditRequest(limit=limit, cursor=cursor)
        return await self._calls.read("ObserverService/ListAudit", request, ListAuditResponse, deadline)

    async def health(self, *, deadline: float | None = None) -> bool:
        """Returns whether all components work."""
        return (await self._calls.read("ObserverService/GetHealth", GetHealthRequest(), GetHealthResponse, deadline)).healthy
