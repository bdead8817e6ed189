"""A retriever that returns ctxdb's hits as nodes."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

import ctxdb
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

#: Metadata that the model should not read.
_NOT_FOR_MODELS = ["score", "level", "context_type"]


class CtxdbRetriever(BaseRetriever):
    """Finds passages in everything that the caller may see: resources, memories and skills, the best first.

    A node's text is the passage that answers, its metadata has ``uri``, ``score``, ``context_type``, ``level``, ``abstract`` and,
    where the passage was made from another file, ``source``.
    """

    def __init__(
        self,
        client: ctxdb.Client,
        similarity_top_k: int = 4,
        *,
        target_uri: str | Sequence[str] | None = None,
        score_threshold: float | None = None,
        filter: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        """``similarity_top_k``: how many, 1 to 1,000. ``target_uri``: searches below these URIs alone. ``score_threshold``: 0 to 1."""
        super().__init__(**kwargs)
        self._client = client
        self._limit = similarity_top_k
        self._target_uri = target_uri
        self._score_threshold = score_threshold
        self._filter = filter

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        answer = self._client.search.find(
            query_bundle.query_str,
            target_uri=self._target_uri,
            limit=self._limit,
            score_threshold=self._score_threshold,
            filter=self._filter,
        )
        hits = sorted((*answer.memories, *answer.resources, *answer.skills), key=lambda hit: (-hit.score, hit.uri))
        return [_node(hit) for hit in hits]

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return await asyncio.to_thread(self._retrieve, query_bundle)


def _node(hit: Any) -> NodeWithScore:
    metadata = {"uri": hit.uri, "score": hit.score, "context_type": hit.context_type, "level": hit.level, "abstract": hit.abstract}
    if hit.source:
        metadata["source"] = hit.source
    node = TextNode(
        id_=hit.uri,
        # a folder matches by its abstract and has no passage
        text=hit.match or hit.overview or hit.abstract,
        metadata=metadata,
        excluded_llm_metadata_keys=_NOT_FOR_MODELS,
    )
    return NodeWithScore(node=node, score=hit.score)
