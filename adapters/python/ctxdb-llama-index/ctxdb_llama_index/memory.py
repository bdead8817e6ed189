"""Long-term memory for an agent's Memory."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import ctxdb
from ctxdb_records import Said, remember, session_name
from llama_index.core.base.llms.types import ChatMessage, MessageRole
from llama_index.core.bridge.pydantic import Field, PrivateAttr
from llama_index.core.memory import BaseMemoryBlock, Memory


class CtxdbMemoryBlock(BaseMemoryBlock[str]):
    """Recalls what is relevant to the user's message, and makes memories of the messages that the Memory flushes.

    Within one ``session_id``, text is only appended to the block, so that a provider's prompt cache stays valid.
    """

    name: str = Field(default="ctxdb")
    description: str | None = Field(default="What is known from earlier conversations and documents, with URIs.")
    session_id: str = Field(description="Id of the conversation, any text.")
    token_budget: int | None = Field(default=None, description="Tokens that one turn adds at most; default 2,000.")
    project: str | None = Field(default=None, description="A folder of resources: those outside of it are not recalled.")

    _client: ctxdb.Client = PrivateAttr()

    def __init__(self, client: ctxdb.Client, session_id: str, **fields: Any) -> None:
        super().__init__(session_id=session_id, **fields)  # type: ignore[call-arg]
        self._client = client

    async def aremember(self, memory: Memory) -> int:
        """Makes memories of the whole conversation, and returns their number. Call it at the end.

        Messages that were not flushed are included; messages that were remembered before are skipped.
        """
        return await asyncio.to_thread(self._remember, await memory.aget_all())

    async def _aget(self, messages: list[ChatMessage] | None = None, **_: Any) -> str:
        said = next((text for one in reversed(messages or []) if one.role == MessageRole.USER and (text := _text(one))), None)
        return "" if said is None else await asyncio.to_thread(self._recall, said)

    async def _aput(self, messages: list[ChatMessage]) -> None:
        await asyncio.to_thread(self._remember, messages)

    def _recall(self, said: str) -> str:
        session = self._session()
        try:
            self._client.sessions.create(session)
        except ctxdb.AlreadyExists:
            pass
        return self._client.search.recall(said, session_id=session, token_budget=self.token_budget, project=self.project).text

    def _remember(self, messages: Sequence[ChatMessage]) -> int:
        return remember(self._client, self._session(), [Said(one.role.value, _text(one)) for one in messages])

    def _session(self) -> str:
        return session_name("llama-index", self.session_id)


def _text(message: ChatMessage) -> str:
    return (message.content or "").strip()
