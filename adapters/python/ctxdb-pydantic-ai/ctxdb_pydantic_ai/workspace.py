"""A workspace of Pydantic AI whose files are nodes of ctxdb."""

from __future__ import annotations

import asyncio
import base64
import errno
import posixpath
import threading
import uuid
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, TypeVar

import ctxdb
from ctxdb_records import download, own_folder, put_text, remove
from pydantic_ai.workspaces import (
    FileEntry,
    SupportsFilesystem,
    SupportsRealpath,
    WorkspaceBackend,
    WorkspaceRef,
    WorkspaceUnavailableError,
)

PROVIDER = "ctxdb"
#: Where an agent finds its files.
_WORKING_DIR = "/workspace"
#: First bytes of a file that is long or not a text: base64 follows. The server neither parses nor searches a file that begins with NUL.
_ENCODED = "\0base64\n"

#: Files that the server writes into every folder.
_LAYERS = (".abstract.md", ".overview.md", ".relations.json")
#: Bytes that are written as text in one call, which takes at most 4 MiB; and characters of one call for longer files.
_PIECE = 1_000_000

M = TypeVar("M", bound=Callable[..., Any])


def _with_os_errors(method: M) -> M:
    """Raises the server's refusals as OSError, which an agent's tools show; outages stay errors of ctxdb."""

    @wraps(method)
    def call(self: _Folder, path: str, *args: Any) -> Any:
        try:
            return method(self, path, *args)
        except ctxdb.NotFound as error:
            raise FileNotFoundError(errno.ENOENT, error.message, path) from error
        except ctxdb.PermissionDenied as error:
            raise PermissionError(errno.EACCES, error.message, path) from error
        except ctxdb.ResourceExhausted as error:
            raise OSError(errno.EDQUOT, error.message, path) from error
        except (ctxdb.InvalidArgument, ctxdb.FailedPrecondition) as error:
            raise OSError(errno.EINVAL, error.message, path) from error

    return call  # type: ignore[return-value]


class CtxdbWorkspaceBackend(WorkspaceBackend, SupportsFilesystem, SupportsRealpath):
    """Files of an agent in a folder of ctxdb; it runs no commands.

    The first operation makes a new folder below ``parent``, without it the caller's own ``ctx://user/<user>/workspaces``. With a ``ref``
    of an earlier run the same files are there again; WorkspaceUnavailableError where its folder is gone.

    Texts of up to 1 MB are stored as they are: searches and recall find what an agent wrote down. Longer ones and other bytes are
    stored in base64, and not searched; up to 12 MB.
    """

    def __init__(self, client: ctxdb.Client, *, ref: WorkspaceRef | None = None, parent: str | None = None) -> None:
        if ref is not None and ref.provider != PROVIDER:
            raise ValueError(f"the workspace is of the provider {ref.provider!r}, not of {PROVIDER!r}")
        self._folder = _Folder(client, ref, parent)

    @property
    def ref(self) -> WorkspaceRef | None:
        """The URI of the folder; None until a new one is created."""
        return self._folder.ref

    async def working_dir(self) -> str:
        await asyncio.to_thread(self._folder.root)
        return _WORKING_DIR

    async def read_bytes(self, path: str) -> bytes:
        return await asyncio.to_thread(self._folder.read, path)

    async def write_bytes(self, path: str, data: bytes) -> None:
        await asyncio.to_thread(self._folder.write, path, data)

    async def stat(self, path: str) -> FileEntry:
        return await asyncio.to_thread(self._folder.stat, path)

    async def list_dir(self, path: str) -> Sequence[FileEntry]:
        return await asyncio.to_thread(self._folder.list, path)

    async def make_dir(self, path: str) -> None:
        await asyncio.to_thread(self._folder.make_dir, path)

    async def remove(self, path: str) -> None:
        await asyncio.to_thread(self._folder.remove, path)

    async def exists(self, path: str) -> bool:
        try:
            await self.stat(path)
            return True
        except (FileNotFoundError, NotADirectoryError):
            return False

    async def realpath(self, path: str) -> str:
        """The path itself, normalised: ctxdb has no links."""
        return posixpath.normpath(path)


