"""An agent that continues where it stopped, and remembers another thread."""

import os

import ctxdb
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.store.base import BaseStore

from ctxdb_langgraph import CtxdbSaver, CtxdbStore

ANN = ("ann", "facts")


def answer(state: MessagesState, *, store: BaseStore) -> dict:
    """A fake model: it receives the thread and the known facts, and repeats them."""
    said = state["messages"][-1].content
    known = store.search(ANN, query=said, limit=1)
    if said.startswith("I "):
        store.put(ANN, said, {"text": said})
    reply = known[0].value["text"] if known else "nothing yet"
    return {"messages": [("assistant", f"message {len(state['messages'])}; I know: {reply}")]}


with ctxdb.connect(os.environ.get("CTXDB_ADDRESS", "http://127.0.0.1:1933"), user=os.environ.get("CTXDB_USER")) as client:
    store = CtxdbStore(client)
    for item in store.search(ANN):
        store.delete(ANN, item.key)
    graph = StateGraph(MessagesState).add_node("answer", answer).add_edge(START, "answer")
    agent = graph.compile(checkpointer=CtxdbSaver(client), store=store)
    agent.checkpointer.delete_thread("monday")
    agent.checkpointer.delete_thread("tuesday")
    for thread, said in [("monday", "Hello"), ("monday", "I prefer green tea"), ("tuesday", "Which tea do I like?")]:
        state = agent.invoke({"messages": [("user", said)]}, {"configurable": {"thread_id": thread}})
        print(f"{thread}: {said} -> {state['messages'][-1].content}")
