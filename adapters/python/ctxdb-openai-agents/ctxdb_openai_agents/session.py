"""A session of the Agents SDK: the items of one conversation."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, cast

import ctxdb
from agents import SessionSettings, TResponseInputItem
from ctxdb_records import Log, Said, key_path, quiet_folder, remember, session_name


class CtxdbSession:
    """Stores the items of a session in ctxdb, in the order in which they were added.

    The items of one call are stored together or not at all. They are in the folder ``root``; by default in the caller's part of the
    agent space ``openai-agents``, where no search finds them.
    :meth:`remember` makes memories of the conversation.
    """

    def __init__(
        self,
        session_id: str,
        client: ctxdb.Client,
        *,
        root: str | None = None,
        session_settings: SessionSettings | None = None,
    ) -> None:
        self.session_id = session_id
        self.session_settings: SessionSettings | None = session_settings or SessionSettings()
        self._client = client
        self._root = root
        self._log: Log | None = None

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        """Returns the last ``limit`` items, oldest first; all of them if neither it nor the settings give a number."""
        if limit is None and self.session_settings is not None:
            limit = self.session_settings.limit
        items = await asyncio.to_thread(lambda: self._open().latest(None if limit is None or limit < 0 else limit))
        return cast("list[TResponseInputItem]", items)

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        await asyncio.to_thread(lambda: self._open().append(items))

    async def pop_item(self) -> TResponseInputItem | None:
        """Removes the last item and returns it, or None if there is none."""
        return cast("TResponseInputItem | None", await asyncio.to_thread(lambda: self._open().pop()))

    async def clear_session(self) -> None:
        """Removes the items. Memories extracted from them stay."""
        await asyncio.to_thread(lambda: self._open().clear())

    async def remember(self) -> int:
        """Extracts memories from the messages and returns their number. Messages are never processed twice."""
        return await asyncio.to_thread(self._remember)

    def _remember(self) -> int:
        # the position distinguishes messages with the same words
        said = [Said(*_said(item), mark=str(place)) for place, item in enumerate(self._open().latest())]
        return remember(self._client, session_name("openai-agents", self.session_id), said)

    def _open(self) -> Log:
        if self._log is None:
            folder = self._root or quiet_folder(self._client, "openai-agents", "sessions", key_path(self.session_id))
            self._log = Log(self._client, folder)
        return self._log


def _said(item: Mapping[str, Any]) -> tuple[str, str]:
    """Returns role and text of a message; empty for tool calls, reasoning and similar items."""
    content = item.get("content")
    parts = [content] if isinstance(content, str) else [part.get("text") for part in content or () if isinstance(part, Mapping)]
    return str(item.get("role") or ""), "\n".join(part for part in parts if isinstance(part, str)).strip()
