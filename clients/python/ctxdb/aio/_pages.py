"""Lists that come in pages."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from typing import Protocol, TypeVar

T = TypeVar("T")


class Page(Protocol):
    """An answer that may be cut."""

    next_cursor: str


P = TypeVar("P", bound=Page)


async def each(page_at: Callable[[str | None], Awaitable[P]], items_of: Callable[[P], Iterable[T]]) -> AsyncIterator[T]:
    """The items of all pages, each page asked for when it is needed."""
    cursor: str | None = None
    while True:
        page = await page_at(cursor)
        for item in items_of(page):
            yield item
        if not page.next_cursor:
            return
        cursor = page.next_cursor
