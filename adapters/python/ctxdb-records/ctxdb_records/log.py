"""A list of JSON values that grows at its end: a conversation."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import ctxdb

from ctxdb_records.files import MAX_ATTEMPTS, download, etag_of, in_parallel, read_value, remove, swap_value, to_value, write_value

_DIGITS = 12
_END = 10**_DIGITS
_SUFFIX = ".json"
#: Number of batches that are read in parallel.
_WINDOW = 32


class Log:
    """Values in the order in which they were appended, in one folder.

    What one call appends is one file, there whole or not at all. Its name begins with a falling number, so that the newest is the
    first entry of the folder and the end costs the same however long the log is; a random part keeps it from ever being used
    again. Several processes may append and pop at once.
    """

    def __init__(self, client: ctxdb.Client, folder: str) -> None:
        self._client = client
        self._folder = folder

    def append(self, values: Sequence[Any]) -> None:
        """Appends values, either all or none."""
        if not values:
            return
        newest = next(self._names(1), None)
        number = (_END if newest is None else int(newest[:_DIGITS])) - 1
        name = f"{number:0{_DIGITS}}-{uuid.uuid4().hex}{_SUFFIX}"
        write_value(self._client, self._uri(name), list(values), if_absent=True)

    def latest(self, limit: int | None = None) -> list[Any]:
        """Returns the last ``limit`` values (by default all), oldest first."""
        batches: list[list[Any]] = []
        count = 0
        names = self._names(None if limit is None else _WINDOW)
        while (limit is None or count < limit) and (window := list(islice(names, _WINDOW))):
            for batch in in_parallel(self._read, window):
                batches.append(batch)
                count += len(batch)
        values = [value for batch in reversed(batches) for value in batch]
        return values if limit is None else values[max(0, len(values) - limit) :]

    def pop(self) -> Any | None:
        """Removes the last value and returns it, or None if there is none. Of several callers only one receives a value."""
        for _ in range(MAX_ATTEMPTS):
            name = next(self._names(1), None)
            if name is None:
                return None
            content = download(self._client, self._uri(name))
            if content is not None and self._shorten(self._uri(name), content):
                return to_value(content)[-1]
        raise ctxdb.FailedPrecondition("FAILED_PRECONDITION", f"{self._folder}: others changed its end {MAX_ATTEMPTS} times in a row")

    def clear(self) -> None:
        """Removes all values."""
        remove(self._client, self._folder)

    def _shorten(self, uri: str, content: bytes) -> bool:
        """Removes the last value of a batch with this content; returns False if another caller was faster."""
        rest = to_value(content)[:-1]
        # a batch of one value never changes, so removing it needs no etag
        return swap_value(self._client, uri, rest, etag_of(content)) if rest else remove(self._client, uri)

    def _read(self, name: str) -> list[Any]:
        return list(read_value(self._client, self._uri(name)) or [])

    def _uri(self, name: str) -> str:
        return f"{self._folder}/{name}"

    def _names(self, page: int | None) -> Iterator[str]:
        """Returns the names of the batches, newest first."""
        try:
            for entry in self._client.fs.ls_all(self._folder, node_limit=page):
                if entry.name[:_DIGITS].isdecimal() and entry.name.endswith(_SUFFIX):
                    yield entry.name
        except ctxdb.NotFound:
            return
