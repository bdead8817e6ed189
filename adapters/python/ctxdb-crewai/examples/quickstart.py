"""A crew's memories survive the process. No model is called: saved texts and queries are given in full."""

import os

import ctxdb
from crewai.memory.unified_memory import Memory

from ctxdb_crewai import CtxdbStorage


def memory_of(client: ctxdb.Client) -> Memory:
    # Crew(agents=…, tasks=…, memory=memory_of(client))
    storage = CtxdbStorage(client)
    return Memory(storage=storage, embedder=storage.embedder)


def main(client: ctxdb.Client) -> None:
    memory = memory_of(client)
    memory.reset()
    memory.remember("Ann prefers green tea.", scope="/people/ann", categories=["preferences"], importance=0.8)
    memory.remember("The harbour opens at six.", scope="/places", categories=["hours"], importance=0.5)

    again = memory_of(client)
    print("found:", again.recall("Which tea does Ann like?", depth="shallow", limit=1)[0].record.content)
    print("places:", [match.record.content for match in again.recall("when does it open?", scope="/places", depth="shallow")])
    print("scopes:", again.list_scopes("/"))


with ctxdb.connect(os.environ.get("CTXDB_ADDRESS", "http://127.0.0.1:1933"), user=os.environ.get("CTXDB_USER")) as client:
    main(client)
