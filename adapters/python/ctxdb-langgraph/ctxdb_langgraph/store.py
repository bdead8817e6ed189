"""LangGraph's store: one file per item, in one folder per namespace."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from itertools import islice
from typing import Any

import ctxdb
from ctxdb_records import below, change_text, download, etag_of, in_parallel, key_path, own_folder, remove, take_key
from langgraph.store.base import (
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    TTLConfig,
)

from ctxdb_langgraph.filters import matches

Namespace = tuple[str, ...]
#: Suffix of item files. Encoded keys and labels contain no full stop, so names stay unambiguous.
_SUFFIX = ".json"
#: Maximum number of hits that one search of the server returns.
_MAX_HITS = 1000
#: Factor by which more hits are requested if a filter has left too few.
_GROWTH = 4
#: Number of items that are read in parallel.
_WINDOW = 64
#: A read extends an item's life only after this share of it has passed; otherwise every read would cause a
#: write.
_REFRESH_AFTER = 0.1


@dataclass(frozen=True)
class _Record:
    """Returns the file of an item."""

    namespace: Namespace
    key: str
    value: dict[str, Any]
    created_at: datetime
    updated_at: datetime
    is_indexed: bool
    ttl: timedelta | None
    expires_at: datetime | None
    etag: str

    def text(self, expires_at: datetime | None) -> str:
        fields: dict[str, Any] = {"value": self.value, "created_at": _iso(self.created_at), "updated_at": _iso(self.updated_at)}
        if not self.is_indexed:
            fields["index"] = False
        if self.ttl is not None and expires_at is not None:
            fields |= {"ttl_seconds": self.ttl.total_seconds(), "expires_at": _iso(expires_at)}
        text = json.dumps(fields, ensure_ascii=False, indent=1, allow_nan=False)
        # a lone surrogate is invalid in UTF-8, but can be escaped
        return text if text.isascii() or _is_utf8(text) else json.dumps(fields, indent=1, allow_nan=False)

    def item(self) -> Item:
        return Item(value=self.value, key=self.key, namespace=self.namespace, created_at=self.created_at, updated_at=self.updated_at)

    def search_item(self, score: float | None) -> SearchItem:
        return SearchItem(self.namespace, self.key, self.value, self.created_at, self.updated_at, score)


class CtxdbStore(BaseStore):
    """Long-term memory in ctxdb.

    A search with a query is the server's: by meaning and by words, over the whole value, without an embedding model of yours.
    ``root`` is the folder of the store; the caller's own ``langgraph/store`` without it.
    """

    supports_ttl = True

    def __init__(self, client: ctxdb.Client, *, root: str | None = None, ttl: TTLConfig | None = None) -> None:
        self._client = client
        self._root = root
        self.ttl_config = ttl

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Reads see the state before the batch; of several puts with the same key the last one wins."""
        given = list(ops)
        puts = {(op.namespace, op.key): op for op in given if isinstance(op, PutOp)}
        for op in puts.values():
            if op.value is not None:
                json.dumps(op.value, allow_nan=False)  # raises before anything is written
        results = in_parallel(self._answer, given)
        in_parallel(self._put, puts.values())
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        return await asyncio.to_thread(self.batch, list(ops))

    def sweep_ttl(self) -> int:
        """Deletes expired items and returns their number. Reads skip expired items even if this is never called."""
        expired = [record for uris in _windows(self._files(())) for record in self._read_all(uris) if _is_over(record)]
        return sum(in_parallel(lambda record: self._remove_unchanged(record), expired))

    def _answer(self, op: Op) -> Result:
        if isinstance(op, GetOp):
            return self._get(op)
        if isinstance(op, SearchOp):
            return self._search(op)
        if isinstance(op, ListNamespacesOp):
            return self._list_namespaces(op)
        if isinstance(op, PutOp):
            return None
        raise ValueError(f"Unknown operation type: {type(op)}")

    def _get(self, op: GetOp) -> Item | None:
        record = self._read(self._uri(op.namespace, op.key))
        if record is None or _is_over(record):
            return None
        if op.refresh_ttl:
            self._refresh(record)
        return record.item()

    def _put(self, op: PutOp) -> None:
        uri = self._uri(op.namespace, op.key)
        if op.value is None:
            remove(self._client, uri)
            return
        before = self._read(uri)
        now = datetime.now(timezone.utc)
        ttl = None if op.ttl is None else timedelta(minutes=op.ttl)
        created = now if before is None or _is_over(before) else before.created_at
        record = _Record(op.namespace, op.key, dict(op.value), created, now, op.index is not False, ttl, None, "")
        text = record.text(None if ttl is None else now + ttl)
        change_text(self._client, uri, lambda: (text, None))

    def _search(self, op: SearchOp) -> list[SearchItem]:
        count = op.offset + op.limit
        if op.query:
            # a larger request may include better hits that a smaller one left out, such as repetitions
            ordered = sorted(islice(self._found(op), count), key=lambda pair: -pair[1])
            chosen: list[tuple[_Record, float | None]] = [*ordered[op.offset :]]
        else:
            chosen = [(record, None) for record in islice(self._listed(op), op.offset, count)]
        if op.refresh_ttl:
            in_parallel(lambda pair: self._refresh(pair[0]), chosen)
        return [record.search_item(score) for record, score in chosen]

    def _listed(self, op: SearchOp) -> Iterator[_Record]:
        """Returns the items below a namespace, last written first."""
        for uris in _windows(self._files(op.namespace_prefix)):
            yield from (record for record in self._read_all(uris) if _is_wanted(record, op))

    def _found(self, op: SearchOp) -> Iterator[tuple[_Record, float]]:
        """Yields the items below a namespace that the server finds; requests more if few match."""
        seen: set[str] = set()
        limit = min(_MAX_HITS, op.offset + op.limit)
        while limit > 0:
            answer = self._client.search.find(
                op.query or "", target_uri=self._folder(op.namespace_prefix), limit=limit, filter={"level": 2}
            )
            hits = sorted((*answer.memories, *answer.resources, *answer.skills), key=lambda hit: (-hit.score, hit.uri))
            scores = {hit.uri: hit.score for hit in hits if hit.uri not in seen}
            seen.update(scores)
            for uris in _windows(iter(scores)):
                for uri, record in zip(uris, in_parallel(self._read, uris), strict=True):
                    if record is not None and record.is_indexed and _is_wanted(record, op):
                        yield record, scores[uri]
            if len(hits) < limit or limit == _MAX_HITS:
                return
            limit = min(_MAX_HITS, limit * _GROWTH)

    def _list_namespaces(self, op: ListNamespacesOp) -> list[Namespace]:
        conditions = op.match_conditions or ()
        names = {place[0] for uri in self._files(_common_prefix(conditions)) if (place := self._place(uri)) is not None}
        fitting = (name for name in names if all(_fits(condition, name) for condition in conditions))
        return sorted({name[: op.max_depth] for name in fitting})[op.offset : op.offset + op.limit]

    def _files(self, namespace: Namespace) -> Iterator[str]:
        """Returns the files of the items below a namespace, last written first."""
        try:
            entries = [entry for entry in self._client.fs.tree_all(self._folder(namespace), level_limit=0) if not entry.is_dir]
        except ctxdb.NotFound:
            return
        entries.sort(key=lambda entry: (-(entry.mtime or 0), entry.uri))
        yield from (entry.uri for entry in entries)

    def _read_all(self, uris: Sequence[str]) -> list[_Record]:
        return [record for record in in_parallel(self._read, uris) if record is not None]

    def _read(self, uri: str) -> _Record | None:
        place = self._place(uri)
        content = None if place is None else download(self._client, uri)
        return None if place is None or content is None else _to_record(*place, content)

    def _refresh(self, record: _Record) -> None:
        """Extends an item's life; a concurrent write wins."""
        now = datetime.now(timezone.utc)
        if record.ttl is None or record.expires_at is None or record.expires_at - now > record.ttl * (1 - _REFRESH_AFTER):
            return
        try:
            self._client.content.write(self._uri(record.namespace, record.key), record.text(now + record.ttl), if_match=record.etag)
        except (ctxdb.FailedPrecondition, ctxdb.NotFound):
            return

    def _remove_unchanged(self, record: _Record) -> bool:
        uri = self._uri(record.namespace, record.key)
        now = self._read(uri)
        return now is not None and now.etag == record.etag and remove(self._client, uri)

    def _folder(self, namespace: Namespace) -> str:
        if self._root is None:
            self._root = own_folder(self._client, "langgraph", "store")
        return "/".join((self._root, *map(key_path, namespace)))

    def _uri(self, namespace: Namespace, key: str) -> str:
        return f"{self._folder(namespace)}/{key_path(str(key))}{_SUFFIX}"

    def _place(self, uri: str) -> tuple[Namespace, str] | None:
        """Returns the namespace and key of an item's file, or None for any other file."""
        left = below(uri, self._folder(()), _SUFFIX)
        keys: list[str] = []
        while left:
            taken = take_key(left)
            if taken is None:
                return None
            keys.append(taken[0])
            left = left[taken[1] :]
        return (tuple(keys[:-1]), keys[-1]) if keys else None


