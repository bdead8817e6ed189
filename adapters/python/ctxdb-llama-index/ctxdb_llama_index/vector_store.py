"""LlamaIndex vector store over a folder. The server embeds and searches; no embedding model is needed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import ctxdb
from ctxdb_records import Documents, Stored, key_path, own_folder
from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.schema import BaseNode, MetadataMode
from llama_index.core.vector_stores.types import (
    BasePydanticVectorStore,
    MetadataFilters,
    VectorStoreQuery,
    VectorStoreQueryMode,
    VectorStoreQueryResult,
)
from llama_index.core.vector_stores.utils import build_metadata_filter_fn, metadata_dict_to_node, node_to_metadata_dict

#: Query modes that the server supports; it always searches by meaning and by words.
_MODES = (
    VectorStoreQueryMode.DEFAULT,
    VectorStoreQueryMode.HYBRID,
    VectorStoreQueryMode.SEMANTIC_HYBRID,
    VectorStoreQueryMode.TEXT_SEARCH,
    VectorStoreQueryMode.SPARSE,
)
_Wanted = Callable[[Stored], bool]


class CtxdbVectorStore(BasePydanticVectorStore):
    """Stores and searches the text of nodes in ctxdb.

    The server makes its own vectors; those of the caller are not stored. Each node is one file in the folder ``root``; by default in the
    caller's own ``llama-index/<collection>``. A node can be found as soon as it was added.
    """

    stores_text: bool = True
    is_embedding_query: bool = False

    _client: ctxdb.Client = PrivateAttr()
    _documents: Documents = PrivateAttr()

    def __init__(self, client: ctxdb.Client, collection: str = "nodes", *, root: str | None = None) -> None:
        super().__init__(stores_text=True)
        self._client = client
        self._documents = Documents(client, root or (lambda: own_folder(client, "llama-index", key_path(collection))))

    @classmethod
    def class_name(cls) -> str:
        return "CtxdbVectorStore"

    @property
    def client(self) -> ctxdb.Client:
        return self._client

    def add(self, nodes: Sequence[BaseNode], **_: Any) -> list[str]:
        """Adds nodes, or replaces those with the same id."""
        self._documents.put({node.node_id: _fields(node) for node in nodes})
        return [node.node_id for node in nodes]

    def delete(self, ref_doc_id: str, **_: Any) -> None:
        """Deletes the nodes of a document."""
        self._documents.remove([found.key for found in self._documents.all() if _metadata(found)["ref_doc_id"] == ref_doc_id])

    def delete_nodes(self, node_ids: list[str] | None = None, filters: MetadataFilters | None = None, **_: Any) -> None:
        is_wanted = _condition(filters=filters)
        self._documents.remove([found.key for found in self._named(node_ids) if is_wanted(found)])

    def get_nodes(self, node_ids: list[str] | None = None, filters: MetadataFilters | None = None) -> list[BaseNode]:
        is_wanted = _condition(filters=filters)
        return [_node(found) for found in self._named(node_ids) if is_wanted(found)]

    def clear(self) -> None:
        self._documents.clear()

    def query(self, query: VectorStoreQuery, **_: Any) -> VectorStoreQueryResult:
        """Searches for ``query_str``, which retrievers set; similarities are from 0 to 1."""
        if query.mode not in _MODES:
            raise ValueError(f"CtxdbVectorStore cannot search in mode {query.mode}: use one of {', '.join(mode.value for mode in _MODES)}")
        if not query.query_str:
            raise ValueError("CtxdbVectorStore searches by text: query_str is missing")
        is_wanted = _condition(query.node_ids, query.doc_ids, query.filters)
        found = self._documents.search(query.query_str, query.similarity_top_k, is_wanted)
        return VectorStoreQueryResult(
            nodes=[_node(one) for one in found], similarities=[one.score for one in found], ids=[one.key for one in found]
        )

    async def async_add(self, nodes: Sequence[BaseNode], **kwargs: Any) -> list[str]:
        return await asyncio.to_thread(self.add, nodes, **kwargs)

    async def adelete(self, ref_doc_id: str, **kwargs: Any) -> None:
        await asyncio.to_thread(self.delete, ref_doc_id, **kwargs)

    async def adelete_nodes(self, node_ids: list[str] | None = None, filters: MetadataFilters | None = None, **kwargs: Any) -> None:
        await asyncio.to_thread(self.delete_nodes, node_ids, filters, **kwargs)

    async def aget_nodes(self, node_ids: list[str] | None = None, filters: MetadataFilters | None = None) -> list[BaseNode]:
        return await asyncio.to_thread(self.get_nodes, node_ids, filters)

    async def aclear(self) -> None:
        await asyncio.to_thread(self.clear)

    async def aquery(self, query: VectorStoreQuery, **kwargs: Any) -> VectorStoreQueryResult:
        return await asyncio.to_thread(self.query, query, **kwargs)

    def _named(self, node_ids: list[str] | None) -> Iterable[Stored]:
        return self._documents.all() if node_ids is None else self._documents.get(dict.fromkeys(node_ids))


def _fields(node: BaseNode) -> dict[str, Any]:
    # the text comes first, so that it determines the subject of the file
    return {"text": node.get_content(metadata_mode=MetadataMode.NONE), "metadata": node_to_metadata_dict(node, remove_text=True)}


def _metadata(found: Stored) -> dict[str, Any]:
    metadata = found.fields.get("metadata")
    # a file that somebody else has created belongs to no document
    return {"ref_doc_id": None, **metadata} if isinstance(metadata, dict) else {"ref_doc_id": None}


def _node(found: Stored) -> BaseNode:
    return metadata_dict_to_node(_metadata(found), text=str(found.fields.get("text", "")))


def _condition(
    node_ids: Sequence[str] | None = None, doc_ids: Sequence[str] | None = None, filters: MetadataFilters | None = None
) -> _Wanted:
    def is_wanted(found: Stored) -> bool:
        metadata = _metadata(found)
        return (
            "_node_content" in metadata
            # an index that leaves its nodes to the store lists none of them
            and (not node_ids or found.key in node_ids)
            and (not doc_ids or metadata["ref_doc_id"] in doc_ids)
            and build_metadata_filter_fn(lambda _: metadata, filters)(found.key)
        )

    return is_wanted
