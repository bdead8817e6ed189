"""Stores documents, searches them, and stores a conversation."""

import os

import ctxdb

from ctxdb_langchain import CtxdbChatMessageHistory, CtxdbRetriever, CtxdbVectorStore

with ctxdb.connect(os.environ.get("CTXDB_ADDRESS", "http://127.0.0.1:1933"), user=os.environ.get("CTXDB_USER")) as client:
    store = CtxdbVectorStore(client, "harbour")
    store.add_texts(
        ["The keeper trims the lamp at dusk.", "Herring is landed at the north pier."],
        metadatas=[{"place": "lighthouse"}, {"place": "pier"}],
        ids=["lamp", "herring"],
    )
    found = store.similarity_search("when is the lamp trimmed?", k=1)[0]
    print("found:", found.page_content, found.metadata)

    retriever = CtxdbRetriever(client=client, k=1, target_uri=f"ctx://user/{client.system.status().user}/langchain/harbour")
    print("retrieved:", retriever.invoke("where is fish landed?")[0].metadata["uri"].rsplit("/", 1)[1])

    history = CtxdbChatMessageHistory(client, "monday")
    history.clear()
    history.add_user_message("Hello")
    history.add_ai_message("Hi, Ann")
    print("history:", [message.content for message in CtxdbChatMessageHistory(client, "monday").messages])
