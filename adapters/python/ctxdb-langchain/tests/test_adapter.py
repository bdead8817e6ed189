"""Tests that LangChain's suites lack."""

import os
from typing import Any

import ctxdb
import pytest
from langchain_core.chat_history import InMemoryChatMessageHistory
from langchain_core.documents import Document
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder
from langchain_core.runnables.history import RunnableWithMessageHistory

from ctxdb_langchain import CtxdbByteStore, CtxdbChatMessageHistory, CtxdbRetriever, CtxdbVectorStore

KEYS = ["", "a/b", "..", ".abstract.md", "kärnten", "漢" * 200, "a.json", "~", "%"]
TURNS = 30


def test_the_retriever_gives_the_passage_with_its_uri_and_its_score(client: ctxdb.Client) -> None:
    uri = f"ctx://user/{client.system.status().user}/notes/tea.md"
    client.content.write(uri, "# Tea\n\nGreen tea is brewed at 80 degrees.\n", mode="create")
    [found] = CtxdbRetriever(client=client, k=1, target_uri=uri).invoke("how hot is green tea?")
    assert "80 degrees" in found.page_content
    assert found.metadata["uri"] == uri == found.id and 0 < found.metadata["score"] <= 1
    assert CtxdbRetriever(client=client, target_uri=uri, score_threshold=1.0).invoke("boats") == []
    assert CtxdbRetriever(client=client, target_uri=uri, filter={"mime": "text/html"}).invoke("green tea") == []


def test_the_vector_store_finds_by_meaning_and_keeps_to_a_filter_of_metadata(client: ctxdb.Client) -> None:
    store = CtxdbVectorStore.from_texts(
        [f"note {number} about green tea" for number in range(20)],
        metadatas=[{"even": number % 2 == 0, "number": number} for number in range(20)],
        client=client,
    )
    found = store.similarity_search_with_score("green tea", k=7, filter={"even": True})
    assert len(found) == 7 and all(document.metadata["even"] for document, _ in found)
    assert [score for _, score in found] == sorted((score for _, score in found), reverse=True)
    assert len(store.similarity_search("green tea", k=100, filter=lambda document: document.metadata["number"] > 14)) == 5
    assert store.as_retriever(search_kwargs={"k": 2}).invoke("green tea")
    assert store.similarity_search("green tea", k=0) == []


def test_ids_of_the_vector_store_may_be_any_text_and_the_last_of_equal_ones_counts(client: ctxdb.Client) -> None:
    store = CtxdbVectorStore(client, "a/b")
    assert store.add_documents([Document("old"), Document("new")], ids=["x", "x"]) == ["x", "x"]
    assert [document.page_content for document in store.get_by_ids(["x"])] == ["new"]
    store.add_texts([f"text of {key}" for key in KEYS[1:]], ids=KEYS[1:])
    assert [document.id for document in store.get_by_ids(KEYS[1:])] == KEYS[1:]
    with pytest.raises(ValueError, match="2 texts have 1 ids"):
        store.add_texts(["a", "b"], ids=["1"])
    store.delete()
    assert store.similarity_search("text") == []


def test_keys_of_the_byte_store_may_be_any_text(client: ctxdb.Client) -> None:
    store = CtxdbByteStore(client, "names/pace")
    store.mset([(key, key.encode()) for key in KEYS])
    assert sorted(store.yield_keys()) == sorted(KEYS)
    assert store.mget([*KEYS, "missing"]) == [*(key.encode() for key in KEYS), None]
    assert list(store.yield_keys(prefix="a")) in (["a/b", "a.json"], ["a.json", "a/b"])


def test_a_chat_history_gives_back_every_kind_of_message_as_langchains_own_does(client: ctxdb.Client) -> None:
    messages: list[BaseMessage] = [
        SystemMessage("You are kind."),
        HumanMessage([{"type": "text", "text": "hi"}, {"type": "image", "url": "https://example.org/a.png"}], name="ann"),
        AIMessage(
            "",
            tool_calls=[{"name": "find", "args": {"query": "tea"}, "id": "1"}],
            usage_metadata={"input_tokens": 1, "output_tokens": 2, "total_tokens": 3},
        ),
        ToolMessage("80 degrees", tool_call_id="1", artifact={"uri": "ctx://resources/tea.md"}),
        AIMessage("80 degrees", id="run-1"),
    ]
    memory, history = InMemoryChatMessageHistory(), CtxdbChatMessageHistory(client, "a/b")
    for chat in (memory, history):
        chat.add_messages(messages[:3])
        chat.add_messages(messages[3:])
        chat.add_user_message("thanks")
    assert history.messages == memory.messages
    assert history.latest(2) == memory.messages[-2:]
    assert CtxdbChatMessageHistory(client, "a").messages == []
    history.clear()
    assert history.messages == []


def test_an_agent_of_thirty_turns_has_its_whole_history_in_every_turn(client: ctxdb.Client) -> None:
    user = client.system.status().user
    prompt = ChatPromptTemplate.from_messages([MessagesPlaceholder("history"), ("human", "{said}")])
    for turn in range(1, TURNS + 1):
        with ctxdb.connect(os.environ["CTXDB_ADDRESS"], user=user) as fresh:
            seen: list[int] = []

            def count(value: Any, seen: list[int] = seen) -> Any:
                seen.append(len(value.to_messages()))
                return value

            chain = RunnableWithMessageHistory(
                prompt | count | GenericFakeChatModel(messages=iter([f"answer {turn}"])),
                lambda session, fresh=fresh: CtxdbChatMessageHistory(fresh, session),
                input_messages_key="said",
                history_messages_key="history",
            )
            answer = chain.invoke({"said": f"turn {turn}"}, {"configurable": {"session_id": "1"}})
            assert answer.content == f"answer {turn}"
            assert seen == [2 * turn - 1]
    assert [each.content for each in CtxdbChatMessageHistory(client, "1").latest(2)] == ["turn 30", "answer 30"]
