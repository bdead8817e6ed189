"""Documents in a folder, found by the server's own vectors and words."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import ctxdb
from ctxdb_records import download, in_parallel, key_path, own_folder, put_text, remove, take_key
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.vectorstores import VectorStore

_SUFFIX = ".json"
_MAX_HITS = 1000
#: How many times as many hits are asked for where a filter has left too few.
_GROWTH = 4
#: Documents that are read at once.
_WINDOW = 64

Filter = Mapping[str, Any] | Callable[[Document], bool]


class CtxdbVectorStore(VectorStore):
    """Text goes in, no embedding model is needed: the server has one.

    One file a document, in the folder ``root``; in the caller's own ``langchain/<collection>`` without it. A document is found as
    soon as it was added. ``filter`` of a search is a mapping that the metadata has to hold, or a function of a document.
    """

    def __init__(self, client: ctxdb.Client, collection: str = "documents", *, root: str | None = None) -> None:
        self._client = client
        self._collection = collection
        self._root = root

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
        """Adds documents or replaces those of the same id; one without an id is given one."""
        if ids is not None and len(ids) != len(documents):
            raise ValueError(f"{len(documents)} documents have {len(ids)} ids")
        named = {(document.id if ids is None else ids[at]) or uuid.uuid4().hex: _text(document) for at, document in enumerate(documents)}
        in_parallel(lambda pair: put_text(self._client, self._uri(pair[0]), pair[1]), named.items())
        return [*named] if len(named) == len(documents) else [id or "" for id in ids or [document.id for document in documents]]

    def get_by_ids(self, ids: Sequence[str], /) -> list[Document]:
        found = in_parallel(lambda id: self._read(self._uri(id)), ids)
        return [document for document in found if document is not None]

    def delete(self, ids: list[str] | None = None, **_: Any) -> bool:
        """Deletes these documents, all without ``ids``; one that is missing is no error."""
        if ids is None:
            remove(self._client, self._folder())
        else:
            in_parallel(lambda id: remove(self._client, self._uri(id)), ids)
        return True

    def similarity_search(self, query: str, k: int = 4, *, filter: Filter | None = None, **_: Any) -> list[Document]:
        return [document for document, _ in self.similarity_search_with_score(query, k, filter=filter)]

    def similarity_search_with_score(
        self, query: str, k: int = 4, *, filter: Filter | None = None, **_: Any
    ) -> list[tuple[Document, float]]:
        """Scores are from 0 to 1, the higher the better."""
        return list(islice(self._found(query, k, filter), max(0, k)))

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
        """``client`` has to be given; ``embedding`` is not used."""
        if client is None:
            raise ValueError("client is missing: give one of ctxdb.connect()")
        store = cls(client, collection, root=root)
        store.add_texts(texts, metadatas, ids=ids)
        return store

    def _found(self, query: str, k: int, filter: Filter | None) -> Iterator[tuple[Document, float]]:
        seen: set[str] = set()
        limit = min(_MAX_HITS, k)
        while limit > 0:
            answer = self._client.search.find(query, target_uri=self._folder(), limit=limit, filter={"level": 2})
            hits = sorted((*answer.memories, *answer.resources, *answer.skills), key=lambda hit: (-hit.score, hit.uri))
            new = iter([hit for hit in hits if hit.uri not in seen])
            while window := list(islice(new, _WINDOW)):
                seen.update(hit.uri for hit in window)
                documents = in_parallel(lambda hit: self._read(hit.uri), window)
                for hit, document in zip(window, documents, strict=True):
                    if document is not None and _is_wanted(document, filter):
                        yield document, hit.score
            if len(hits) < limit or limit == _MAX_HITS:
                return
            limit = min(_MAX_HITS, limit * _GROWTH)

    def _read(self, uri: str) -> Document | None:
        taken = take_key(uri.removeprefix(self._folder()).removesuffix(_SUFFIX).split("/")[1:])
        content = None if taken is None or not uri.endswith(_SUFFIX) else download(self._client, uri)
        if taken is None or content is None:
            return None
        try:
            fields = json.loads(content)
            return Document(id=taken[0], page_content=fields["text"], metadata=fields["metadata"])
        except (ValueError, TypeError, KeyError):
            return None

    def _folder(self) -> str:
        if self._root is None:
            self._root = own_folder(self._client, "langchain", key_path(self._collection))
        return self._root

    def _uri(self, id: str) -> str:
        return f"{self._folder()}/{key_path(id)}{_SUFFIX}"


def _text(document: Document) -> str:
    return json.dumps({"text": document.page_content, "metadata": document.metadata}, ensure_ascii=False, indent=1)


def _is_wanted(document: Document, filter: Filter | None) -> bool:
    if filter is None:
        return True
    if callable(filter):
        return filter(document)
    return all(document.metadata.get(name) == value for name, value in filter.items())
