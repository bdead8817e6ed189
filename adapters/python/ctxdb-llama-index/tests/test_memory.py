"""Tests the retriever, and the memory block in an agent."""

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import ctxdb
from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.llms.mock import MockFunctionCallingLLM
from llama_index.core.memory import Memory
from sqlalchemy.ext.asyncio import create_async_engine

from ctxdb_llama_index import CtxdbMemoryBlock, CtxdbRetriever

TURNS = 30
FACT = "I prefer green tea."


def test_the_retriever_gives_the_passage_with_its_uri_and_its_score(client: ctxdb.Client) -> None:
    uri = f"ctx://user/{client.system.status().user}/notes/tea.md"
    client.content.write(uri, "# Tea\n\nGreen tea is brewed at 80 degrees.\n", mode="create")
    [found] = CtxdbRetriever(client, similarity_top_k=1, target_uri=uri).retrieve("how hot is green tea?")
    assert "80 degrees" in found.text
    assert found.metadata["uri"] == uri == found.node_id and found.score is not None and 0 < found.score <= 1
    assert CtxdbRetriever(client, target_uri=uri, score_threshold=1.0).retrieve("boats") == []
    assert asyncio.run(CtxdbRetriever(client, target_uri=uri, filter={"mime": "text/html"}).aretrieve("green tea")) == []


def test_what_a_memory_flushes_is_remembered_and_recalled_in_another_conversation(client: ctxdb.Client) -> None:
    async def talk() -> None:
        block = CtxdbMemoryBlock(client, "a/b 漢")
        memory = Memory.from_defaults(session_id="first", token_limit=300, token_flush_size=100, memory_blocks=[block])
        await memory.aput(ChatMessage(role="user", content=FACT))
        for number in range(8):
            await memory.aput(ChatMessage(role="assistant", content=f"Note {number}. " + "The lamp is trimmed at dusk. " * 4))
            await memory.aput(ChatMessage(role="user", content=f"And then, {number}?"))
        other = Memory.from_defaults(session_id="second", memory_blocks=[CtxdbMemoryBlock(client, "second")])
        await other.aput(ChatMessage(role="user", content="Which tea do I like?"))
        reminded, *_ = await other.aget()
        assert "green tea" in str(reminded.content)
        await block.aremember(memory)
        assert await block.aremember(memory) == 0

    asyncio.run(talk())


class Seen:
    """A fake model: answers with the number of the turn, and records its input."""

    def __init__(self) -> None:
        self.system: list[str] = []

    def model(self) -> MockFunctionCallingLLM:
        def answer(messages: Sequence[ChatMessage], **_: Any) -> ChatMessage:
            self.system.append("\n".join(str(one.content) for one in messages if one.role == "system"))
            said = sum(one.role == "user" for one in messages)
            return ChatMessage(role="assistant", content=f"turn {said}")

        return MockFunctionCallingLLM(response_generator=answer, is_chat_model=True)


def test_an_agent_of_thirty_turns_is_reminded_in_every_turn_and_the_block_grows_at_its_end_alone(
    client: ctxdb.Client, tmp_path: Path
) -> None:
    user = client.system.status().user
    seen = Seen()

    async def talk() -> None:
        first = Memory.from_defaults(session_id="monday")
        await first.aput_messages([ChatMessage(role="user", content=FACT), ChatMessage(role="assistant", content="Noted.")])
        await CtxdbMemoryBlock(client, "monday").aremember(first)
        for turn in range(1, TURNS + 1):
            with ctxdb.connect(os.environ["CTXDB_ADDRESS"], user=user) as fresh:
                block = CtxdbMemoryBlock(fresh, "tuesday")
                engine = create_async_engine(f"sqlite+aiosqlite:///{tmp_path}/chat.db")
                memory = Memory.from_defaults(session_id="tuesday", memory_blocks=[block], async_engine=engine)
                answer = await FunctionAgent(llm=seen.model(), streaming=False).run(f"Which tea do I like, {turn}?", memory=memory)
                assert str(answer) == f"turn {turn}"
                if turn == TURNS:
                    assert await block.aremember(memory) >= 0
                await engine.dispose()

    asyncio.run(talk())
    assert len(seen.system) == TURNS and all("green tea" in block for block in seen.system)
    bodies = [block.split("</ctxdb>")[0].rstrip() for block in seen.system]
    assert all(later.startswith(earlier) for earlier, later in zip(bodies, bodies[1:], strict=False))
