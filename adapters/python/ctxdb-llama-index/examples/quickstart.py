"""Stores nodes, searches them, and recalls a conversation in the next one. No model is called."""

import asyncio
import os
import uuid

import ctxdb
from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.memory import Memory
from llama_index.core.schema import TextNode
from llama_index.core.vector_stores import MetadataFilter, MetadataFilters, VectorStoreQuery

from ctxdb_llama_index import CtxdbMemoryBlock, CtxdbRetriever, CtxdbVectorStore


def memory_of(client: ctxdb.Client, session_id: str) -> tuple[Memory, CtxdbMemoryBlock]:
    block = CtxdbMemoryBlock(client, session_id)
    # pass it to an agent with agent.run(…, memory=memory)
    return Memory.from_defaults(session_id=session_id, memory_blocks=[block]), block


async def main(client: ctxdb.Client) -> None:
    store = CtxdbVectorStore(client, "harbour")
    store.add(
        [
            TextNode(id_="lamp", text="The keeper trims the lamp at dusk.", metadata={"place": "lighthouse"}),
            TextNode(id_="herring", text="Herring is landed at the north pier.", metadata={"place": "pier"}),
        ]
    )
    at_the_pier = MetadataFilters(filters=[MetadataFilter(key="place", value="pier")])
    for filters in (None, at_the_pier):
        found = store.query(VectorStoreQuery(query_str="when is the lamp trimmed?", similarity_top_k=1, filters=filters))
        print("found:", found.ids)

    retriever = CtxdbRetriever(client, similarity_top_k=1, target_uri=f"ctx://user/{client.system.status().user}/llama-index/harbour")
    print("retrieved:", retriever.retrieve("where is fish landed?")[0].metadata["uri"].rsplit("/", 1)[1])

    monday, block = memory_of(client, uuid.uuid4().hex)
    await monday.aput_messages([ChatMessage(role="user", content="I prefer green tea."), ChatMessage(role="assistant", content="Noted.")])
    await block.aremember(monday)
    tuesday, _ = memory_of(client, uuid.uuid4().hex)
    await tuesday.aput(ChatMessage(role="user", content="Which tea do I like?"))
    reminded, *_ = await tuesday.aget()
    print("recalled:", "green tea" in str(reminded.content))


with ctxdb.connect(os.environ.get("CTXDB_ADDRESS", "http://127.0.0.1:1933"), user=os.environ.get("CTXDB_USER")) as client:
    asyncio.run(main(client))
