"""Memory of past sessions, searched by meaning."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timezone
from functools import partial
from typing import Any

import ctxdb
from ctxdb_records import Documents, Stored, key_path, own_folder
from google.adk.events.event import Event
from google.adk.memory.base_memory_service import BaseMemoryService, SearchMemoryResponse
from google.adk.memory.memory_entry import MemoryEntry
from google.adk.sessions.session import Session
from google.genai import types


class CtxdbMemoryService(BaseMemoryService):
    """Stores the memories of ADK's users in ctxdb.

    Each memory is one file below ``root``; by default in the caller's own ``google-adk/<app>/<user>``. A search sees only the memories
    of its user. A session does not add a deleted memory again.
    """

    def __init__(self, client: ctxdb.Client, *, limit: int = 10, score_threshold: float | None = None, root: str | None = None) -> None:
        """``limit``: maximum number of memories per search. ``score_threshold``: minimum score of a memory, 0 to 1."""
        self._client = client
        self._limit = limit
        self._score_threshold = score_threshold
        self._root = root

    async def add_session_to_memory(self, session: Session) -> None:
        await self.add_events_to_memory(app_name=session.app_name, user_id=session.user_id, events=session.events)

    async def add_events_to_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        events: Sequence[Event],
        session_id: str | None = None,
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Adds the texts of events. Events without text and events added before are skipped."""
        memories = {
            event.id: _fields(event.content, event.author, _time(event.timestamp), custom_metadata)
            for event in events
            if event.content is not None and _texts(event.content)
        }
        await self._in(app_name, user_id, lambda documents: _add(documents, memories))

    async def add_memory(
        self, *, app_name: str, user_id: str, memories: Sequence[MemoryEntry], custom_metadata: Mapping[str, object] | None = None
    ) -> None:
        """Adds memories, or replaces those with the same id. Memories without an id get one."""
        now = _time(datetime.now(timezone.utc).timestamp())
        named = {
            memory.id or uuid.uuid4().hex: _fields(
                memory.content, memory.author, memory.timestamp or now, {**memory.custom_metadata, **(custom_metadata or {})}
            )
            for memory in memories
        }
        await self._in(app_name, user_id, lambda documents: documents.put(named))

    async def search_memory(self, *, app_name: str, user_id: str, query: str) -> SearchMemoryResponse:
        """Returns the best matches first."""

        def search(documents: Documents) -> list[MemoryEntry]:
            if not query.strip():
                return []
            found = documents.search(query, self._limit, lambda one: "content" in one.fields, score_threshold=self._score_threshold)
            return [_entry(one) for one in found]

        return SearchMemoryResponse(memories=await self._in(app_name, user_id, search))

    async def delete_memory(self, *, app_name: str, user_id: str, memory_id: str | None = None) -> None:
        """Removes a memory's text. Its id stays, so that its session does not add it again."""
        if memory_id:
            await self._in(app_name, user_id, partial(_delete, id=memory_id))

    async def _in(self, app: str, user: str, act: Callable[[Documents], Any]) -> Any:
        def folder() -> str:
            return "/".join((self._root or own_folder(self._client, "google-adk"), key_path(app), key_path(user)))

        return await asyncio.to_thread(act, Documents(self._client, folder))


def _add(documents: Documents, memories: Mapping[str, Mapping[str, Any]]) -> None:
    there = {one.key for one in documents.get(memories)}
    documents.put({id: fields for id, fields in memories.items() if id not in there})


def _delete(documents: Documents, id: str) -> None:
    if documents.get([id]):
        documents.put({id: {"deleted": True}})


def _fields(content: types.Content, author: str | None, timestamp: str, metadata: Mapping[str, object] | None) -> dict[str, Any]:
    texts = _texts(content)
    return {
        # it comes first, so that it determines the subject of the file
        "text": "\n".join(texts),
        "author": author,
        "timestamp": timestamp,
        "content": {"role": content.role, "parts": [{"text": text} for text in texts]},
        "custom_metadata": dict(metadata or {}),
    }


def _entry(found: Stored) -> MemoryEntry:
    names = ("author", "timestamp", "content", "custom_metadata")
    return MemoryEntry.model_validate({"id": found.key, **{name: found.fields.get(name) for name in names}})


def _texts(content: types.Content) -> list[str]:
    return [part.text for part in content.parts or [] if part.text]


def _time(timestamp: float) -> str:
    return datetime.fromtimestamp(timestamp, timezone.utc).isoformat()
