"""The server, the caller's identity, and waiting for its queues."""

from __future__ import annotations

from ctxdb._gen.messages.health_pb2 import HealthCheckRequest, HealthCheckResponse
from ctxdb._gen.messages.system_pb2 import (
    GetStatusRequest,
    GetStatusResponse,
    GetUsageRequest,
    GetUsageResponse,
    WaitProcessedRequest,
    WaitProcessedResponse,
)
from ctxdb.aio._calls import Calls


class System:
    """The server as a whole."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def status(self, *, deadline: float | None = None) -> GetStatusResponse:
        """Returns the server's version and uptime, and the caller's user, account and role."""
        return await self._calls.read("SystemService/GetStatus", GetStatusRequest(), GetStatusResponse, deadline)

    async def usage(self, account_id: str | None = None, *, deadline: float | None = None) -> GetUsageResponse:
        """Returns an account's usage and limits; by default the caller's account."""
        request = GetUsageRequest(account_id=account_id)
        return await self._calls.read("SystemService/GetUsage", request, GetUsageResponse, deadline)

    async def wait(self, *, timeout: float | None = None, deadline: float | None = None) -> WaitProcessedResponse:
        """Waits until all work of the caller's account is done; ``timeout`` is in seconds; 0 checks once."""
        request = WaitProcessedRequest(timeout=timeout)
        return await self._calls.read("SystemService/WaitProcessed", request, WaitProcessedResponse, deadline)

    async def health(self, *, deadline: float | None = None) -> bool:
        """Returns whether the server accepts calls. Needs no key."""
        answer = await self._calls.read("/grpc.health.v1.Health/Check", HealthCheckRequest(), HealthCheckResponse, deadline)
        return answer.status == HealthCheckResponse.SERVING
