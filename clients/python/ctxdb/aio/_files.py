"""Streams of bytes, and their way into local files."""

from __future__ import annotations

import asyncio
import os
import uuid
from collections.abc import AsyncGenerator
from pathlib import Path
from types import TracebackType

from ctxdb._gen.messages.file_chunk_pb2 import FileChunk
from ctxdb.errors import Cancelled


class Download:
    """A download: an iterator of chunks of bytes that can be read once, and a context manager that closes it.

    The call is made when the first chunk is requested. Closing early cancels the call; further reads raise Cancelled.
    """

    def __init__(self, bodies: AsyncGenerator[FileChunk, None]) -> None:
        self._bodies = bodies
        self._is_closed = False
        #: The media type; "" until the first piece has come.
        self.content_type = ""

    def __aiter__(self) -> Download:
        return self

    async def __anext__(self) -> bytes:
        if self._is_closed:
            raise Cancelled("CANCELLED", "the download was closed")
        body = await self._bodies.__anext__()
        self.content_type = self.content_type or body.content_type
        return body.data

    async def aclose(self) -> None:
        self._is_closed = True
        await self._bodies.aclose()

    async def __aenter__(self) -> Download:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.aclose()

    async def save(self, path: str | os.PathLike[str]) -> int:
        """Writes to a temporary file next to the path and renames it at the end, so that nobody sees half a
        file. Returns the number of bytes.
        """
        target = Path(path)
        part = target.with_name(f".{target.name}.{uuid.uuid4().hex}.part")
        size = 0
        try:
            with part.open("xb") as file:
                async with self:
                    async for piece in self:
                        size += await asyncio.to_thread(file.write, piece)
            part.replace(target)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
        return size
