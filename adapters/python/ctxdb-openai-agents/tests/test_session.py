"""Compares the session with the SDK's SQLiteSession over the same operations, and in an agent."""

import asyncio
import os
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import ctxdb
import pytest
from agents import Agent, Model, ModelResponse, RunConfig, Runner, Session, SessionSettings, SQLiteSession, Usage, function_tool
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

from ctxdb_openai_agents import CtxdbSession

TURNS = 30
TEXTS = ["hi", "", "ünïcode 漢字", "\x00", "\ud800", "line\r\nline", "x" * 5000]


def some_item(choice: random.Random) -> Any:
    return choice.choice(
        [
            {"role": "user", "content": choice.choice(TEXTS)},
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": choice.choice(TEXTS), "annotations": []}]},
            {"type": "function_call", "name": "find", "arguments": '{"query": "tea"}', "call_id": "1"},
            {"type": "function_call_output", "call_id": "1", "output": choice.choice(TEXTS)},
        ]
    )


def some_operation(choice: random.Random) -> Callable[[Session], Awaitable[Any]]:
    kind = choice.random()
    if kind < 0.4:
        items = [some_item(choice) for _ in range(choice.randrange(4))]
        return lambda session: session.add_items(items)
    if kind < 0.7:
        limit = choice.choice([None, 0, 1, 2, 5, 100, -1])
        return lambda session: session.get_items(limit)
    if kind < 0.97:
        return lambda session: session.pop_item()
    return lambda session: session.clear_session()


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("limit", [None, 3])
def test_random_operations_give_what_the_sdks_own_session_gives(client: ctxdb.Client, seed: int, limit: int | None) -> None:
    choice = random.Random(seed)
    settings = SessionSettings(limit=limit)
    sessions: list[Session] = [SQLiteSession("1", session_settings=settings), CtxdbSession("1", client, session_settings=settings)]

    async def compare() -> None:
        for _ in range(60):
            operation = some_operation(choice)
            theirs, ours = [await operation(session) for session in sessions]
            assert ours == theirs

    asyncio.run(compare())


def test_sessions_of_different_ids_are_apart_and_an_id_may_be_any_text(client: ctxdb.Client) -> None:
    async def use() -> None:
        ids = ["a", "a/b", "..", "", "漢" * 100, "a.json"]
        for id in ids:
            await CtxdbSession(id, client).add_items([{"role": "user", "content": id}])
        for id in ids:
            assert await CtxdbSession(id, client).get_items() == [{"role": "user", "content": id}]
        await CtxdbSession("a", client).clear_session()
        assert await CtxdbSession("a/b", client).get_items() != []

    asyncio.run(use())


def test_items_of_tasks_that_run_at_once_are_all_kept_and_popped_once(client: ctxdb.Client) -> None:
    async def use() -> None:
        session = CtxdbSession("1", client)
        await asyncio.gather(*(session.add_items([{"role": "user", "content": str(number)}]) for number in range(10)))
        popped = await asyncio.gather(*(session.pop_item() for _ in range(12)))
        assert sorted(int(str(item["content"])) for item in popped if item is not None) == list(range(10))  # type: ignore[index, typeddict-item]

    asyncio.run(use())


class ScriptedModel(Model):
    """Calls the tool if asked about tea, otherwise answers with the number of items it received."""

    async def get_response(self, *args: Any, **kwargs: Any) -> ModelResponse:
        given = args[1] if len(args) > 1 else kwargs["input"]
        items = [given] if isinstance(given, str) else list(given)
        last = items[-1]
        output: Any
        if isinstance(last, dict) and "tea" in str(last.get("content")):
            output = ResponseFunctionToolCall(type="function_call", name="temperature", arguments="{}", call_id=f"call-{len(items)}")
        else:
            text = ResponseOutputText(type="output_text", text=f"knows {len(items)}", annotations=[])
            output = ResponseOutputMessage(id="m", type="message", role="assistant", status="completed", content=[text])
        return ModelResponse(output=[output], usage=Usage(), response_id=None)

    def stream_response(self, *args: Any, **kwargs: Any) -> AsyncIterator[Any]:
        raise NotImplementedError


@function_tool
def temperature() -> str:
    """How hot the tea is."""
    return "80 degrees"


def test_an_agent_of_thirty_turns_is_given_its_whole_session_after_every_restart(client: ctxdb.Client) -> None:
    agent = Agent(name="helper", model=ScriptedModel(), tools=[temperature])
    quiet = RunConfig(tracing_disabled=True)
    user = client.system.status().user

    async def talk() -> None:
        count = 0
        for turn in range(1, TURNS + 1):
            asks = turn % 5 == 0
            with ctxdb.connect(os.environ["CTXDB_ADDRESS"], user=user) as fresh:
                said = "how hot is tea?" if asks else "hello"
                result = await Runner.run(agent, said, session=CtxdbSession("1", fresh), run_config=quiet)
                # the tool call and its output come before the answer
                count += 3 if asks else 1
                assert result.final_output == f"knows {count}"
                count += 1
        items = await CtxdbSession("1", client).get_items()
        assert len(items) == count

    asyncio.run(talk())


def test_what_was_said_in_a_session_is_remembered_once_and_found_in_another(client: ctxdb.Client) -> None:
    async def talk() -> None:
        session = CtxdbSession("first", client)
        await session.add_items(
            [{"role": "user", "content": "My name is Ann. I prefer green tea."}, {"role": "assistant", "content": "Noted."}]
        )
        await session.add_items([{"type": "function_call", "name": "find", "arguments": "{}", "call_id": "1"}])
        assert await session.remember() > 0
        assert await session.remember() == 0
        await session.clear_session()

    asyncio.run(talk())
    found = client.search.find("which tea does Ann prefer?").memories
    assert any("green tea" in hit.match for hit in found)
