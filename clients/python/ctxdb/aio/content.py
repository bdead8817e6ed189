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
    """Reads and writes the content of files and folders."""

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
        """Returns a file as text, or ``limit`` lines of it from line ``offset``. Download binary and very
        large files instead.
        """
        request = ReadContentRequest(uri=uri, offset=offset, limit=limit, version=version, snapshot=snapshot)
        retries = self._calls.settings.retries
        answer, metadata = await self._calls.unary("ContentService/ReadContent", request, ReadContentResponse, deadline, retries)
        return Text(answer.content, str(metadata.get("etag", "")).strip('"'))

    async def abstract(self, uri: str, *, deadline: float | None = None) -> str:
        """Returns the abstract (L0): one sentence about a file or folder. FailedPrecondition while it is not ready yet."""
        request = GetAbstractRequest(uri=uri)
        return (await self._calls.read("ContentService/GetAbstract", request, GetAbstractResponse, deadline)).abstract

    async def overview(self, uri: str, *, token_budget: int | None = None, group: str | None = None, deadline: float | None = None) -> str:
        """Returns the overview (L1): a description of medium length or within a token budget; for a folder
        also of one of its groups. FailedPrecondition while it is not ready yet.
        """
        request = GetOverviewRequest(uri=uri, token_budget=token_budget, group=group)
        return (await self._calls.read("ContentService/GetOverview", request, GetOverviewResponse, deadline)).overview

    async def chunks(
        self, uri: str, *, limit: int | None = None, cursor: str | None = None, deadline: float | None = None
    ) -> ListChunksResponse:
        """Returns the chunks of a file or folder in the search index, in text order."""
        request = ListChunksRequest(uri=uri, limit=limit, cursor=cursor)
        return await self._calls.read("ContentService/ListChunks", request, ListChunksResponse, deadline)

    async def history(
        self, uri: str, *, limit: int | None = None, cursor: str | None = None, deadline: float | None = None
    ) -> ListVersionsResponse:
        """Returns the versions of a file, newest first."""
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
        """Compares two versions of a text file; by default the current version and the one before."""
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
        """Restores the content of an earlier version of a file, as a new version."""
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
        """Writes text files such as ``{"uri": "…", "content": "…", "mode": "create"}`` in one transaction,
        either all or none.
        """
        request = WriteFilesRequest(
            files=[one if isinstance(one, FileWrite) else json_format.ParseDict(dict(one), FileWrite()) for one in files],
            wait=wait,
            timeout=timeout,
            idempotency_key=idempotency_key,
        )
        return await self._calls.write("ContentService/WriteFiles", request, WriteFilesResponse, deadline)

    def download(self, uri: str, *, version: int | None = None, snapshot: str | None = None, deadline: float | None = None) -> Download:
        """Streams the bytes of a file."""
        request = DownloadContentRequest(uri=uri, version=version, snapshot=snapshot)
        return Download(self._calls.stream("ContentService/DownloadContent", request, FileChunk, deadline))

    async def download_to(self, uri: str, path: str | os.PathLike[str], *, deadline: float | None = None) -> int:
        """Downloads into a local file, completely or not at all. Returns the number of bytes."""
        return await self.download(uri, deadline=deadline).save(path)
