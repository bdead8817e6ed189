"""Conversations, from which memories are extracted."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

from google.protobuf import json_format

from ctxdb._gen.messages.session_pb2 import (
    AddMessageRequest,
    AddMessageResponse,
    AddMessagesRequest,
    AddMessagesResponse,
    CommitSessionRequest,
    CommitSessionResponse,
    CreateSessionRequest,
    CreateSessionResponse,
    DeleteSessionRequest,
    DeleteSessionResponse,
    GetSessionContextRequest,
    GetSessionContextResponse,
    GetSessionRequest,
    GetSessionResponse,
    ListSessionsRequest,
    ListSessionsResponse,
    MessagePart,
    NewMessage,
    RecordUsageRequest,
    RecordUsageResponse,
    SessionSummary,
    SkillUsage,
)
from ctxdb.aio._calls import Calls
from ctxdb.aio._pages import each


class Sessions:
    """The caller's own sessions. Other users' sessions are not found."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def create(
        self, session_id: str | None = None, *, idempotency_key: str | None = None, deadline: float | None = None
    ) -> CreateSessionResponse:
        """Starts a session, under an id of your choice or a new one."""
        request = CreateSessionRequest(session_id=session_id, idempotency_key=idempotency_key)
        return await self._calls.write("SessionService/CreateSession", request, CreateSessionResponse, deadline)

    async def list(
        self, *, limit: int | None = None, offset: int = 0, cursor: str | None = None, deadline: float | None = None
    ) -> ListSessionsResponse:
        """Returns a page of sessions, most recently changed first."""
        request = ListSessionsRequest(limit=limit, offset=offset, cursor=cursor)
        return await self._calls.read("SessionService/ListSessions", request, ListSessionsResponse, deadline)

    def list_all(self, *, limit: int | None = None, deadline: float | None = None) -> AsyncIterator[SessionSummary]:
        """Yields all sessions. ``limit`` and ``deadline`` apply to each page."""
        return each(lambda cursor: self.list(limit=limit, cursor=cursor, deadline=deadline), lambda page: page.sessions)

    async def get(self, session_id: str, *, deadline: float | None = None) -> GetSessionResponse:
        """Returns one session."""
        request = GetSessionRequest(session_id=session_id)
        return await self._calls.read("SessionService/GetSession", request, GetSessionResponse, deadline)

    async def delete(self, session_id: str, *, forget: bool = False, deadline: float | None = None) -> DeleteSessionResponse:
        """Deletes messages, archives and tool records. Extracted memories stay, unless ``forget`` removes them too."""
        request = DeleteSessionRequest(session_id=session_id, forget=forget)
        return await self._calls.write("SessionService/DeleteSession", request, DeleteSessionResponse, deadline)

    async def add_message(
        self,
        session_id: str,
        role: str,
        content: str | None = None,
        *,
        parts: Sequence[MessagePart | Mapping[str, Any]] = (),
        id: str | None = None,
        created_at: str | None = None,
        idempotency_key: str | None = None,
        deadline: float | None = None,
    ) -> AddMessageResponse:
        """Appends a message of "user" or "assistant": plain ``content``, or ``parts`` such as ``{"type": "text", "text": "…"}``."""
        request = AddMessageRequest(
            session_id=session_id,
            role=role,
            content=content,
            parts=[part if isinstance(part, MessagePart) else json_format.ParseDict(dict(part), MessagePart()) for part in parts],
            id=id,
            created_at=created_at,
            idempotency_key=idempotency_key,
        )
        return await self._calls.write("SessionService/AddMessage", request, AddMessageResponse, deadline)

    async def add_messages(
        self,
        session_id: str,
        messages: Sequence[NewMessage | Mapping[str, Any]],
        *,
        idempotency_key: str | None = None,
        deadline: float | None = None,
    ) -> AddMessagesResponse:
        """Appends messages such as ``{"role": "user", "content": "…"}`` in one transaction, either all or none."""
        request = AddMessagesRequest(
            session_id=session_id,
            messages=[one if isinstance(one, NewMessage) else json_format.ParseDict(dict(one), NewMessage()) for one in messages],
            idempotency_key=idempotency_key,
        )
        return await self._calls.write("SessionService/AddMessages", request, AddMessagesResponse, deadline)

    async def used(
        self, session_id: str, *, contexts: Sequence[str] = (), skill: str | None = None, deadline: float | None = None
    ) -> RecordUsageResponse:
        """Records the URIs of contexts and of a skill that were used; the next commit counts them."""
        usage = None if skill is None else SkillUsage(uri=skill)
        request = RecordUsageRequest(session_id=session_id, contexts=contexts, skill=usage)
        return await self._calls.write("SessionService/RecordUsage", request, RecordUsageResponse, deadline)

    async def commit(
        self, session_id: str, *, wait: bool | None = None, idempotency_key: str | None = None, deadline: float | None = None
    ) -> CommitSessionResponse:
        """Archives the messages and extracts memories. With ``wait=False``, the task ``task_id`` does this after the call."""
        request = CommitSessionRequest(session_id=session_id, wait=wait, idempotency_key=idempotency_key)
        return await self._calls.write("SessionService/CommitSession", request, CommitSessionResponse, deadline)

    async def context(
        self, session_id: str, *, token_budget: int | None = None, recall_budget: int | None = None, deadline: float | None = None
    ) -> GetSessionContextResponse:
        """Returns the context of a session for a model, within a token budget; ``recall_budget`` adds recalled context."""
        request = GetSessionContextRequest(session_id=session_id, token_budget=token_budget, recall_budget=recall_budget)
        return await self._calls.read("SessionService/GetSessionContext", request, GetSessionContextResponse, deadline)
