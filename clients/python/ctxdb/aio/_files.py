"""Streams of bytes, and their way into local files."""

from __future__ import annotations

import asyncio
import os
import uuid
from collections.abc import AsyncGenerator
from contextlib import aclosing
from pathlib import Path

from ctxdb._gen.httpbody_pb2 import HttpBody


async def bytes_of(bodies: AsyncGenerator[HttpBody, None]) -> AsyncGenerator[bytes, None]:
    """The bytes alone; ends the call when it is closed."""
    async with aclosing(bodies):
        async for body in bodies:
            yield body.data


async def save(pieces: AsyncGenerator[bytes, None], path: str | os.PathLike[str]) -> int:
    """Writes beside the path and renames at the end, so that nobody sees half a file; the number of bytes."""
    target = Path(path)
    part = target.with_name(f".{target.name}.{uuid.uuid4().hex}.part")
    size = 0
    try:
        with part.open("xb") as file:
            async with aclosing(pieces):
                async for piece in pieces:
                    size += await asyncio.to_thread(file.write, piece)
        part.replace(target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    return size
