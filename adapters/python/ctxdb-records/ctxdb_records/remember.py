"""Turns messages into memories."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

import ctxdb

#: Messages per call; the server accepts up to 500.
_BATCH = 100
_ROLES = ("user", "assistant")


@dataclass(frozen=True)
class Said:
    """One message. ``mark`` distinguishes it from other messages with the same words, for example its
    position or id.
    """

    role: str
    text: str
    mark: str = ""
    #: ISO 8601. Default: the time of the call.
    created_at: str | None = None


def session_name(prefix: str, id: str) -> str:
    """Returns the session id for an id of a framework, which may be any text."""
    return f"{prefix}-{_hash(id)[:32]}"


def remember(client: ctxdb.Client, session: str, said: Iterable[Said], *, commit: bool = True) -> int:
    """Adds what user and assistant said to a session and makes memories of it; how many.

    A message is added once, however often it is handed over.
    """
    try:
        client.sessions.create(session)
    except ctxdb.AlreadyExists:
        pass
    messages = [_message(one) for one in said if one.role in _ROLES and one.text.strip()]
    for start in range(0, len(messages), _BATCH):
        client.sessions.add_messages(session, messages[start : start + _BATCH])
    return client.sessions.commit(session).memories_extracted if commit else 0


def _message(said: Said) -> dict[str, str]:
    id = _hash("\0".join((said.mark, said.role, said.text)))
    created = {} if said.created_at is None else {"created_at": said.created_at}
    return {"id": id, "role": said.role, "content": said.text, **created}


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
