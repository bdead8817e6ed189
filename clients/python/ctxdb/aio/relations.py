"""Relations: directed links between URIs, with a reason."""

from __future__ import annotations

from collections.abc import Sequence

from ctxdb._gen.messages.relation_pb2 import (
    LinkNodesRequest,
    LinkNodesResponse,
    ListRelationsRequest,
    ListRelationsResponse,
    UnlinkNodesRequest,
    UnlinkNodesResponse,
)
from ctxdb._values import to_value
from ctxdb.aio._calls import Calls


class Relations:
    """Links files and folders that the caller may see."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def link(
        self,
        from_uri: str,
        to_uri: str | None = None,
        *,
        to_uris: str | Sequence[str] | None = None,
        reason: str = "",
        deadline: float | None = None,
    ) -> None:
        """Links a file or folder to one or several others. An existing link gets the new reason."""
        request = LinkNodesRequest(from_uri=from_uri, to_uri=to_uri, to_uris=to_value(to_uris), reason=reason)
        await self._calls.write("RelationService/LinkNodes", request, LinkNodesResponse, deadline)

    async def unlink(self, from_uri: str, to_uri: str, *, deadline: float | None = None) -> None:
        """Removes a link in one direction; not an error if there is none."""
        request = UnlinkNodesRequest(from_uri=from_uri, to_uri=to_uri)
        await self._calls.write("RelationService/UnlinkNodes", request, UnlinkNodesResponse, deadline)

    async def list(self, uri: str, *, direction: str | None = None, deadline: float | None = None) -> ListRelationsResponse:
        """Returns the links from a URI; with ``direction`` "in" the links to it, with "both" all of them."""
        request = ListRelationsRequest(uri=uri, direction=direction)
        return await self._calls.read("RelationService/ListRelations", request, ListRelationsResponse, deadline)
