"""The messages of one conversation."""

from __future__ import annotations

from collections.abc import Sequence

import ctxdb
from ctxdb_records import Log, key_path, quiet_folder
from langchain_core.chat_history import BaseChatMessageHistory
from langchain_core.messages import BaseMessage, message_to_dict, messages_from_dict


class CtxdbChatMessageHistory(BaseChatMessageHistory):
    """Stores the messages of a chat in ctxdb, in the order in which they were added.

    The messages of one call are stored together or not at all. They are in the folder ``root``; by default in the caller's part of the
    agent space ``langchain``, where no search finds them.
    """

    def __init__(self, client: ctxdb.Client, session_id: str, *, root: str | None = None) -> None:
        folder = root or quiet_folder(client, "langchain", "chats", key_path(session_id))
        self._log = Log(client, folder)

    @property
    def messages(self) -> list[BaseMessage]:  # type: ignore[override]
        return messages_from_dict(self._log.latest())

    def latest(self, limit: int) -> list[BaseMessage]:
        """Returns only the last messages, oldest first."""
        return messages_from_dict(self._log.latest(limit))

    def add_messages(self, messages: Sequence[BaseMessage]) -> None:
        self._log.append([message_to_dict(message) for message in messages])

    def clear(self) -> None:
        self._log.clear()
