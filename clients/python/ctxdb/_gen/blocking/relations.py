# Made from ctxdb/aio/relations.py by tools/blocking.py: change that and run generate.sh.
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
from ctxdb._calls import Calls


class Relations:
    """Links files and folders that the caller may see."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def link(
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
        self._calls.write("RelationService/LinkNodes", request, LinkNodesResponse, deadline)

    def unlink(self, from_uri: str, to_uri: str, *, deadline: float | None = None) -> None:
        """Removes a link in one direction; not an error if there is none."""
        request = UnlinkNodesRequest(from_uri=from_uri, to_uri=to_uri)
        self._calls.write("RelationService/UnlinkNodes", request, UnlinkNodesResponse, deadline)

    def list(self, uri: str, *, direction: str | None = None, deadline: float | None = None) -> ListRelationsResponse:
        """Returns the links from a URI; with ``direction`` "in" the links to it, with "both" all of them."""
        request = ListRelationsRequest(uri=uri, direction=direction)
        return self._calls.read("RelationService/ListRelations", request, ListRelationsResponse, deadline)
