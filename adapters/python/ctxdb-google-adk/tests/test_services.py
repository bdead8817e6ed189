"""Compares the services with ADK's own in-memory services over the same operations."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import Any

import ctxdb
import pytest
from google.adk.errors.already_exists_error import AlreadyExistsError
from google.adk.errors.session_not_found_error import SessionNotFoundError
from google.adk.events import Event, EventActions
from google.adk.memory import InMemoryMemoryService
from google.adk.memory.base_memory_service import BaseMemoryService
from google.adk.memory.memory_entry import MemoryEntry
from google.adk.sessions import BaseSessionService, InMemorySessionService, Session
from google.adk.sessions.base_session_service import GetSessionConfig
from google.genai import types

from ctxdb_google_adk import CtxdbMemoryService, CtxdbSessionService

APP = "app/1"
USERS = ["ann", "..", "漢" * 100]
IDS = ["1", "a/b", " spaced ", "~", "k" * 450]
KEYS = ["topic", "user:name", "app:greeting", "temp:step", "a/b"]

Operation = Callable[[BaseSessionService], Awaitable[Any]]


def said(text: str, **fields: Any) -> Event:
    return Event(author="user", content=types.Content(role="user", parts=[types.Part(text=text)]), **fields)


def told(session: Session | None) -> Any:
    """Removes the times from a session, since they come from two clocks."""
    return session and (session.user_id, session.id, session.state, [event.model_dump() for event in session.events])


def some_operation(choice: random.Random, number: int) -> Operation:
    who = {"app_name": APP, "user_id": choice.choice(USERS), "session_id": choice.choice(IDS)}
    kind = choice.random()
    state = {key: choice.choice([1, "two", None, {"three": [3]}]) for key in choice.sample(KEYS, 2)}
    if kind < 0.2:

        async def create(service: BaseSessionService) -> Any:
            try:
                return told(await service.create_session(**who, state=state))
            except AlreadyExistsError:
                return "exists"

        return create
    if kind < 0.65:
        event = said(choice.choice(["hi", "ünïcode 漢字", "\0"]), timestamp=float(number), actions=EventActions(state_delta=state))
        partial = choice.random() < 0.1
        # ADK's own takes an event with temporary state for another one when it is delivered again
        twice = choice.random() < 0.3 and "temp:step" not in state

        async def append(service: BaseSessionService) -> Any:
            session = await service.get_session(**who)
            if session is None:
                return None
            for _ in range(2 if twice else 1):
                await service.append_event(session, event.model_copy(deep=True, update={"partial": partial}))
            return told(session)

        return append
    if kind < 0.85:
        config = choice.choice(
            [None, GetSessionConfig(num_recent_events=choice.randrange(4)), GetSessionConfig(after_timestamp=float(number - 20))]
        )

        async def get(service: BaseSessionService) -> Any:
            return told(await service.get_session(**who, config=config))

        return get
    if kind < 0.95:
        user = choice.choice([None, who["user_id"]])

        async def look(service: BaseSessionService) -> Any:
            listed = await service.list_sessions(app_name=APP, user_id=user)
            return sorted(str(told(one)) for one in listed.sessions), await service.get_user_state(app_name=APP, user_id=who["user_id"])

        return look
    return lambda service: service.delete_session(**who)


def test_random_operations_give_what_adks_own_session_service_gives(client: ctxdb.Client) -> None:
    choice = random.Random(1)
    theirs, ours = InMemorySessionService(), CtxdbSessionService(client)

    async def compare() -> None:
        for number in range(60):
            operation = some_operation(choice, number)
            assert await operation(ours) == await operation(theirs)

    asyncio.run(compare())


def test_events_and_state_of_tasks_that_run_at_once_are_all_kept(client: ctxdb.Client) -> None:
    async def use() -> None:
        service = CtxdbSessionService(client)
        who = {"app_name": APP, "user_id": "ann", "session_id": "1"}
        await service.create_session(**who)
        copies = [await CtxdbSessionService(client).get_session(**who) for _ in range(8)]
        changes = [EventActions(state_delta={f"key {number}": number, f"user:{number}": number}) for number in range(8)]
        await asyncio.gather(
            *(service.append_event(copy, said("hi", actions=change)) for copy, change in zip(copies, changes, strict=True) if copy)
        )
        session = await service.get_session(**who)
        assert session is not None and len(session.events) == 8
        assert len(session.state) == 16
        await service.delete_session(**who)
        with pytest.raises(SessionNotFoundError):
            await service.append_event(session, said("too late"))

    asyncio.run(use())


def test_memories_are_found_by_their_user_alone_and_do_not_come_back_after_they_were_deleted(client: ctxdb.Client) -> None:
    async def use(service: BaseMemoryService) -> Any:
        ann = {"app_name": APP, "user_id": "ann/1"}
        session = Session(id="1", **ann, events=[said("I prefer green tea", id="tea"), said("The lamp is trimmed at dusk", id="lamp")])
        await service.add_session_to_memory(session)
        await service.add_session_to_memory(session)
        await service.add_events_to_memory(**ann, events=[said("green tea at four", id="four"), Event(author="user")])
        found = await service.search_memory(**ann, query="green tea")
        await service.delete_memory(**ann, memory_id="four")
        await service.add_events_to_memory(**ann, events=[said("green tea at four", id="four")])
        after = await service.search_memory(**ann, query="green tea")
        other = await service.search_memory(app_name=APP, user_id="bob", query="green tea")
        entries = [{one.id: (one.author, one.content.parts[0].text) for one in each.memories} for each in (found, after, other)]
        return [{id: entry for id, entry in each.items() if id != "lamp"} for each in entries]

    theirs, ours = (asyncio.run(use(service)) for service in (InMemoryMemoryService(), CtxdbMemoryService(client)))
    assert ours == theirs and len(ours[0]) == 2 and len(ours[1]) == 1 and ours[2] == {}


def test_a_memory_that_was_added_comes_back_with_its_metadata_and_the_limits_of_a_search_hold(client: ctxdb.Client) -> None:
    async def use() -> None:
        ann = {"app_name": APP, "user_id": "ann"}
        service = CtxdbMemoryService(client, limit=2)
        contents = [types.Content(role="user", parts=[types.Part(text=f"note {number} about tea")]) for number in range(4)]
        entries = [MemoryEntry(content=content, custom_metadata={"number": number}) for number, content in enumerate(contents)]
        await service.add_memory(**ann, memories=entries, custom_metadata={"from": "test"})
        found = (await service.search_memory(**ann, query="note 3 about tea")).memories
        assert len(found) == 2 and found[0].id and found[0].timestamp
        assert found[0].custom_metadata["from"] == "test"
        assert (await service.search_memory(**ann, query=" ")).memories == []
        strict = CtxdbMemoryService(client, score_threshold=1.0)
        assert (await strict.search_memory(**ann, query="boats")).memories == []

    asyncio.run(use())