class _Folder:
    """The folder of one workspace, with blocking calls."""

    def __init__(self, client: ctxdb.Client, ref: WorkspaceRef | None, parent: str | None) -> None:
        self.ref = ref
        self._client = client
        self._parent = parent
        self._is_open = False
        self._opening = threading.Lock()

    def root(self) -> str:
        """URI of the folder, which the first call creates or looks up."""
        with self._opening:
            if self.ref is None:
                uri = f"{self._parent or own_folder(self._client, 'workspaces')}/{uuid.uuid4().hex}"
                self._client.fs.mkdir(uri)
                self.ref = WorkspaceRef(provider=PROVIDER, id=uri)
                self._is_open = True
            elif not self._is_open:
                if (node := self._node(self.ref.id)) is None or not node.isDir:
                    raise WorkspaceUnavailableError(f"the folder {self.ref.id} of the workspace does not exist")
                self._is_open = True
            return self.ref.id

    @_with_os_errors
    def read(self, path: str) -> bytes:
        uri = self._uri(path)
        if self._existing(uri, path).isDir:
            raise IsADirectoryError(errno.EISDIR, "is a directory", path)
        content = download(self._client, uri)
        if content is None:
            raise FileNotFoundError(errno.ENOENT, "no such file", path)
        encoded = _ENCODED.encode()
        return base64.b64decode(content.removeprefix(encoded)) if content.startswith(encoded) else content

    @_with_os_errors
    def write(self, path: str, data: bytes) -> None:
        uri = self._uri(path)
        node = self._node(uri)
        if node is not None and node.isDir:
            raise IsADirectoryError(errno.EISDIR, "is a directory", path)
        if node is None:
            self._check_parents(path)
        text = _to_text(data)
        if len(text) <= _PIECE:
            put_text(self._client, uri, text)
        else:
            self._write_pieces(uri, text)

    def _write_pieces(self, uri: str, text: str) -> None:
        """Writes more than one call takes, beside the file, which gets the content in one step at the end."""
        part = f"{posixpath.dirname(uri)}/.{uuid.uuid4().hex}.part"
        try:
            self._client.content.write(part, text[:_PIECE], mode="create")
            for at in range(_PIECE, len(text), _PIECE):
                self._client.content.write(part, text[at : at + _PIECE], mode="append")
            self._client.fs.mv(part, uri)
        except BaseException:
            remove(self._client, part)
            raise

    @_with_os_errors
    def stat(self, path: str) -> FileEntry:
        node = self._existing(self._uri(path), path)
        return _entry(path, node.isDir)

    @_with_os_errors
    def list(self, path: str) -> Sequence[FileEntry]:
        uri = self._uri(path)
        if not self._existing(uri, path).isDir:
            raise NotADirectoryError(errno.ENOTDIR, "is not a directory", path)
        entries = list(self._client.fs.ls_all(uri, show_all_hidden=True))
        stems = {posixpath.splitext(entry.name)[0] for entry in entries if not entry.is_dir}
        # layers are files that only the server writes, and the sections of a document are a folder of its name
        return [
            _entry(posixpath.join(path, entry.name), entry.is_dir)
            for entry in entries
            if entry.name not in _LAYERS and not (entry.is_dir and entry.name in stems and self._node(entry.uri) is None)
        ]

    @_with_os_errors
    def make_dir(self, path: str) -> None:
        uri = self._uri(path)
        node = self._node(uri)
        if node is None:
            self._check_parents(path)
            try:
                self._client.fs.mkdir(uri)
            except ctxdb.AlreadyExists:
                node = self._node(uri)
        if node is not None and not node.isDir:
            raise FileExistsError(errno.EEXIST, "is a file", path)

    @_with_os_errors
    def remove(self, path: str) -> None:
        if posixpath.normpath(path) in (_WORKING_DIR, "/"):
            raise ValueError(f"{path} is the working directory or holds it; it cannot be removed")
        uri = self._uri(path)
        self._existing(uri, path)
        self._client.fs.rm(uri, recursive=True)

    def _uri(self, path: str) -> str:
        normal = posixpath.normpath(path)
        if not f"{normal}/".startswith(f"{_WORKING_DIR}/"):
            raise FileNotFoundError(errno.ENOENT, f"the workspace holds {_WORKING_DIR} alone", path)
        return self.root() + normal.removeprefix(_WORKING_DIR)

    def _existing(self, uri: str, path: str) -> Any:
        node = self._node(uri)
        if node is None:
            raise FileNotFoundError(errno.ENOENT, "no such file or directory", path)
        return node

    def _node(self, uri: str) -> Any:
        """Returns the node at a URI, or None if there is none or the server derived it from a document."""
        try:
            node = self._client.fs.stat(uri)
        except ctxdb.NotFound:
            return None
        return None if node.source else node

    def _check_parents(self, path: str) -> None:
        parent = posixpath.dirname(posixpath.normpath(path))
        while len(parent) > len(_WORKING_DIR):
            node = self._node(self._uri(parent))
            if node is not None:
                if node.isDir:
                    return
                raise NotADirectoryError(errno.ENOTDIR, f"{parent} is not a directory", path)
            parent = posixpath.dirname(parent)


def _entry(path: str, is_dir: bool) -> FileEntry:
    # the size of a node is that of its stored text, which is larger for bytes in base64
    return FileEntry(name=posixpath.basename(posixpath.normpath(path)), path=path, is_dir=is_dir, size=None)


def _to_text(data: bytes) -> str:
    if len(data) <= _PIECE and not data.startswith(b"\0"):
        try:
            return data.decode()
        except UnicodeDecodeError:
            pass
    return _ENCODED + base64.b64encode(data).decode()
