"""The three layers of a node: content, overview, abstract."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from google.protobuf import json_format

from ctxdb._gen.messages.content_pb2 import (
    DiffVersionsRequest,
    DiffVersionsResponse,
    DownloadContentRequest,
    FileWrite,
    GetAbstractRequest,
    GetAbstractResponse,
    GetOverviewRequest,
    GetOverviewResponse,
    ListChunksRequest,
    ListChunksResponse,
    ListVersionsRequest,
    ListVersionsResponse,
    ReadContentRequest,
    ReadContentResponse,
    RestoreVersionRequest,
    RestoreVersionResponse,
    WriteContentRequest,
    WriteContentResponse,
    WriteFilesRequest,
    WriteFilesResponse,
)
from ctxdb._gen.messages.file_chunk_pb2 import FileChunk
from ctxdb._values import Text
from ctxdb.aio._calls import Calls
from ctxdb.aio._files import Download


class Content:
    """Reads and writes what nodes hold."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def read(
        self,
        uri: str,
        *,
        offset: int = 0,
        limit: int | None = None,
        version: int | None = None,
        snapshot: str | None = None,
        deadline: float | None = None,
    ) -> Text:
        """A file as text, or ``limit`` lines of it from line ``offset``. Binary and very large files have to be downloaded."""
        request = ReadContentRequest(uri=uri, offset=offset, limit=limit, version=version, snapshot=snapshot)
        retries = self._calls.settings.retries
        answer, metadata = await self._calls.unary("ContentService/ReadContent", request, ReadContentResponse, deadline, retries)
        return Text(answer.content, str(metadata.get("etag", "")).strip('"'))

    async def abstract(self, uri: str, *, deadline: float | None = None) -> str:
        """One sentence about a file or folder. FailedPrecondition while it is not made yet."""
        request = GetAbstractRequest(uri=uri)
        return (await self._calls.read("ContentService/GetAbstract", request, GetAbstractResponse, deadline)).abstract

    async def overview(self, uri: str, *, token_budget: int | None = None, group: str | None = None, deadline: float | None = None) -> str:
        """A description of medium length or within a budget; of a folder also of one of its groups. FailedPrecondition until it is made."""
        request = GetOverviewRequest(uri=uri, token_budget=token_budget, group=group)
        return (await self._calls.read("ContentService/GetOverview", request, GetOverviewResponse, deadline)).overview

    async def chunks(
        self, uri: str, *, limit: int | None = None, cursor: str | None = None, deadline: float | None = None
    ) -> ListChunksResponse:
        """What the search index holds of a file or folder, in the order of its text."""
        request = ListChunksRequest(uri=uri, limit=limit, cursor=cursor)
        return await self._calls.read("ContentService/ListChunks", request, ListChunksResponse, deadline)

    async def history(
        self, uri: str, *, limit: int | None = None, cursor: str | None = None, deadline: float | None = None
    ) -> ListVersionsResponse:
        """The versions of a file, the newest first."""
        request = ListVersionsRequest(uri=uri, limit=limit, cursor=cursor)
        return await self._calls.read("ContentService/ListVersions", request, ListVersionsResponse, deadline)

    async def diff(
        self,
        uri: str,
        *,
        from_version: int | None = None,
        to_version: int | None = None,
        context: int | None = None,
        deadline: float | None = None,
    ) -> DiffVersionsResponse:
        """What two versions of a text file differ in: by default the present one and the one before."""
        request = DiffVersionsRequest(uri=uri, from_version=from_version, to_version=to_version, context=context)
        return await self._calls.read("ContentService/DiffVersions", request, DiffVersionsResponse, deadline)

    async def restore(
        self,
        uri: str,
        version: int,
        *,
        wait: bool = False,
        timeout: float | None = None,
        if_match: str | None = None,
        idempotency_key: str | None = None,
        deadline: float | None = None,
    ) -> RestoreVersionResponse:
        """Gives a file the content of an earlier version, as a new version."""
        request = RestoreVersionRequest(
            uri=uri, version=version, wait=wait, timeout=timeout, if_match=if_match, idempotency_key=idempotency_key
        )
        return await self._calls.write("ContentService/RestoreVersion", request, RestoreVersionResponse, deadline)

    async def write(
        self,
        uri: str,
        content: str,
        *,
        mode: str | None = None,
        wait: bool = False,
        timeout: float | None = None,
        if_match: str | None = None,
        idempotency_key: str | None = None,
        deadline: float | None = None,
    ) -> WriteContentResponse:
        """Writes a text file; ``mode`` is "replace" (default), "append" or "create". ``if_match`` writes only over this ``etag``."""
        request = WriteContentRequest(
            uri=uri, content=content, mode=mode, wait=wait, timeout=timeout, if_match=if_match, idempotency_key=idempotency_key
        )
        return await self._calls.write("ContentService/WriteContent", request, WriteContentResponse, deadline)

    async def write_many(
        self,
        files: Sequence[FileWrite | Mapping[str, Any]],
        *,
        wait: bool = False,
        timeout: float | None = None,
        idempotency_key: str | None = None,
        deadline: float | None = None,
    ) -> WriteFilesResponse:
        """Writes text files such as ``{"uri": "…", "content": "…", "mode": "create"}`` in one step: all of them, or none."""
        request = WriteFilesRequest(
            files=[one if isinstance(one, FileWrite) else json_format.ParseDict(dict(one), FileWrite()) for one in files],
            wait=wait,
            timeout=timeout,
            idempotency_key=idempotency_key,
        )
        return await self._calls.write("ContentService/WriteFiles", request, WriteFilesResponse, deadline)

    def download(self, uri: str, *, version: int | None = None, snapshot: str | None = None, deadline: float | None = None) -> Download:
        """The bytes of a file, piece by piece."""
        request = DownloadContentRequest(uri=uri, version=version, snapshot=snapshot)
        return Download(self._calls.stream("ContentService/DownloadContent", request, FileChunk, deadline))

    async def download_to(self, uri: str, path: str | os.PathLike[str], *, deadline: float | None = None) -> int:
        """Downloads into a file, which is there whole or not at all; the number of bytes."""
        return await self.download(uri, deadline=deadline).save(path)
