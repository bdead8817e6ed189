"""The storage of CrewAI's unified memory: one file per record, in one folder per scope."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import islice
from typing import Any

import ctxdb
from crewai.memory.types import MemoryRecord, ScopeInfo
from ctxdb_records import below, download, in_parallel, key_path, own_folder, put_text, remove, take_key

from ctxdb_crewai.queries import QueryVectors

#: Encoded scopes and ids never contain a full stop.
_SUFFIX = ".json"
#: Maximum number of hits that one search of the server returns.
_MAX_HITS = 1000
#: Factor by which more hits are requested if a condition has left too few.
_GROWTH = 4
#: Number of records that are read in parallel.
_WINDOW = 64


class CtxdbStorage:
    """Memory of crews in ctxdb, for ``Memory(storage=storage, embedder=storage.embedder)``.

    A recall is a search of the server, by meaning and by words, so that no embedding model is needed. ``root`` is the folder of the
    records; the caller's own ``crewai/memory`` without it.
    """

    def __init__(self, client: ctxdb.Client, *, root: str | None = None) -> None:
        self._client = client
        self._root = None if root is None else root.rstrip("/")
        #: Gives CrewAI vectors from which the storage can look up the text of a query.
        self.embedder = QueryVectors()

    def save(self, records: list[MemoryRecord]) -> None:
        texts = [(self._uri(record.scope, record.id), _text(record)) for record in records]
        in_parallel(lambda pair: put_text(self._client, *pair), texts)

    def search(
        self,
        query_embedding: list[float],
        scope_prefix: str | None = None,
        categories: list[str] | None = None,
        metadata_filter: dict[str, Any] | None = None,
        limit: int = 10,
        min_score: float = 0.0,
    ) -> list[tuple[MemoryRecord, float]]:
        """Returns the best matching records of a scope. ValueError for a vector that does not come from ``embedder``."""
        query = self.embedder.text_of(query_embedding)
        if not query.strip() or limit <= 0:
            return []
        found = self._found(query, self._folder(scope_prefix), limit, min_score)
        fitting = islice((pair for pair in found if _fits(pair[0], categories, metadata_filter)), limit)
        # a larger request may include better hits that a smaller one left out, such as repetitions
        return sorted(fitting, key=lambda pair: -pair[1])

    def delete(
        self,
        scope_prefix: str | None = None,
        categories: list[str] | None = None,
        record_ids: list[str] | None = None,
        older_than: datetime | None = None,
        metadata_filter: dict[str, Any] | None = None,
    ) -> int:
        """Removes the records that meet all given conditions; returns their number."""
        uris = list(self._files(scope_prefix))
        if record_ids is not None:
            wanted = set(record_ids)
            uris = [uri for uri in uris if (place := self._place(uri)) is not None and place[1] in wanted]
        if categories or metadata_filter or older_than is not None:
            uris = [
                uri
                for uri, record in self._read_all(uris)
                if _fits(record, categories, metadata_filter) and (older_than is None or record.created_at < older_than)
            ]
        return sum(in_parallel(lambda uri: remove(self._client, uri), uris))

    def update(self, record: MemoryRecord) -> None:
        """Replaces the record with this id in any scope."""
        uri = self._uri(record.scope, record.id)
        # compares places, because the server may write the URI of the same file in another way
        place = self._place(uri)
        before = [other for other in self._files(None) if self._place(other) != place and self._id(other) == record.id]
        put_text(self._client, uri, _text(record))
        in_parallel(lambda other: remove(self._client, other), before)

    def get_record(self, record_id: str) -> MemoryRecord | None:
        uris = [uri for uri in self._files(None) if self._id(uri) == record_id]
        return next((record for _, record in self._read_all(uris)), None)

    def list_records(self, scope_prefix: str | None = None, limit: int = 200, offset: int = 0) -> list[MemoryRecord]:
        """Returns the records of a scope and the scopes below it, newest first."""
        if limit <= 0 or offset < 0:
            return []
        records = sorted(self._records(scope_prefix), key=lambda record: record.created_at, reverse=True)
        return records[offset : offset + limit]

    def get_scope_info(self, scope: str) -> ScopeInfo:
        records = list(self._records(scope))
        times = [record.created_at for record in records]
        return ScopeInfo(
            path=_path(scope),
            record_count=len(records),
            categories=sorted({category for record in records for category in record.categories}),
            oldest_record=min(times, default=None),
            newest_record=max(times, default=None),
            child_scopes=self.list_scopes(scope),
        )

    def list_scopes(self, parent: str = "/") -> list[str]:
        names = _names(parent)
        places = (place for uri in self._files(parent) if (place := self._place(uri)) is not None)
        below = {scope[len(names)] for scope, _ in places if len(scope) > len(names)}
        return sorted("/" + "/".join((*names, name)) for name in below)

    def list_categories(self, scope_prefix: str | None = None) -> dict[str, int]:
        return dict(Counter(category for record in self._records(scope_prefix) for category in record.categories))

    def count(self, scope_prefix: str | None = None) -> int:
        return sum(1 for uri in self._files(scope_prefix) if self._place(uri) is not None)

    def reset(self, scope_prefix: str | None = None) -> None:
        remove(self._client, self._folder(scope_prefix))

    async def asave(self, records: list[MemoryRecord]) -> None:
        await asyncio.to_thread(self.save, records)

    async def asearch(
        self,
        query_embedding: list[float],
        scope_prefix: str | None = None,
        categories: list[str] | None = None,
        metadata_filter: dict[str, Any] | None = None,
        limit: int = 10,
        min_score: float = 0.0,
    ) -> list[tuple[MemoryRecord, float]]:
        return await asyncio.to_thread(self.search, query_embedding, scope_prefix, categories, metadata_filter, limit, min_score)

    async def adelete(
        self,
        scope_prefix: str | None = None,
        categories: list[str] | None = None,
        record_ids: list[str] | None = None,
        older_than: datetime | None = None,
        metadata_filter: dict[str, Any] | None = None,
    ) -> int:
        return await asyncio.to_thread(self.delete, scope_prefix, categories, record_ids, older_than, metadata_filter)

    def __deepcopy__(self, memo: dict[int, Any]) -> CtxdbStorage:
        """Returns itself: CrewAI copies a crew for each of several runs, and these share their memories."""
        return self

    def _found(self, query: str, folder: str, limit: int, min_score: float) -> Iterator[tuple[MemoryRecord, float]]:
        """Yields the records below a folder that the server finds; requests more if few match."""
        seen: set[str] = set()
        count = min(_MAX_HITS, limit)
        while count > 0:
            answer = self._client.search.find(query, target_uri=folder, limit=count, filter={"level": 2})
            hits = sorted((*answer.memories, *answer.resources, *answer.skills), key=lambda hit: (-hit.score, hit.uri))
            scores = {hit.uri: hit.score for hit in hits if hit.uri not in seen and hit.score >= min_score}
            seen.update(scores)
            for uri, record in self._read_all(scores):
                yield record, scores[uri]
            if len(hits) < count or count == _MAX_HITS:
                return
            count = min(_MAX_HITS, count * _GROWTH)

    def _records(self, scope: str | None) -> Iterator[MemoryRecord]:
        return (record for _, record in self._read_all(self._files(scope)))

    def _read_all(self, uris: Iterable[str]) -> Iterator[tuple[str, MemoryRecord]]:
        """Returns those files that contain records."""
        left = iter(uris)
        while window := list(islice(left, _WINDOW)):
            for uri, record in zip(window, in_parallel(self._read, window), strict=True):
                if record is not None:
                    yield uri, record

    def _read(self, uri: str) -> MemoryRecord | None:
        content = None if self._place(uri) is None else download(self._client, uri)
        try:
            return None if content is None else MemoryRecord.model_validate(json.loads(content))
        except ValueError:
            return None

    def _files(self, scope: str | None) -> Iterator[str]:
        try:
            for entry in self._client.fs.tree_all(self._folder(scope), level_limit=0):
                if not entry.is_dir:
                    yield entry.uri
        except ctxdb.NotFound:
            return

    def _folder(self, scope: str | None) -> str:
        if self._root is None:
            self._root = own_folder(self._client, "crewai", "memory")
        return "/".join((self._root, *map(key_path, _names(scope))))

    def _uri(self, scope: str, record_id: str) -> str:
        return f"{self._folder(scope)}/{key_path(record_id)}{_SUFFIX}"

    def _id(self, uri: str) -> str | None:
        place = self._place(uri)
        return None if place is None else place[1]

    def _place(self, uri: str) -> tuple[tuple[str, ...], str] | None:
        """Returns the scope and id of a record's file, or None for any other file."""
        left = below(uri, self._folder(None), _SUFFIX)
        keys: list[str] = []
        while left:
            taken = take_key(left)
            if taken is None:
                return None
            keys.append(taken[0])
            left = left[taken[1] :]
        return (tuple(keys[:-1]), keys[-1]) if keys else None


def _names(scope: str | None) -> tuple[str, ...]:
    return tuple(name for name in (scope or "").split("/") if name)


def _path(scope: str | None) -> str:
    return "/" + "/".join(_names(scope))


def _fits(record: MemoryRecord, categories: list[str] | None, metadata: dict[str, Any] | None) -> bool:
    if categories and not set(categories) & set(record.categories):
        return False
    return all(record.metadata.get(name) == value for name, value in (metadata or {}).items())


def _text(record: MemoryRecord) -> str:
    """The text of the record comes first, because a search shows it."""
    text = json.dumps(record.model_dump(mode="json"), ensure_ascii=False, indent=1, allow_nan=False)
    try:
        text.encode()
        return text
    except UnicodeEncodeError:
        # a lone surrogate is invalid in UTF-8, but can be escaped
        return json.dumps(record.model_dump(mode="json"), indent=1, allow_nan=False)
