"""LangGraph's checkpointer: one file per checkpoint and one per pending write."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import ctxdb
from ctxdb_records import (
    below,
    from_newest_first,
    in_parallel,
    key_path,
    newest_first,
    quiet_folder,
    read_value,
    remove,
    take_key,
    write_value,
)
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    WRITES_IDX_MAP,
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    PendingWrite,
    get_checkpoint_id,
    get_checkpoint_metadata,
)
from langgraph.checkpoint.serde.base import SerializerProtocol
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

_CHECKPOINTS = "checkpoints"
_WRITES = "writes"
_SUFFIX = ".bin"
#: Number of checkpoints that are read in parallel.
_WINDOW = 8
#: Offset that turns the negative indexes of special channels into sortable names.
_INDEX_OFFSET = 1000


@dataclass(frozen=True)
class _Place:
    """Identifies a checkpoint."""

    thread: str
    namespace: str
    id: str

    @property
    def config(self) -> RunnableConfig:
        return {"configurable": {"thread_id": self.thread, "checkpoint_ns": self.namespace, "checkpoint_id": self.id}}


class CtxdbSaver(BaseCheckpointSaver[int]):
    """Threads in ctxdb, with all eight capabilities of a checkpointer, blocking and for asyncio.

    ``root`` is the folder of the threads. Without it they are in the caller's part of the agent space ``langgraph``, which searches
    of other agents leave out.

    Whoever may write there decides what is read back. By default only types that LangGraph knows to be safe
    are restored; others become plain data, with a warning. For your own types, pass
    ``serde=JsonPlusSerializer(allowed_msgpack_modules=[...])``.
    """

    def __init__(self, client: ctxdb.Client, *, root: str | None = None, serde: SerializerProtocol | None = None) -> None:
        # LangGraph's default calls any function that a stored checkpoint names
        super().__init__(serde=serde or JsonPlusSerializer(allowed_msgpack_modules=None))
        self._client = client
        self._root = root

    def get_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        thread, namespace = _thread(config), _namespace(config) or ""
        id = get_checkpoint_id(config) or self._latest(thread, namespace)
        return None if id is None else self._load(_Place(thread, namespace, id))

    def list(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> Iterator[CheckpointTuple]:
        """Yields newest first, by thread and namespace."""
        places = self._places(config, before)
        found = (tuple_ for window in _windows(places) for tuple_ in in_parallel(self._load, window))
        wanted = (
            tuple_
            for tuple_ in found
            if tuple_ is not None and all(tuple_.metadata.get(key) == value for key, value in (filter or {}).items())
        )
        return islice(wanted, None if limit is None else max(0, limit))

    def put(
        self, config: RunnableConfig, checkpoint: Checkpoint, metadata: CheckpointMetadata, new_versions: ChannelVersions
    ) -> RunnableConfig:
        place = _Place(_thread(config), _namespace(config) or "", checkpoint["id"])
        value = {
            "checkpoint": self._dump(checkpoint),
            "metadata": self._dump(get_checkpoint_metadata(config, metadata)),
            "parent": config["configurable"].get("checkpoint_id"),
        }
        write_value(self._client, self._checkpoint_uri(place), value)
        return place.config

    def put_writes(self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = "") -> None:
        place = _Place(_thread(config), _namespace(config) or "", config["configurable"]["checkpoint_id"])
        folder = f"{self._writes_uri(place)}/{key_path(task_id)}"

        def write(numbered: tuple[int, tuple[str, Any]]) -> None:
            index, (channel, value) = numbered
            index = WRITES_IDX_MAP.get(channel, index)
            fields = {"task": task_id, "path": task_path, "index": index, "channel": channel, "value": self._dump(value)}
            # a task that runs again repeats its writes: the first ones win, except for errors and interrupts
            write_value(self._client, f"{folder}/{index + _INDEX_OFFSET:06}{_SUFFIX}", fields, if_absent=index >= 0)

        in_parallel(write, enumerate(writes))

    def delete_thread(self, thread_id: str) -> None:
        remove(self._client, self._folder(thread_id))

    def delete_for_runs(self, run_ids: Sequence[str]) -> None:
        runs = set(run_ids)
        for tuple_ in self.list(None) if runs else ():
            if tuple_.metadata.get("run_id") in runs:
                self._delete(_place(tuple_.config))

    def copy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        source, target = self._folder(source_thread_id), self._folder(target_thread_id)
        try:
            # writes are copied before their checkpoints, so that no checkpoint is visible without them
            uris = sorted(self._client.search.glob_all(f"**/*{_SUFFIX}", uri=source), key=lambda uri: f"/{_CHECKPOINTS}/" in uri)
        except ctxdb.NotFound:
            return

        def copy(uri: str) -> None:
            write_value(self._client, "/".join((target, *below(uri, source))), read_value(self._client, uri))

        for window in _windows(iter(uris)):
            in_parallel(copy, window)

    def prune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """Deletes old checkpoints, but keeps those from which the latest one is rebuilt in graphs with delta channels."""
        if strategy == "delete":
            in_parallel(self.delete_thread, thread_ids)
            return
        if strategy != "keep_latest":
            raise ValueError(f"{strategy!r} is not a strategy: use 'keep_latest' or 'delete'")
        for thread in thread_ids:
            places = list(self._places({"configurable": {"thread_id": thread}}, None))
            latest: dict[str, _Place] = {}
            for place in places:
                latest.setdefault(place.namespace, place)
            kept = {place for head in latest.values() for place in self._needed(head)}
            in_parallel(self._delete, (place for place in places if place not in kept))

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        return await asyncio.to_thread(self.get_tuple, config)

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        found = self.list(config, filter=filter, before=before, limit=limit)
        while (tuple_ := await asyncio.to_thread(next, found, None)) is not None:
            yield tuple_

    async def aput(
        self, config: RunnableConfig, checkpoint: Checkpoint, metadata: CheckpointMetadata, new_versions: ChannelVersions
    ) -> RunnableConfig:
        return await asyncio.to_thread(self.put, config, checkpoint, metadata, new_versions)

    async def aput_writes(self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = "") -> None:
        await asyncio.to_thread(self.put_writes, config, writes, task_id, task_path)

    async def adelete_thread(self, thread_id: str) -> None:
        await asyncio.to_thread(self.delete_thread, thread_id)

    async def adelete_for_runs(self, run_ids: Sequence[str]) -> None:
        await asyncio.to_thread(self.delete_for_runs, run_ids)

    async def acopy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        await asyncio.to_thread(self.copy_thread, source_thread_id, target_thread_id)

    async def aprune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        await asyncio.to_thread(lambda: self.prune(thread_ids, strategy=strategy))

    def _load(self, place: _Place) -> CheckpointTuple | None:
        saved = read_value(self._client, self._checkpoint_uri(place))
        if saved is None:
            return None
        parent = saved["parent"]
        return CheckpointTuple(
            config=place.config,
            checkpoint=self._restore(saved["checkpoint"]),
            metadata=self._restore(saved["metadata"]),
            parent_config=_Place(place.thread, place.namespace, parent).config if parent else None,
            pending_writes=[*self._pending(place)],
        )

    def _pending(self, place: _Place) -> Sequence[PendingWrite]:
        """Sorted in the order in which a run applies them: by path of the task, task and index."""
        try:
            entries = list(self._client.fs.tree_all(self._writes_uri(place), level_limit=0))
        except ctxdb.NotFound:
            return []
        uris = [entry.uri for entry in entries if not entry.is_dir]
        saved = [write for write in in_parallel(lambda uri: read_value(self._client, uri), uris) if write is not None]
        saved.sort(key=lambda write: (write["path"], write["task"], write["index"]))
        return [(write["task"], write["channel"], self._restore(write["value"])) for write in saved]

    def _needed(self, head: _Place) -> Iterator[_Place]:
        """Returns a checkpoint and its ancestors, back to the values from which its delta channels are rebuilt."""
        place: _Place | None = head
        missing: set[str] | None = None
        while place is not None and (missing is None or missing):
            tuple_ = self._load(place)
            if tuple_ is None:
                return
            yield place
            if missing is None:
                missing = set(tuple_.metadata.get("counters_since_delta_snapshot") or ())
            missing -= set(tuple_.checkpoint["channel_values"])
            place = None if tuple_.parent_config is None else _place(tuple_.parent_config)

    def _latest(self, thread: str, namespace: str) -> str | None:
        try:
            folder = f"{self._folder(thread, namespace)}/{_CHECKPOINTS}"
            entry = next(self._client.fs.ls_all(folder, node_limit=1), None)
        except ctxdb.NotFound:
            return None
        return None if entry is None else from_newest_first(entry.name.removesuffix(_SUFFIX))

    def _places(self, config: RunnableConfig | None, before: RunnableConfig | None) -> Iterator[_Place]:
        """Yields the locations of checkpoints, newest first in each namespace."""
        keys = () if config is None else (_thread(config),)
        namespace = None if config is None else _namespace(config)
        id = None if config is None else get_checkpoint_id(config)
        last = None if before is None else get_checkpoint_id(before)
        folder = self._folder(*keys, *(() if namespace is None else (namespace,)))
        try:
            for uri in self._client.search.glob_all(f"**/{_CHECKPOINTS}/*{_SUFFIX}", uri=folder):
                place = self._place_of(uri)
                if place is not None and id in (None, place.id) and (last is None or place.id < last):
                    yield place
        except ctxdb.NotFound:
            return

    def _place_of(self, uri: str) -> _Place | None:
        segments = below(uri, self._folder())
        keys: list[str] = []
        for _ in ("thread", "namespace"):
            taken = take_key(segments)
            if taken is None:
                return None
            keys.append(taken[0])
            segments = segments[taken[1] :]
        if len(segments) != 2 or segments[0] != _CHECKPOINTS:
            return None
        return _Place(keys[0], keys[1], from_newest_first(segments[1].removesuffix(_SUFFIX)))

    def _delete(self, place: _Place) -> None:
        remove(self._client, self._checkpoint_uri(place))
        remove(self._client, self._writes_uri(place))

    def _folder(self, *keys: str) -> str:
        if self._root is None:
            self._root = quiet_folder(self._client, "langgraph", "threads")
        return "/".join((self._root, *map(key_path, keys)))

    def _checkpoint_uri(self, place: _Place) -> str:
        return f"{self._folder(place.thread, place.namespace)}/{_CHECKPOINTS}/{newest_first(place.id)}{_SUFFIX}"

    def _writes_uri(self, place: _Place) -> str:
        return f"{self._folder(place.thread, place.namespace)}/{_WRITES}/{newest_first(place.id)}"

    def _dump(self, value: Any) -> Sequence[str]:
        kind, content = self.serde.dumps_typed(value)
        return [kind, base64.b64encode(content).decode("ascii")]

    def _restore(self, saved: Sequence[str]) -> Any:
        return self.serde.loads_typed((saved[0], base64.b64decode(saved[1])))


def _thread(config: RunnableConfig) -> str:
    return str(config["configurable"]["thread_id"])


def _namespace(config: RunnableConfig) -> str | None:
    namespace = config["configurable"].get("checkpoint_ns")
    return None if namespace is None else str(namespace)


def _place(config: RunnableConfig) -> _Place:
    return _Place(_thread(config), _namespace(config) or "", str(config["configurable"]["checkpoint_id"]))


def _windows(items: Iterator[Any]) -> Iterator[Sequence[Any]]:
    while window := tuple(islice(items, _WINDOW)):
        yield window
