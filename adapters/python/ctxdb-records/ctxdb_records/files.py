"""Values in files, with what a framework expects of a store: upserts, compare and swap, absence as None."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import ctxdb

A = TypeVar("A")
B = TypeVar("B")
#: How often a change is tried anew after others have changed the same file.
MAX_ATTEMPTS = 50
#: Calls under way at once on behalf of one operation.
PARALLEL_CALLS = 8
#: A file that begins with NUL is binary to the server: its content is neither parsed nor embedded.
_BINARY = "\0"


def own_folder(client: ctxdb.Client, *names: str) -> str:
    """A folder in the caller's own space, where nobody else reads, and which searches and recall cover."""
    return "/".join((f"ctx://user/{client.system.status().user}", *names))


def quiet_folder(client: ctxdb.Client, agent: str, *names: str) -> str:
    """A folder of the caller in the space of an agent, which the searches of other agents leave out.

    The user is in its path, so that users stay apart where the server shares agent spaces (``CTXDB_AGENT_SCOPE=account``).
    """
    return "/".join((f"ctx://agent/{agent}", client.system.status().user, *names))


def in_parallel(act: Callable[[A], B], items: Iterable[A]) -> list[B]:
    """Acts on every item, a few at once; the results in the order of the items. The first error is raised."""
    given = list(items)
    if len(given) < 2:
        return [act(item) for item in given]
    with ThreadPoolExecutor(min(len(given), PARALLEL_CALLS)) as pool:
        return list(pool.map(act, given))


def download(client: ctxdb.Client, uri: str) -> bytes | None:
    """A file of any size; None where there is none."""
    try:
        with client.content.download(uri) as pieces:
            return b"".join(pieces)
    except ctxdb.NotFound:
        return None


def read_text(client: ctxdb.Client, uri: str) -> ctxdb.Text | None:
    """A file as text with its ``etag``; None where there is none. Of a file too large for one answer, see :func:`download`."""
    try:
        return client.content.read(uri)
    except ctxdb.NotFound:
        return None


def put_text(client: ctxdb.Client, uri: str, text: str) -> None:
    """Writes a file whether or not it is there."""
    change_text(client, uri, lambda: (text, None))


def change_text(client: ctxdb.Client, uri: str, make: Callable[[], tuple[str, str | None]]) -> None:
    """Writes what ``make`` gives, a text and the ``etag`` it was made from, until nobody has come in between.

    Without an ``etag`` the file is written whatever it holds, and created where it is missing.
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
    """Removes a file, or a folder with all that it holds; whether there was one."""
    try:
        client.fs.rm(uri, recursive=True)
        return True
    except ctxdb.NotFound:
        return False


def swap_value(client: ctxdb.Client, uri: str, value: Any, etag: str) -> bool:
    """Writes a JSON value over the content with this ``etag``; False where it is not there any more."""
    try:
        client.content.write(uri, _to_text(value), mode="replace", if_match=etag)
        return True
    except (ctxdb.FailedPrecondition, ctxdb.NotFound):
        return False


def update_value(client: ctxdb.Client, uri: str, change: Callable[[Any], Any]) -> Any:
    """Writes what ``change`` makes of a JSON value, None where nothing is, until nobody has come in between; what was written."""
    for _ in range(MAX_ATTEMPTS):
        content = download(client, uri)
        value = change(None if content is None else to_value(content))
        if _create(client, uri, _to_text(value)) if content is None else swap_value(client, uri, value, etag_of(content)):
            return value
    raise ctxdb.FailedPrecondition("FAILED_PRECONDITION", f"{uri} was changed by others {MAX_ATTEMPTS} times in a row")


def etag_of(content: bytes) -> str:
    """The server's ``etag`` of a content, for files that only come as downloads."""
    return hashlib.sha256(content).hexdigest()


def write_value(client: ctxdb.Client, uri: str, value: Any, *, if_absent: bool = False) -> bool:
    """Writes a JSON value, the content of which is not indexed; with ``if_absent`` only where nothing is, and whether it was written."""
    text = _to_text(value)
    if if_absent:
        return _create(client, uri, text)
    put_text(client, uri, text)
    return True


def read_value(client: ctxdb.Client, uri: str) -> Any:
    """What :func:`write_value` wrote; None where nothing is."""
    content = download(client, uri)
    return None if content is None else to_value(content)


def to_value(content: bytes) -> Any:
    """The value in the content of a file that :func:`write_value` wrote."""
    return json.loads(content.removeprefix(_BINARY.encode()))


def _to_text(value: Any) -> str:
    return _BINARY + json.dumps(value, separators=(",", ":"), allow_nan=False)
