"""LangChain vector store over a folder. The server embeds and searches; no embedding model is needed."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import ctxdb
from ctxdb_records import Documents, Stored, key_path, own_folder
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.vectorstores import VectorStore

Filter = Mapping[str, Any] | Callable[[Document], bool]


class CtxdbVectorStore(VectorStore):
    """Stores and searches documents in ctxdb, without an embedding model: the server has one.

    Each document is one file in the folder ``root``; by default in the caller's own ``langchain/<collection>``. A document can be found as
    soon as it was added. ``filter`` of a search is a mapping that the metadata has to hold, or a function of a document.
    """

    def __init__(self, client: ctxdb.Client, collection: str = "documents", *, root: str | None = None) -> None:
        self._documents = Documents(client, root or (lambda: own_folder(client, "langchain", key_path(collection))))

    @property
    def embeddings(self) -> Embeddings | None:
        return None

    def add_texts(
        self, texts: Iterable[str], metadatas: list[dict[str, Any]] | None = None, *, ids: list[str] | None = None, **_: Any
    ) -> list[str]:
        given = list(texts)
        for name, many in (("metadatas", metadatas), ("ids", ids)):
            if many is not None and len(many) != len(given):
                raise ValueError(f"{len(given)} texts have {len(many)} {name}")
        return self.add_documents(
            [
                Document(page_content=text, metadata={} if metadatas is None else metadatas[at], id=None if ids is None else ids[at])
                for at, text in enumerate(given)
            ]
        )

    def add_documents(self, documents: list[Document], *, ids: list[str | None] | None = None, **_: Any) -> list[str]:
        """Adds documents, or replaces those with the same id. Documents without an id get one."""
        if ids is not None and len(ids) != len(documents):
            raise ValueError(f"{len(documents)} documents have {len(ids)} ids")
        named = {(document.id if ids is None else ids[at]) or uuid.uuid4().hex: _fields(document) for at, document in enumerate(documents)}
        self._documents.put(named)
        return [*named] if len(named) == len(documents) else [id or "" for id in ids or [document.id for document in documents]]

    def get_by_ids(self, ids: Sequence[str], /) -> list[Document]:
        return [document for found in self._documents.get(ids) if (document := _document(found)) is not None]

    def delete(self, ids: list[str] | None = None, **_: Any) -> bool:
        """Deletes these documents, or all of them without ``ids``. Missing ones are not an error."""
        if ids is None:
            self._documents.clear()
        else:
            self._documents.remove(ids)
        return True

    def similarity_search(self, query: str, k: int = 4, *, filter: Filter | None = None, **_: Any) -> list[Document]:
        return [document for document, _ in self.similarity_search_with_score(query, k, filter=filter)]

    def similarity_search_with_score(
        self, query: str, k: int = 4, *, filter: Filter | None = None, **_: Any
    ) -> list[tuple[Document, float]]:
        """Scores are from 0 to 1, the higher the better."""
        found = self._documents.search(query, k, lambda one: (document := _document(one)) is not None and _is_wanted(document, filter))
        documents = ((_document(one), one.score) for one in found)
        return [(document, score) for document, score in documents if document is not None]

    def _similarity_search_with_relevance_scores(self, query: str, k: int = 4, **kwargs: Any) -> list[tuple[Document, float]]:
        return self.similarity_search_with_score(query, k, **kwargs)

    @classmethod
    def from_texts(
        cls,
        texts: list[str],
        embedding: Embeddings | None = None,
        metadatas: list[dict[str, Any]] | None = None,
        *,
        ids: list[str] | None = None,
        client: ctxdb.Client | None = None,
        collection: str = "documents",
        root: str | None = None,
        **_: Any,
    ) -> CtxdbVectorStore:
        """``client`` is required; ``embedding`` is not used."""
        if client is None:
            raise ValueError("client is missing: give one of ctxdb.connect()")
        store = cls(client, collection, root=root)
        store.add_texts(texts, metadatas, ids=ids)
        return store


def _fields(document: Document) -> dict[str, Any]:
    return {"text": document.page_content, "metadata": document.metadata}


def _document(found: Stored) -> Document | None:
    """Returns None for a file in another format, which somebody else has created."""
    text, metadata = found.fields.get("text"), found.fields.get("metadata")
    return Document(id=found.key, page_content=text, metadata=metadata) if isinstance(text, str) and isinstance(metadata, dict) else None


def _is_wanted(document: Document, filter: Filter | None) -> bool:
    if filter is None:
        return True
    if callable(filter):
        return filter(document)
    return all(document.metadata.get(name) == value for name, value in filter.items())
