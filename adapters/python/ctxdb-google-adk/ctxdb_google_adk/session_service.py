"""Sessions of agents: events and state."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Iterator
from functools import partial
from typing import Any

import ctxdb
from ctxdb_records import in_parallel, key_path, quiet_folder, read_value, take_key, update_value
from google.adk.errors.already_exists_error import AlreadyExistsError
from google.adk.errors.session_not_found_error import SessionNotFoundError
from google.adk.events.event import Event
from google.adk.sessions.base_session_service import BaseSessionService, GetSessionConfig, ListSessionsResponse
from google.adk.sessions.session import Session
from google.adk.sessions.state import State
from pydantic_core import to_jsonable_python

from ctxdb_google_adk.chain import WINDOW, Chain, Link

#: Number of recent events compared before one is added, so that a repeated event is not stored twice.
_LOOK_BACK = 8
_CONTINUES = "~"

Scopes = dict[str, dict[str, Any]]


class CtxdbSessionService(BaseSessionService):
    """Stores the sessions of ADK in ctxdb; several processes may add to one session at once.

    An event and the state after it are written together, in one file. Sessions are below ``root``; by default in the caller's part of
    the agent space ``google-adk``, where no search finds them. State with the prefixes ``user:`` and ``app:`` is shared as ADK defines;
    state with ``temp:`` is not stored.
    """

    def __init__(self, client: ctxdb.Client, *, root: str | None = None) -> None:
        self._client = client
        self._root = root

    async def create_session(
        self, *, app_name: str, user_id: str, state: dict[str, Any] | None = None, session_id: str | None = None
    ) -> Session:
        """Raises ``AlreadyExistsError`` if the user has a session with this id."""
        id = (session_id or "").strip() or str(uuid.uuid4())
        return await asyncio.to_thread(self._create, app_name, user_id, id, _scopes(state or {}))

    async def get_session(self, *, app_name: str, user_id: str, session_id: str, config: GetSessionConfig | None = None) -> Session | None:
        return await asyncio.to_thread(self._get, app_name, user_id, session_id.strip(), config or GetSessionConfig())

    async def list_sessions(self, *, app_name: str, user_id: str | None = None) -> ListSessionsResponse:
        """Returns sessions without events, the last changed one at the end."""
        return ListSessionsResponse(sessions=await asyncio.to_thread(self._list, app_name, user_id))

    async def delete_session(self, *, app_name: str, user_id: str, session_id: str) -> None:
        await asyncio.to_thread(lambda: self._chain(app_name, user_id, session_id.strip()).remove())

    async def get_user_state(self, *, app_name: str, user_id: str) -> dict[str, Any]:
        return await asyncio.to_thread(self._shared, self._user_state(app_name, user_id))

    async def append_event(self, session: Session, event: Event) -> Event:
        """Raises ``SessionNotFoundError`` if the session was deleted. A repeated event is stored only once."""
        if event.partial:
            return event
        if await asyncio.to_thread(self._append, session, event):
            await super().append_event(session, event)
            session.last_update_time = event.timestamp
        return event

    def _create(self, app: str, user: str, id: str, scopes: Scopes) -> Session:
        created = time.time()
        if not self._chain(app, user, id).begin({"state": scopes["session"], "time": created}):
            raise AlreadyExistsError(f"Session with id {id} already exists.")
        self._share(app, user, scopes)
        return self._session(app, user, id, {"state": scopes["session"], "time": created}, [])

    def _get(self, app: str, user: str, id: str, config: GetSessionConfig) -> Session | None:
        limit, after = config.num_recent_events, config.after_timestamp
        newest: Link | None = None
        events: list[Event] = []
        for link in self._chain(app, user, id).links(None if limit is None else min(limit + 1, WINDOW)):
            newest = newest or link
            if "event" not in link or (limit is not None and len(events) >= limit):
                break
            event = Event.model_validate(link["event"])
            if after is not None and event.timestamp < after:
                break
            events.append(event)
        return None if newest is None else self._session(app, user, id, newest, events[::-1])

    def _list(self, app: str, user: str | None) -> list[Session]:
        users = [name for name, _ in self._children(f"{self._app(app)}/users")] if user is None else [user]
        found = [(name, id) for name in users for id, _ in self._children(f"{self._user(app, name)}/sessions")]
        sessions = in_parallel(lambda pair: self._get(app, *pair, GetSessionConfig(num_recent_events=0)), found)
        return sorted((session for session in sessions if session is not None), key=lambda one: (one.last_update_time, one.user_id, one.id))

    def _append(self, session: Session, event: Event) -> bool:
        """Appends an event; returns False if it is already stored."""
        stored = event.model_copy(deep=True)
        scopes = _scopes(stored.actions.state_delta)
        stored.actions.state_delta = {
            key: value for key, value in stored.actions.state_delta.items() if not key.startswith(State.TEMP_PREFIX)
        }
        fields = stored.model_dump(mode="json", exclude_none=True)
        is_new = True

        def link(newest: list[Link]) -> Link | None:
            nonlocal is_new
            is_new = all(one.get("event") != fields for one in newest)
            state = {**newest[0]["state"], **scopes["session"]}
            return {"event": fields, "state": state, "time": event.timestamp} if is_new else None

        if not self._chain(session.app_name, session.user_id, session.id).add(link, _LOOK_BACK):
            raise SessionNotFoundError(f"Session {session.id} not found.")
        # also for a repeated event, since the process may have ended in between
        self._share(session.app_name, session.user_id, scopes)
        return is_new

    def _session(self, app: str, user: str, id: str, newest: Link, events: list[Event]) -> Session:
        shared = {
            **{State.APP_PREFIX + key: value for key, value in self._shared(self._app_state(app)).items()},
            **{State.USER_PREFIX + key: value for key, value in self._shared(self._user_state(app, user)).items()},
        }
        state = {**newest["state"], **shared}
        return Session(app_name=app, user_id=user, id=id, state=state, events=events, last_update_time=newest["time"])

    def _share(self, app: str, user: str, scopes: Scopes) -> None:
        for uri, delta in ((self._app_state(app), scopes["app"]), (self._user_state(app, user), scopes["user"])):
            if delta:
                update_value(self._client, uri, partial(_merged, delta=delta))

    def _shared(self, uri: str) -> dict[str, Any]:
        state = read_value(self._client, uri)
        return state if isinstance(state, dict) else {}

    def _children(self, folder: str, key: tuple[str, ...] = ()) -> Iterator[tuple[str, str]]:
        """Returns the keys encoded in the names of a folder's subfolders, with their URIs."""
        try:
            entries = [entry for entry in self._client.fs.ls_all(folder) if entry.is_dir]
        except ctxdb.NotFound:
            return
        for entry in entries:
            segments = (*key, entry.name)
            if entry.name.endswith(_CONTINUES):
                yield from self._children(f"{folder}/{entry.name}", segments)
            elif (taken := take_key(segments)) is not None:
                yield taken[0], f"{folder}/{entry.name}"

    def _chain(self, app: str, user: str, id: str) -> Chain:
        return Chain(self._client, f"{self._user(app, user)}/sessions/{key_path(id)}")

    def _app_state(self, app: str) -> str:
        return f"{self._app(app)}/state.json"

    def _user_state(self, app: str, user: str) -> str:
        return f"{self._user(app, user)}/state.json"

    def _user(self, app: str, user: str) -> str:
        return f"{self._app(app)}/users/{key_path(user)}"

    def _app(self, app: str) -> str:
        if self._root is None:
            self._root = quiet_folder(self._client, "google-adk")
        return f"{self._root}/apps/{key_path(app)}"


def _merged(state: dict[str, Any] | None, delta: dict[str, Any]) -> dict[str, Any]:
    return {**(state or {}), **delta}


def _scopes(state: dict[str, Any]) -> Scopes:
    """Splits a state into the parts of the app, of the user and of the session, as JSON."""
    scopes: Scopes = {"app": {}, "user": {}, "session": {}}
    for key, value in to_jsonable_python(state).items():
        if key.startswith(State.APP_PREFIX):
            scopes["app"][key.removeprefix(State.APP_PREFIX)] = value
        elif key.startswith(State.USER_PREFIX):
            scopes["user"][key.removeprefix(State.USER_PREFIX)] = value
        elif not key.startswith(State.TEMP_PREFIX):
            scopes["session"][key] = value
    return scopes
