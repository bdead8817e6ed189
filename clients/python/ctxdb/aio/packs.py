"""Packs: archives of files and folders with their layers."""

from __future__ import annotations

import os
from typing import Any

from ctxdb._gen.messages.file_chunk_pb2 import FileChunk
from ctxdb._gen.messages.pack_pb2 import ExportPackRequest, ImportPackRequest, ImportPackResponse
from ctxdb.aio._calls import Calls
from ctxdb.aio._files import Download
from ctxdb.aio.resources import Resources


class Packs:
    """Exports and imports parts of the tree."""

    def __init__(self, calls: Calls, resources: Resources) -> None:
        self._calls = calls
        self._resources = resources

    def export(self, uri: str, *, include_vectors: bool = False, to: str | None = None, deadline: float | None = None) -> Download:
        """Streams a file or folder as a pack (zip)."""
        request = ExportPackRequest(uri=uri, include_vectors=include_vectors, to=to)
        return Download(self._calls.stream("PackService/ExportPack", request, FileChunk, deadline))

    async def export_to(
        self, uri: str, path: str | os.PathLike[str], *, include_vectors: bool = False, deadline: float | None = None
    ) -> int:
        """Exports into a local file, completely or not at all. Returns the number of bytes."""
        return await self.export(uri, include_vectors=include_vectors, deadline=deadline).save(path)

    async def import_(
        self,
        parent: str,
        *,
        temp_path: str | None = None,
        temp_file_id: str | None = None,
        on_conflict: str | None = None,
        force: bool = False,
        vectorize: bool | None = None,
        wait: bool = False,
        timeout: float | None = None,
        idempotency_key: str | None = None,
        deadline: float | None = None,
    ) -> ImportPackResponse:
        """Imports an uploaded pack into the folder ``parent``; ``on_conflict`` is "fail" (default),
        "overwrite" or "skip".
        """
        request = ImportPackRequest(
            parent=parent,
            temp_path=temp_path,
            temp_file_id=temp_file_id,
            on_conflict=on_conflict,
            force=force,
            vectorize=vectorize,
            wait=wait,
            timeout=timeout,
            idempotency_key=idempotency_key,
        )
        return await self._calls.write("PackService/ImportPack", request, ImportPackResponse, deadline)

    async def import_path(self, path: str | os.PathLike[str], parent: str, **fields: Any) -> ImportPackResponse:
        """Uploads a local pack and imports it; all other fields are those of :meth:`import_`."""
        upload = await self._resources.upload(path)
        return await self.import_(parent, temp_path=upload.temp_path, **fields)
