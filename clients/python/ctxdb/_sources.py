"""Local files and folders as pieces of an upload."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from pathspec import GitIgnoreSpec

#: What an upload sends in one piece, at most.
CHUNK_BYTES = 1024 * 1024
IGNORE_FILE = ".gitignore"
#: Folders that an import passes over; hidden ones are passed over anyway.
SKIPPED = frozenset({"node_modules", "bower_components", "vendor", "venv", "site-packages", "__pycache__", "target", "CVS"})
#: Below this many bytes a file fits the plain form of a zip, whatever compression makes of it.
PLAIN_ZIP_BYTES = 0x7000_0000

Source = str | os.PathLike[str] | bytes | BinaryIO


def open_source(source: Source, name: str | None) -> tuple[str, Iterable[bytes]]:
    """The name and the pieces of what is uploaded: a file, a folder (as a zip), bytes, or an open binary file.

    Errors of the file system are raised when the pieces are taken, for a missing path at once. ValueError where a name is missing.
    """
    if isinstance(source, (str, os.PathLike)):
        path = Path(source).resolve(strict=True)
        if path.is_dir():
            return name or f"{path.name}.zip", zip_folder(path)
        return name or path.name, read_file(path)
    if name is None:
        raise ValueError("an upload of bytes needs a name")
    if isinstance(source, bytes):
        return name, (source[at : at + CHUNK_BYTES] for at in range(0, len(source), CHUNK_BYTES))
    return name, read_open(source)


def read_file(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        yield from read_open(file)


def read_open(file: BinaryIO) -> Iterator[bytes]:
    while block := file.read(CHUNK_BYTES):
        yield block


class _Outbox:
    """What the zip writer has written and nobody has taken yet."""

    def __init__(self) -> None:
        self._held = bytearray()

    def write(self, data: bytes) -> int:
        self._held += data
        return len(data)

    def flush(self) -> None:
        """Nothing is held back."""

    def take(self, at_least: int) -> Iterator[bytes]:
        while self._held and len(self._held) >= at_least:
            yield bytes(self._held[:CHUNK_BYTES])
            del self._held[:CHUNK_BYTES]


def zip_folder(root: Path) -> Iterator[bytes]:
    """The folder as a zip, made while it is read; nothing of it is ever whole in memory."""
    outbox = _Outbox()
    with zipfile.ZipFile(outbox, "w", zipfile.ZIP_DEFLATED) as archive:  # type: ignore[call-overload]
        for path, name in folder_files(root):
            info = zipfile.ZipInfo.from_file(path, name, strict_timestamps=False)
            info.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(info, "w", force_zip64=info.file_size > PLAIN_ZIP_BYTES) as out:
                for block in read_file(path):
                    out.write(block)
                    yield from outbox.take(CHUNK_BYTES)
    yield from outbox.take(0)


def folder_files(root: Path) -> Iterator[tuple[Path, str]]:
    """The files an import would take, with their paths below the folder: none hidden, no links, none that a .gitignore names."""
    waiting: list[tuple[Path, str, list[tuple[str, GitIgnoreSpec]]]] = [(root, "", [])]
    while waiting:
        folder, prefix, outer = waiting.pop()
        rules = [*outer, *read_rules(folder, prefix)]
        below: list[tuple[Path, str, list[tuple[str, GitIgnoreSpec]]]] = []
        for entry in sorted(os.scandir(folder), key=lambda each: each.name):
            name = prefix + entry.name
            if entry.name.startswith(".") or entry.is_symlink():
                continue
            if entry.is_dir():
                if entry.name not in SKIPPED and not is_ignored(f"{name}/", rules):
                    below.append((Path(entry.path), f"{name}/", rules))
            elif entry.is_file() and not is_ignored(name, rules):
                yield Path(entry.path), name
        waiting.extend(reversed(below))


def read_rules(folder: Path, prefix: str) -> list[tuple[str, GitIgnoreSpec]]:
    file = folder / IGNORE_FILE
    if not file.is_file():
        return []
    return [(prefix, GitIgnoreSpec.from_lines(file.read_text(encoding="utf-8", errors="replace").splitlines()))]


def is_ignored(name: str, rules: list[tuple[str, GitIgnoreSpec]]) -> bool:
    """The nearest ignore file with a matching rule decides."""
    for prefix, spec in reversed(rules):
        said = spec.check_file(name[len(prefix) :]).include
        if said is not None:
            return said
    return False
