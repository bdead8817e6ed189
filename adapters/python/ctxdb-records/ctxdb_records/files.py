"""Values in files, with the operations that frameworks expect of a store: upserts, compare and swap, None for
missing values.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import ctxdb

A = TypeVar("A")
B = TypeVar("B")
#: How often a change is retried after others have changed the same file.
MAX_ATTEMPTS = 50
#: Maximum number of parallel calls of one operation.
PARALLEL_CALLS = 8
#: The server treats a file that begins with NUL as binary: it neither parses nor embeds the content.
_BINARY = "\0"


def own_folder(client: ctxdb.Client, *names: str) -> str:
    """Returns a folder in the caller's own space, which nobody else can read and which searches and recall cover."""
    return "/".join((f"ctx://user/{client.system.status().user}", *names))


def quiet_folder(client: ctxdb.Client, agent: str, *names: str) -> str:
    """A folder of the caller in the space of an agent, which the searches of other agents leave out.

    The user is in its path, so that users stay apart where the server shares agent spaces (``CTXDB_AGENT_SCOPE=account``).
    """
    return "/".join((f"ctx://agent/{agent}", client.system.status().user, *names))


def in_parallel(act: Callable[[A], B], items: Iterable[A]) -> list[B]:
    """Processes all items, a few in parallel; returns the results in the order of the items. Raises the first error."""
    given = list(items)
    if len(given) < 2:
        return [act(item) for item in given]
    with ThreadPoolExecutor(min(len(given), PARALLEL_CALLS)) as pool:
        return list(pool.map(act, given))


def download(client: ctxdb.Client, uri: str) -> bytes | None:
    """Returns a file of any size, or None if it does not exist."""
    try:
        with client.content.download(uri) as pieces:
            return b"".join(pieces)
    except ctxdb.NotFound:
        return None


def read_text(client: ctxdb.Client, uri: str) -> ctxdb.Text | None:
    """Returns a file as text with its ``etag``, or None if it does not exist. For a file too large for one
    response, see :func:`download`.
    """
    try:
        return client.content.read(uri)
    except ctxdb.NotFound:
        return None


def put_text(client: ctxdb.Client, uri: str, text: str) -> None:
    """Writes a file, whether or not it exists."""
    change_text(client, uri, lambda: (text, None))


def change_text(client: ctxdb.Client, uri: str, make: Callable[[], tuple[str, str | None]]) -> None:
    """Writes the text from ``make``, based on ``etag``; calls ``make`` again after a concurrent change, at most MAX_ATTEMPTS times.

    Without an ``etag``, overwrites or creates the file.
    """
    for _ in range(MAX_ATTEMPTS):
        text, etag = make()
        try:
            client.content.write(uri, text, mode="replace", if_match=etag)
            return
        except ctxdb.FailedPrecondition:
            if etag is None:
                raise
        except ctxdb.NotFound:
            if etag is None and _create(client, uri, text):
                return
    raise ctxdb.FailedPrecondition("FAILED_PRECONDITION", f"{uri} was changed by others {MAX_ATTEMPTS} times in a row")


def _create(client: ctxdb.Client, uri: str, text: str) -> bool:
    try:
        client.content.write(uri, text, mode="create")
        return True
    except ctxdb.AlreadyExists:
        return False


def remove(client: ctxdb.Client, uri: str) -> bool:
    """Removes a file, or a folder with everything in it; returns False if there was none."""
    try:
        client.fs.rm(uri, recursive=True)
        return True
    except ctxdb.NotFound:
        return False


def swap_value(client: ctxdb.Client, uri: str, value: Any, etag: str) -> bool:
    """Replaces the content with this ``etag`` by a JSON value; returns False if the content has changed."""
    try:
        client.content.write(uri, _to_text(value), mode="replace", if_match=etag)
        return True
    except (ctxdb.FailedPrecondition, ctxdb.NotFound):
        return False


def update_value(client: ctxdb.Client, uri: str, change: Callable[[Any], Any]) -> Any:
    """Applies ``change`` to a JSON value (None if missing) and writes the result; repeats this after a
    concurrent change. Returns the written value.
    """
    for _ in range(MAX_ATTEMPTS):
        content = download(client, uri)
        value = change(None if content is None else to_value(content))
        if _create(client, uri, _to_text(value)) if content is None else swap_value(client, uri, value, etag_of(content)):
            return value
    raise ctxdb.FailedPrecondition("FAILED_PRECONDITION", f"{uri} was changed by others {MAX_ATTEMPTS} times in a row")


def etag_of(content: bytes) -> str:
    """Computes the server's ``etag`` of a content, for files that can only be downloaded."""
    return hashlib.sha256(content).hexdigest()


def write_value(client: ctxdb.Client, uri: str, value: Any, *, if_absent: bool = False) -> bool:
    """Writes a JSON value, the content of which is not indexed; with ``if_absent`` only where nothing is, and whether it was written."""
    text = _to_text(value)
    if if_absent:
        return _create(client, uri, text)
    put_text(client, uri, text)
    return True


def read_value(client: ctxdb.Client, uri: str) -> Any:
    """Returns a value written by :func:`write_value`, or None if there is none."""
    content = download(client, uri)
    return None if content is None else to_value(content)


def to_value(content: bytes) -> Any:
    """Parses the content of a file written by :func:`write_value`."""
    return json.loads(content.removeprefix(_BINARY.encode()))


def _to_text(value: Any) -> str:
    return _BINARY + json.dumps(value, separators=(",", ":"), allow_nan=False)
