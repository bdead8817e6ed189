"""JSON objects by key, which can be searched."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

import ctxdb

from ctxdb_records.files import download, in_parallel, put_text, remove
from ctxdb_records.names import below, key_path, take_key

_SUFFIX = ".json"
_MAX_HITS = 1000
#: Factor by which more hits are requested if a condition has left too few.
_GROWTH = 4
#: Number of documents that are read in parallel.
_WINDOW = 64


@dataclass(frozen=True)
class Stored:
    """A stored document, and after a search its score from 0 to 1."""

    key: str
    fields: dict[str, Any]
    score: float = 0.0


class Documents:
    """Stores one file per document in one folder. The server embeds and indexes it; it can be found at once."""

    def __init__(self, client: ctxdb.Client, folder: str | Callable[[], str]) -> None:
        """``folder`` may be a function, so that the server is not asked for a folder before it is used."""
        self._client = client
        self._given = folder

    def put(self, documents: Mapping[str, Mapping[str, Any]]) -> None:
        """Adds documents by key, or replaces existing ones."""
        # all are encoded before the first is written, so that invalid JSON refuses the whole call
        texts = {key: _text(fields) for key, fields in documents.items()}
        in_parallel(lambda pair: put_text(self._client, self._uri(pair[0]), pair[1]), texts.items())

    def get(self, keys: Iterable[str]) -> list[Stored]:
        """Returns the documents that exist for these keys, in this order."""
        return [found for found in in_parallel(lambda key: self._read(self._uri(key)), keys) if found is not None]

    def all(self) -> Iterator[Stored]:
        """Yields all documents, sorted by file name."""
        uris = self._uris()
        while window := list(islice(uris, _WINDOW)):
            yield from (found for found in in_parallel(self._read, window) if found is not None)

    def remove(self, keys: Iterable[str]) -> None:
        """Removes documents. Missing ones are not an error."""
        in_parallel(lambda key: remove(self._client, self._uri(key)), set(keys))

    def clear(self) -> None:
        remove(self._client, self._folder)

    def search(
        self, query: str, limit: int, is_wanted: Callable[[Stored], bool] = lambda _: True, *, score_threshold: float | None = None
    ) -> list[Stored]:
        """Returns at most ``limit`` documents, best first, of the 1,000 that match best."""
        found = islice(self._found(query, limit, is_wanted, score_threshold), max(0, limit))
        # a larger request may include better hits that a smaller one left out, such as repetitions
        return sorted(found, key=lambda one: -one.score)

    def _found(self, query: str, limit: int, is_wanted: Callable[[Stored], bool], score_threshold: float | None) -> Iterator[Stored]:
        """Yields wanted documents, and requests more hits if few of them are wanted."""
        seen: set[str] = set()
        count = min(_MAX_HITS, limit)
        while count > 0:
            answer = self._client.search.find(
                query, target_uri=self._folder, limit=count, filter={"level": 2}, score_threshold=score_threshold
            )
            hits = sorted((*answer.memories, *answer.resources, *answer.skills), key=lambda hit: (-hit.score, hit.uri))
            new = iter([hit for hit in hits if hit.uri not in seen])
            while window := list(islice(new, _WINDOW)):
                seen.update(hit.uri for hit in window)
                for hit, found in zip(window, in_parallel(lambda hit: self._read(hit.uri), window), strict=True):
                    if found is not None and is_wanted(found):
                        yield Stored(found.key, found.fields, hit.score)
            if len(hits) < count or count == _MAX_HITS:
                return
            count = min(_MAX_HITS, count * _GROWTH)

    @cached_property
    def _folder(self) -> str:
        return (self._given if isinstance(self._given, str) else self._given()).rstrip("/")

    def _uris(self) -> Iterator[str]:
        try:
            for entry in self._client.fs.tree_all(self._folder, level_limit=0):
                if not entry.is_dir:
                    yield entry.uri
        except ctxdb.NotFound:
            return

    def _read(self, uri: str) -> Stored | None:
        path = below(uri, self._folder, _SUFFIX)
        taken = take_key(path)
        if taken is None or taken[1] != len(path):
            return None
        content = download(self._client, uri)
        try:
            fields = None if content is None else json.loads(content)
        except ValueError:
            return None
        return Stored(taken[0], fields) if isinstance(fields, dict) else None

    def _uri(self, key: str) -> str:
        return f"{self._folder}/{key_path(key)}{_SUFFIX}"


def _text(fields: Mapping[str, Any]) -> str:
    text = json.dumps(fields, ensure_ascii=False, indent=1, allow_nan=False)
    try:
        text.encode()
        return text
    except UnicodeEncodeError:
        # a lone surrogate is invalid in UTF-8, but can be escaped
        return json.dumps(fields, indent=1, allow_nan=False)
