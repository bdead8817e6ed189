"""The events of a session with the state after each; they grow one at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import ctxdb
from ctxdb_records import in_parallel, read_value, remove, write_value

_DIGITS = 12
_END = 10**_DIGITS - 1
_SUFFIX = ".json"
#: How often adding a link is retried after others have added theirs.
_MAX_ATTEMPTS = 50
#: Number of links that are read in parallel.
WINDOW = 32

Link = dict[str, Any]


class Chain:
    """JSON objects in one folder, the newest first.

    A link's name is a number one below that of the link before it, and is created only where nothing is: of several writers one
    comes first, and the others look at its link before they add theirs.
    """

    def __init__(self, client: ctxdb.Client, folder: str) -> None:
        self._client = client
        self._folder = folder

    def begin(self, link: Link) -> bool:
        """Adds the first link; returns False if the chain already has one."""
        return write_value(self._client, self._uri(_END), link, if_absent=True)

    def newest(self) -> Link | None:
        return next(self.links(1), None)

    def links(self, page: int | None = None) -> Iterator[Link]:
        """Yields the links, newest first."""
        names = self._names(page)
        while window := list(islice(names, page or WINDOW)):
            # the chain may be removed during the read
            yield from (link for link in in_parallel(self._read, window) if isinstance(link, dict))

    def add(self, make: Callable[[list[Link]], Link | None], look_back: int) -> bool:
        """Adds what ``make`` gives for the newest links, until no other writer has come in between; nothing where it gives None.

        False where there is no chain.
        """
        for _ in range(_MAX_ATTEMPTS):
            names = list(islice(self._names(look_back), look_back))
            links = [link for link in in_parallel(self._read, names) if isinstance(link, dict)]
            if not links:
                return False
            link = make(links)
            if link is None or write_value(self._client, self._uri(names[0] - 1), link, if_absent=True):
                return True
        raise ctxdb.FailedPrecondition("FAILED_PRECONDITION", f"{self._folder}: others changed its end {_MAX_ATTEMPTS} times in a row")

    def remove(self) -> None:
        remove(self._client, self._folder)

    def _read(self, number: int) -> Any:
        return read_value(self._client, self._uri(number))

    def _uri(self, number: int) -> str:
        return f"{self._folder}/{number:0{_DIGITS}}{_SUFFIX}"

    def _names(self, page: int | None) -> Iterator[int]:
        try:
            for entry in self._client.fs.ls_all(self._folder, node_limit=page):
                number = entry.name.removesuffix(_SUFFIX)
                if len(number) == _DIGITS and number.isdecimal():
                    yield int(number)
        except ctxdb.NotFound:
            return
