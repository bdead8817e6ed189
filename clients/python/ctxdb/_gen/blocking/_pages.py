# Made from ctxdb/aio/_pages.py by tools/blocking.py: change that and run generate.sh.
"""Lists that come in pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeVar

T = TypeVar("T")


class Page(Protocol):
    """An answer that may be cut."""

    next_cursor: str


P = TypeVar("P", bound=Page)


def each(page_at: Callable[[str | None], P], items_of: Callable[[P], Iterable[T]]) -> Iterator[T]:
    """The items of all pages, each page asked for when it is needed."""
    cursor: str | None = None
    while True:
        page = page_at(cursor)
        yield from items_of(page)
        if not page.next_cursor:
            return
        cursor = page.next_cursor