def _to_record(namespace: Namespace, key: str, content: bytes) -> _Record | None:
    """Returns None for a file that the store did not write."""
    try:
        fields = json.loads(content)
        value, created, updated = fields["value"], fields["created_at"], fields["updated_at"]
        ttl, expires = fields.get("ttl_seconds"), fields.get("expires_at")
        return _Record(
            namespace,
            key,
            dict(value),
            datetime.fromisoformat(created),
            datetime.fromisoformat(updated),
            fields.get("index") is not False,
            None if ttl is None else timedelta(seconds=ttl),
            None if expires is None else datetime.fromisoformat(expires),
            etag_of(content),
        )
    except (ValueError, TypeError, KeyError):
        return None


def _is_wanted(record: _Record, op: SearchOp) -> bool:
    return not _is_over(record) and matches(record.value, op.filter)


def _is_over(record: _Record) -> bool:
    return record.expires_at is not None and record.expires_at <= datetime.now(timezone.utc)


def _common_prefix(conditions: Sequence[MatchCondition]) -> Namespace:
    """Returns the labels with which every matching namespace begins, so that no other folder is listed."""
    for condition in conditions:
        if condition.match_type == "prefix" and "*" not in condition.path:
            return tuple(condition.path)
    return ()


def _fits(condition: MatchCondition, namespace: Namespace) -> bool:
    path = condition.path
    if condition.match_type not in ("prefix", "suffix"):
        raise ValueError(f"Unsupported match type: {condition.match_type}")
    if len(namespace) < len(path):
        return False
    part = namespace[: len(path)] if condition.match_type == "prefix" else namespace[len(namespace) - len(path) :]
    return all(wanted in ("*", label) for wanted, label in zip(path, part, strict=True))


def _windows(uris: Iterator[str]) -> Iterator[list[str]]:
    while window := list(islice(uris, _WINDOW)):
        yield window


def _iso(time: datetime) -> str:
    return time.isoformat()


def _is_utf8(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
