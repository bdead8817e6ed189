"""The tree of files and folders."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

from ctxdb._gen.messages.filesystem_pb2 import (
    CopyNodeRequest,
    CopyNodeResponse,
    ListEntriesRequest,
    ListEntriesResponse,
    ListTreeRequest,
    ListTreeResponse,
    MakeDirectoryRequest,
    MakeDirectoryResponse,
    MoveNodeRequest,
    MoveNodeResponse,
    RemoveNodeRequest,
    RemoveNodeResponse,
    RemoveNodesRequest,
    RemoveNodesResponse,
    StatNodeRequest,
    StatNodeResponse,
    TagNodeRequest,
    TagNodeResponse,
)
from ctxdb._values import Entry, to_entry
from ctxdb.aio._calls import Calls
from ctxdb.aio._pages import each


class FileSystem:
    """Lists, creates, moves and removes files and folders."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def ls(
        self,
        uri: str,
        *,
        simple: bool = False,
        recursive: bool = False,
        output: str | None = None,
        abs_limit: int | None = None,
        show_all_hidden: bool = False,
        hide_sections: bool = False,
        node_limit: int | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        tags: Sequence[str] = (),
        deadline: float | None = None,
    ) -> ListEntriesResponse:
        """Returns a page of a folder's entries, sorted by name: ``entries`` as JSON values, and a
        ``next_cursor`` if there are more.
        """
        request = ListEntriesRequest(
            uri=uri,
            simple=simple,
            recursive=recursive,
            output=output,
            abs_limit=abs_limit,
            show_all_hidden=show_all_hidden,
            hide_sections=hide_sections,
            node_limit=node_limit,
            limit=limit,
            cursor=cursor,
            tags=tags,
        )
        return await self._calls.read("FilesystemService/ListEntries", request, ListEntriesResponse, deadline)

    def ls_all(
        self,
        uri: str,
        *,
        recursive: bool = False,
        output: str | None = None,
        abs_limit: int | None = None,
        show_all_hidden: bool = False,
        hide_sections: bool = False,
        node_limit: int | None = None,
        tags: Sequence[str] = (),
        deadline: float | None = None,
    ) -> AsyncIterator[Entry]:
        """Yields all entries of a folder. ``node_limit`` and ``deadline`` apply to each page."""
        return each(
            lambda cursor: self.ls(
                uri,
                recursive=recursive,
                output=output,
                abs_limit=abs_limit,
                show_all_hidden=show_all_hidden,
                hide_sections=hide_sections,
                node_limit=node_limit,
                cursor=cursor,
                tags=tags,
                deadline=deadline,
            ),
            lambda page: map(to_entry, page.entries),
        )

    async def tree(
        self,
        uri: str,
        *,
        output: str | None = None,
        abs_limit: int | None = None,
        show_all_hidden: bool = False,
        hide_sections: bool = False,
        node_limit: int | None = None,
        level_limit: int | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        tags: Sequence[str] = (),
        deadline: float | None = None,
    ) -> ListTreeResponse:
        """Returns a page of a folder and ``level_limit`` (3; 0 = all) levels below; each folder comes before
        its contents.
        """
        request = ListTreeRequest(
            uri=uri,
            output=output,
            abs_limit=abs_limit,
            show_all_hidden=show_all_hidden,
            hide_sections=hide_sections,
            node_limit=node_limit,
            level_limit=level_limit,
            limit=limit,
            cursor=cursor,
            tags=tags,
        )
        return await self._calls.read("FilesystemService/ListTree", request, ListTreeResponse, deadline)

    def tree_all(
        self,
        uri: str,
        *,
        output: str | None = None,
        abs_limit: int | None = None,
        show_all_hidden: bool = False,
        hide_sections: bool = False,
        node_limit: int | None = None,
        level_limit: int | None = None,
        tags: Sequence[str] = (),
        deadline: float | None = None,
    ) -> AsyncIterator[Entry]:
        """Yields everything below a folder. ``node_limit`` and ``deadline`` apply to each page."""
        return each(
            lambda cursor: self.tree(
                uri,
                output=output,
                abs_limit=abs_limit,
                show_all_hidden=show_all_hidden,
                hide_sections=hide_sections,
                node_limit=node_limit,
                level_limit=level_limit,
                cursor=cursor,
                tags=tags,
                deadline=deadline,
            ),
            lambda page: map(to_entry, page.entries),
        )

    async def stat(self, uri: str, *, deadline: float | None = None) -> StatNodeResponse:
        """Returns the metadata of a file or folder."""
        return await self._calls.read("FilesystemService/StatNode", StatNodeRequest(uri=uri), StatNodeResponse, deadline)

    async def mkdir(self, uri: str, *, description: str | None = None, deadline: float | None = None) -> MakeDirectoryResponse:
        """Creates a folder and its missing parents; ``description`` becomes its abstract."""
        request = MakeDirectoryRequest(uri=uri, description=description)
        return await self._calls.write("FilesystemService/MakeDirectory", request, MakeDirectoryResponse, deadline)

    async def mv(self, from_uri: str, to_uri: str, *, deadline: float | None = None) -> MoveNodeResponse:
        """Moves a file or folder in one step; something of the same kind at the destination is replaced."""
        request = MoveNodeRequest(from_uri=from_uri, to_uri=to_uri)
        return await self._calls.write("FilesystemService/MoveNode", request, MoveNodeResponse, deadline)

    async def cp(
        self,
        from_uri: str,
        to_uri: str,
        *,
        wait: bool = False,
        timeout: float | None = None,
        idempotency_key: str | None = None,
        deadline: float | None = None,
    ) -> CopyNodeResponse:
        """Copies a file or folder to a free URI, reusing contents, layers and vectors; a large folder as the task ``task_id``."""
        request = CopyNodeRequest(from_uri=from_uri, to_uri=to_uri, wait=wait, timeout=timeout, idempotency_key=idempotency_key)
        return await self._calls.write("FilesystemService/CopyNode", request, CopyNodeResponse, deadline)

    async def tag(
        self,
        uri: str,
        *,
        add: Sequence[str] = (),
        remove: Sequence[str] = (),
        replace: bool = False,
        deadline: float | None = None,
    ) -> TagNodeResponse:
        """Adds and removes tags. The tags of a folder apply to everything below it. ``replace`` drops all others first."""
        request = TagNodeRequest(uri=uri, add=add, remove=remove, replace=replace)
        return await self._calls.write("FilesystemService/TagNode", request, TagNodeResponse, deadline)

    async def rm(self, uri: str, *, recursive: bool = False, permanent: bool = False, deadline: float | None = None) -> RemoveNodeResponse:
        """Moves a file or folder to the trash, or deletes it for good; a folder that is not empty needs ``recursive``."""
        request = RemoveNodeRequest(uri=uri, recursive=recursive, permanent=permanent)
        return await self._calls.write("FilesystemService/RemoveNode", request, RemoveNodeResponse, deadline)

    async def rm_many(
        self,
        uris: Sequence[str],
        *,
        recursive: bool = False,
        permanent: bool = False,
        idempotency_key: str | None = None,
        deadline: float | None = None,
    ) -> RemoveNodesResponse:
        """Deletes several files and folders in one transaction, either all or none."""
        request = RemoveNodesRequest(uris=uris, recursive=recursive, permanent=permanent, idempotency_key=idempotency_key)
        return await self._calls.write("FilesystemService/RemoveNodes", request, RemoveNodesResponse, deadline)
