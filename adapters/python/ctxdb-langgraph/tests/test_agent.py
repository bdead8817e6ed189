"""Runs an agent for thirty turns with a scripted model: its thread and its memories survive the process."""

import asyncio
import os
from typing import Any

import ctxdb
import pytest
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.store.base import BaseStore
from langgraph.types import Command, interrupt

from ctxdb_langgraph import CtxdbSaver, CtxdbStore

TURNS = 30


def scripted_model(messages: list[AnyMessage], memories: list[str]) -> AIMessage:
    """Answers with its input, so that a test sees what reached the model."""
    return AIMessage(f"turn {sum(isinstance(each, HumanMessage) for each in messages)}, knows {len(memories)}")


def agent(saver: CtxdbSaver, store: CtxdbStore) -> Any:
    def recall_and_answer(state: MessagesState, *, store: BaseStore) -> dict[str, Any]:
        said = str(state["messages"][-1].content)
        found = store.search(("ann", "facts"), query=said, limit=100)
        if said.startswith("remember"):
            store.put(("ann", "facts"), said, {"text": said})
        return {"messages": [scripted_model(state["messages"], [item.key for item in found])]}

    graph = StateGraph(MessagesState)
    graph.add_node("answer", recall_and_answer)
    graph.add_edge(START, "answer")
    graph.add_edge("answer", END)
    return graph.compile(checkpointer=saver, store=store)


def test_an_agent_goes_on_after_every_turn_in_a_new_process(client: ctxdb.Client) -> None:
    config = {"configurable": {"thread_id": "ann/1"}}
    user = client.system.status().user
    for turn in range(1, TURNS + 1):
        with ctxdb.connect(os.environ["CTXDB_ADDRESS"], user=user) as fresh:
            graph = agent(CtxdbSaver(fresh), CtxdbStore(fresh))
            said = f"remember number {turn}" if turn % 3 == 0 else "hello"
            answer = graph.invoke({"messages": [("user", said)]}, config)["messages"][-1].content
            assert answer == f"turn {turn}, knows {(turn - 1) // 3}"
    saver = CtxdbSaver(client)
    assert len(list(saver.list(config))) == 3 * TURNS
    history = list(agent(saver, CtxdbStore(client)).get_state_history(config, limit=4))
    assert [state.metadata["step"] for state in history] == [88, 87, 86, 85]
    saver.prune(["ann/1"])
    assert len(list(saver.list(config))) == 1
    assert len(agent(saver, CtxdbStore(client)).get_state(config).values["messages"]) == 2 * TURNS


def test_an_interrupted_agent_is_resumed_with_an_answer_and_a_failed_task_is_run_again(client: ctxdb.Client) -> None:
    calls: list[str] = []

    def ask(state: MessagesState) -> dict[str, Any]:
        return {"messages": [("assistant", f"you said {interrupt('really?')}")]}

    def fail_once(state: MessagesState) -> dict[str, Any]:
        calls.append("fail_once")
        if len(calls) == 1:
            raise RuntimeError("once")
        return {"messages": [("assistant", "done")]}

    graph = StateGraph(MessagesState)
    graph.add_node("ask", ask)
    graph.add_node("fail_once", fail_once)
    graph.add_edge(START, "ask")
    graph.add_edge("ask", "fail_once")
    compiled = graph.compile(checkpointer=CtxdbSaver(client))
    config: Any = {"configurable": {"thread_id": "1"}}
    assert compiled.invoke({"messages": [("user", "hi")]}, config)["__interrupt__"][0].value == "really?"
    with pytest.raises(RuntimeError):
        compiled.invoke(Command(resume="yes"), config)
    messages = compiled.invoke(None, config)["messages"]
    assert [each.content for each in messages] == ["hi", "you said yes", "done"]


def test_the_asynchronous_agent_keeps_its_thread(client: ctxdb.Client) -> None:
    async def talk() -> list[AnyMessage]:
        graph = agent(CtxdbSaver(client), CtxdbStore(client))
        config = {"configurable": {"thread_id": "1"}}
        for _ in range(3):
            state = await graph.ainvoke({"messages": [("user", "hello")]}, config)
        return list(state["messages"])

    assert [each.content for each in asyncio.run(talk())[1::2]] == [f"turn {turn}, knows 0" for turn in (1, 2, 3)]
