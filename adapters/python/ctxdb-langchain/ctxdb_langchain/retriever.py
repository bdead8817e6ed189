"""A retriever that returns ctxdb's hits as documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import ctxdb
from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import ConfigDict


class CtxdbRetriever(BaseRetriever):
    """Finds passages in everything that the caller may see: resources, memories and skills, the best first.

    A document's content is the passage that answers, its metadata has ``uri``, ``score``, ``context_type``, ``level``, ``abstract``
    and, where the passage was made from another file, ``source``.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    client: ctxdb.Client
    k: int = 4
    """Number of documents, 1 to 1,000."""
    target_uri: str | Sequence[str] | None = None
    """Searches only below these URIs, for example ``ctx://resources/handbook``."""
    score_threshold: float | None = None
    """Leaves out documents with a lower score, 0 to 1."""
    filter: Mapping[str, Any] | None = None
    """A filter of ctxdb's find."""

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun, k: int | None = None, **_: Any
    ) -> list[Document]:
        answer = self.client.search.find(
            query,
            target_uri=self.target_uri,
            limit=self.k if k is None else k,
            score_threshold=self.score_threshold,
            filter=self.filter,
        )
        hits = sorted((*answer.memories, *answer.resources, *answer.skills), key=lambda hit: (-hit.score, hit.uri))
        return [_document(hit) for hit in hits]


def _document(hit: Any) -> Document:
    metadata = {
        "uri": hit.uri,
        "score": hit.score,
        "context_type": hit.context_type,
        "level": hit.level,
        "abstract": hit.abstract,
    }
    if hit.source:
        metadata["source"] = hit.source
    # a folder matches by its abstract and has no passage
    return Document(id=hit.uri, page_content=hit.match or hit.overview or hit.abstract, metadata=metadata)
