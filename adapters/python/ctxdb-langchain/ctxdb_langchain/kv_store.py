"""Stores bytes by key: documents of a parent retriever, or a cache of embeddings."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence

import ctxdb
from ctxdb_records import below, in_parallel, key_path, quiet_folder, read_value, remove, take_key, write_value
from langchain_core.stores import ByteStore

_SUFFIX = ".bin"


class CtxdbByteStore(ByteStore):
    """Stores one file per key in the folder ``root`` (default: the caller's part of the agent space
    ``langchain``). The files are not searchable.
    """

    def __init__(self, client: ctxdb.Client, namespace: str = "store", *, root: str | None = None) -> None:
        self._client = client
        self._namespace = namespace
        self._root = root

    def mget(self, keys: Sequence[str]) -> list[bytes | None]:
        return in_parallel(self._read, keys)

    def mset(self, key_value_pairs: Sequence[tuple[str, bytes]]) -> None:
        in_parallel(self._write, dict(key_value_pairs).items())

    def mdelete(self, keys: Sequence[str]) -> None:
        in_parallel(lambda key: remove(self._client, self._uri(key)), set(keys))

    def yield_keys(self, *, prefix: str | None = None) -> Iterator[str]:
        folder = self._folder()
        try:
            for entry in self._client.fs.tree_all(folder, level_limit=0):
                taken = take_key(below(entry.uri, folder, _SUFFIX))
                if not entry.is_dir and taken is not None and taken[0].startswith(prefix or ""):
                    yield taken[0]
        except ctxdb.NotFound:
            return

    def _read(self, key: str) -> bytes | None:
        saved = read_value(self._client, self._uri(key))
        return None if saved is None else base64.b64decode(saved)

    def _write(self, pair: tuple[str, bytes]) -> None:
        write_value(self._client, self._uri(pair[0]), base64.b64encode(pair[1]).decode("ascii"))

    def _folder(self) -> str:
        if self._root is None:
            self._root = quiet_folder(self._client, "langchain", "store", key_path(self._namespace))
        return self._root

    def _uri(self, key: str) -> str:
        return f"{self._folder()}/{key_path(key)}{_SUFFIX}"
