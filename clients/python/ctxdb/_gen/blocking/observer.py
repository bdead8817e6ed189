# Made from ctxdb/aio/observer.py by tools/blocking.py: change that and run generate.sh.
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
from ctxdb._calls import Calls


class Observer:
    """Tables with rows separated by newlines and cells separated by tabs."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def queue(self, *, deadline: float | None = None) -> ComponentStatus:
        """Returns the state of the queues."""
        return self._calls.read("ObserverService/GetQueue", GetQueueRequest(), ComponentStatus, deadline)

    def vectordb(self, *, deadline: float | None = None) -> ComponentStatus:
        """Returns the state of the vectors."""
        return self._calls.read("ObserverService/GetVectordb", GetVectordbRequest(), ComponentStatus, deadline)

    def vlm(self, *, deadline: float | None = None) -> ComponentStatus:
        """Returns the tokens used by models."""
        return self._calls.read("ObserverService/GetVlm", GetVlmRequest(), ComponentStatus, deadline)

    def system(self, *, deadline: float | None = None) -> GetSystemResponse:
        """Returns the state of the queues, the vector index and the models, and the problems found."""
        return self._calls.read("ObserverService/GetSystem", GetSystemRequest(), GetSystemResponse, deadline)

    def metrics(
        self,
        *,
        resolution: str | None = None,
        after: str | None = None,
        limit: int | None = None,
        deadline: float | None = None,
    ) -> ListMetricsResponse:
        """Returns measurements over time. Requires ROOT."""
        request = ListMetricsRequest(resolution=resolution, after=after, limit=limit)
        return self._calls.read("ObserverService/ListMetrics", request, ListMetricsResponse, deadline)

    def members(self, *, deadline: float | None = None) -> ListMembersResponse:
        """Returns the servers that share the store, with their accounts. Requires ROOT."""
        return self._calls.read("ObserverService/ListMembers", ListMembersRequest(), ListMembersResponse, deadline)

    def drain_member(self, number: int, *, cancel: bool | None = None, deadline: float | None = None) -> DrainMemberResponse:
        """Makes a server hand over all its accounts; ``cancel`` stops this. Requires ROOT."""
        request = DrainMemberRequest(number=number, cancel=cancel)
        return self._calls.write("ObserverService/DrainMember", request, DrainMemberResponse, deadline)

    def move_account(self, account_id: str, number: int, *, deadline: float | None = None) -> MoveAccountResponse:
        """Hands an account over to a server. Requires ROOT."""
        request = MoveAccountRequest(account_id=account_id, number=number)
        return self._calls.write("ObserverService/MoveAccount", request, MoveAccountResponse, deadline)

    def dead_letters(
        self, *, limit: int | None = None, cursor: str | None = None, deadline: float | None = None
    ) -> ListDeadLettersResponse:
        """Returns jobs that were given up, newest first. Requires ADMIN or ROOT."""
        request = ListDeadLettersRequest(limit=limit, cursor=cursor)
        return self._calls.read("ObserverService/ListDeadLetters", request, ListDeadLettersResponse, deadline)

    def retry_dead_letter(self, id: str, *, deadline: float | None = None) -> RetryDeadLetterResponse:
        """Queues the job of a dead letter again. Requires ADMIN or ROOT."""
        request = RetryDeadLetterRequest(id=id)
        return self._calls.write("ObserverService/RetryDeadLetter", request, RetryDeadLetterResponse, deadline)

    def audit(self, *, limit: int | None = None, cursor: str | None = None, deadline: float | None = None) -> ListAuditResponse:
        """Returns administrative and refused calls, newest first. Requires ADMIN or ROOT."""
        request = ListAuditRequest(limit=limit, cursor=cursor)
        return self._calls.read("ObserverService/ListAudit", request, ListAuditResponse, deadline)

    def health(self, *, deadline: float | None = None) -> bool:
        """Returns whether all components work."""
        return (self._calls.read("ObserverService/GetHealth", GetHealthRequest(), GetHealthResponse, deadline)).healthy
