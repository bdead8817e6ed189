"""Runs an agent for thirty turns with a scripted model, with a new connection for every turn."""

import asyncio
import os
from collections.abc import AsyncGenerator

import ctxdb
from google.adk.agents import LlmAgent
from google.adk.events import Event
from google.adk.models import BaseLlm, LlmRequest, LlmResponse
from google.adk.runners import Runner
from google.adk.tools import ToolContext, load_memory
from google.genai import types

from ctxdb_google_adk import CtxdbMemoryService, CtxdbSessionService

TURNS = 30
ANN = {"app_name": "harbour", "user_id": "ann"}


class ScriptedModel(BaseLlm):
    """Calls a tool if asked to, otherwise answers with the last message and the number of user messages."""

    async def generate_content_async(self, llm_request: LlmRequest, stream: bool = False) -> AsyncGenerator[LlmResponse, None]:
        parts = [part for content in llm_request.contents for part in content.parts or []]
        last = parts[-1]
        if last.text and last.text.startswith("count"):
            answer = types.Part(function_call=types.FunctionCall(name="count", args={}))
        elif last.text and last.text.startswith("recall"):
            answer = types.Part(function_call=types.FunctionCall(name="load_memory", args={"query": "which tea does Ann like?"}))
        elif last.function_response:
            answer = types.Part(text=f"told {last.function_response.response}")
        else:
            said = [part.text for part in parts if part.text and part.text.startswith(("hello", "count", "recall"))]
            answer = types.Part(text=f"turn {len(said)}")
        yield LlmResponse(content=types.Content(role="model", parts=[answer]))


def count(tool_context: ToolContext) -> str:
    """Counts its calls."""
    tool_context.state["calls"] = tool_context.state.get("calls", 0) + 1
    return f"{tool_context.state['calls']} calls"


def test_an_agent_of_thirty_turns_goes_on_with_its_events_its_state_and_its_memory_after_every_restart(client: ctxdb.Client) -> None:
    user = client.system.status().user

    async def turn(number: int, client: ctxdb.Client) -> str:
        agent = LlmAgent(name="helper", model=ScriptedModel(model="scripted"), tools=[count, load_memory])
        runner = Runner(
            app_name=ANN["app_name"], agent=agent, session_service=CtxdbSessionService(client), memory_service=CtxdbMemoryService(client)
        )
        text = "recall" if number == TURNS else "count" if number % 5 == 0 else "hello"
        said = types.Content(role="user", parts=[types.Part(text=f"{text} {number}")])
        answers = [event async for event in runner.run_async(user_id=ANN["user_id"], session_id="1", new_message=said)]
        parts = answers[-1].content.parts if answers[-1].content else None
        return str(parts[0].text if parts else None)

    async def talk() -> None:
        monday = await CtxdbSessionService(client).create_session(**ANN, session_id="monday")
        said = types.Content(role="user", parts=[types.Part(text="I am Ann and I prefer green tea.")])
        await CtxdbSessionService(client).append_event(monday, Event(author="user", content=said))
        await CtxdbMemoryService(client).add_session_to_memory(monday)
        await CtxdbSessionService(client).create_session(**ANN, session_id="1")
        for number in range(1, TURNS + 1):
            with ctxdb.connect(os.environ["CTXDB_ADDRESS"], user=user) as fresh:
                answer = await turn(number, fresh)
            if number == TURNS:
                assert "green tea" in answer
            elif number % 5 == 0:
                assert f"{number // 5} calls" in answer
            else:
                assert answer == f"turn {number}"
        session = await CtxdbSessionService(client).get_session(**ANN, session_id="1")
        # a tool call and its result are events too
        assert session is not None and len(session.events) == 2 * TURNS + 2 * (TURNS // 5)
        assert session.state == {"calls": TURNS // 5 - 1}

    asyncio.run(talk())
