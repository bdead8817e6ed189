"""Compares the vector store with LlamaIndex's SimpleVectorStore over the same operations, and in an index."""

import asyncio
import random
from collections.abc import Callable
from typing import Any

import ctxdb
import pytest
from llama_index.core import MockEmbedding, StorageContext, VectorStoreIndex
from llama_index.core.schema import BaseNode, Document, ImageNode, IndexNode, NodeRelationship, RelatedNodeInfo, TextNode
from llama_index.core.vector_stores import FilterCondition, FilterOperator, MetadataFilter, MetadataFilters, SimpleVectorStore
from llama_index.core.vector_stores.types import BasePydanticVectorStore, VectorStoreQuery, VectorStoreQueryMode

from ctxdb_llama_index import CtxdbVectorStore

KEYS = ["1", "a/b", "..", ".hidden", "x.json", "%", "~", "漢" * 100, "Ω"]
DOCUMENTS = ["doc/1", "doc 2", None]
EVERYTHING = 100


def some_node(choice: random.Random) -> TextNode:
    document = choice.choice(DOCUMENTS)
    return TextNode(
        id_=choice.choice(KEYS),
        text=choice.choice(["green tea", "herring boats\0", "漢字", "\ud800 tea"]),
        metadata={
            "kind": choice.choice(["note", "fact", ""]),
            "score": choice.randrange(4),
            "tags": choice.choice([[], ["a"], ["a", "b"]]),
        },
        relationships={} if document is None else {NodeRelationship.SOURCE: RelatedNodeInfo(node_id=document)},
        embedding=[1.0, 0.0],
    )


def some_filters(choice: random.Random) -> MetadataFilters | None:
    one: list[tuple[str, Any, FilterOperator]] = [
        ("kind", "note", FilterOperator.EQ),
        ("kind", "note", FilterOperator.NE),
        ("kind", ["fact", "other"], FilterOperator.IN),
        ("kind", ["fact"], FilterOperator.NIN),
        ("kind", "OT", FilterOperator.TEXT_MATCH_INSENSITIVE),
        ("kind", None, FilterOperator.IS_EMPTY),
        ("score", 1, FilterOperator.GT),
        ("score", 2, FilterOperator.LTE),
        ("tags", "b", FilterOperator.CONTAINS),
        ("tags", ["a", "b"], FilterOperator.ALL),
        ("missing", 1, FilterOperator.EQ),
    ]
    chosen = choice.sample(one, choice.randrange(3))
    filters = [MetadataFilter(key=key, value=value, operator=operator) for key, value, operator in chosen]
    return None if choice.random() < 0.3 else MetadataFilters(filters=filters, condition=choice.choice([*FilterCondition]))


def some_operation(choice: random.Random) -> Callable[[BasePydanticVectorStore], Any]:
    kind = choice.random()
    if kind < 0.5:
        nodes = [some_node(choice) for _ in range(choice.randrange(1, 4))]
        return lambda store: store.add(nodes)
    filters = some_filters(choice)
    ids = choice.choice([None, choice.sample(KEYS, 4)])
    if kind < 0.85:
        query = VectorStoreQuery(
            query_embedding=[1.0, 0.0], query_str="tea and boats", similarity_top_k=EVERYTHING, filters=filters, node_ids=ids
        )
        return lambda store: sorted(store.query(query).ids or [])
    if kind < 0.92:
        return lambda store: store.delete(str(choice.choice(DOCUMENTS)))
    return lambda store: store.delete_nodes(ids, filters)


def test_random_operations_give_the_same_results_as_simple_vector_store(client: ctxdb.Client) -> None:
    choice = random.Random(7)
    stores: list[BasePydanticVectorStore] = [SimpleVectorStore(), CtxdbVectorStore(client, "a/b")]
    for _ in range(50):
        operation = some_operation(choice)
        state = choice.getstate()
        theirs = operation(stores[0])
        choice.setstate(state)
        assert operation(stores[1]) == theirs


def test_a_node_comes_back_as_it_was_added(client: ctxdb.Client) -> None:
    store = CtxdbVectorStore(client)
    nodes: list[BaseNode] = [
        TextNode(id_="text", text="line\r\nline", metadata={"a": {"b": [1, None]}}, excluded_llm_metadata_keys=["a"]),
        IndexNode(id_="index", text="see there", index_id="other"),
        ImageNode(id_="image", text="a boat", image_url="https://example.org/boat.png"),
    ]
    store.add(nodes)
    found = store.get_nodes([node.node_id for node in nodes])
    assert [node.to_dict() for node in found] == [node.to_dict() for node in nodes]
    assert store.get_nodes(["missing"]) == []


def test_an_index_over_the_store_finds_by_meaning_without_an_embedding_model(client: ctxdb.Client) -> None:
    store = CtxdbVectorStore(client, "harbour")
    texts = ["The keeper trims the lamp at dusk.", "Herring is landed at the north pier.", "Ann drinks green tea."]
    documents = [Document(id_=f"doc-{number}", text=text) for number, text in enumerate(texts)]
    model = MockEmbedding(embed_dim=2)
    VectorStoreIndex.from_documents(documents, storage_context=StorageContext.from_defaults(vector_store=store), embed_model=model)
    index = VectorStoreIndex.from_vector_store(store, embed_model=model)
    [found] = index.as_retriever(similarity_top_k=1).retrieve("where is fish landed?")
    assert found.text == texts[1] and found.score is not None and 0 < found.score <= 1
    index.delete_ref_doc("doc-1")
    assert texts[1] not in [each.text for each in index.as_retriever(similarity_top_k=3).retrieve("where is fish landed?")]
    store.clear()
    assert asyncio.run(index.as_retriever().aretrieve("tea")) == []


def test_a_query_without_text_or_in_a_mode_that_is_not_offered_is_refused(client: ctxdb.Client) -> None:
    store = CtxdbVectorStore(client)
    with pytest.raises(ValueError, match="query_str is missing"):
        store.query(VectorStoreQuery(query_embedding=[1.0]))
    with pytest.raises(ValueError, match="mode"):
        store.query(VectorStoreQuery(query_str="tea", mode=VectorStoreQueryMode.MMR))
    assert store.query(VectorStoreQuery(query_str="tea", similarity_top_k=0)).ids == []
