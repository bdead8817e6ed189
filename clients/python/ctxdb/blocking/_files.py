# Made from ../aio/_files.py by tools/blocking.py: change that and run generate.sh.
"""Streams of bytes, and their way into local files."""

from __future__ import annotations

import os
import uuid
from collections.abc import Generator
from contextlib import closing
from pathlib import Path

from ctxdb._gen.httpbody_pb2 import HttpBody


def bytes_of(bodies: Generator[HttpBody, None, None]) -> Generator[bytes, None, None]:
    """The bytes alone; ends the call when it is closed."""
    with closing(bodies):
        for body in bodies:
            yield body.data


def save(pieces: Generator[bytes, None, None], path: str | os.PathLike[str]) -> int:
    """Writes beside the path and renames at the end, so that nobody sees half a file; the number of bytes."""
    target = Path(path)
    part = target.with_name(f".{target.name}.{uuid.uuid4().hex}.part")
    size = 0
    try:
        with part.open("xb") as file:
            with closing(pieces):
                for piece in pieces:
                    size += file.write(piece)
        part.replace(target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    return size
