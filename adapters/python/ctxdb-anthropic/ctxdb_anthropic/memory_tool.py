"""The six commands of Claude's memory tool, with the texts of Anthropic's own file backend."""

from __future__ import annotations

import asyncio
import posixpath
from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any, TypeVar

import ctxdb
from anthropic.lib.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool, ToolError
from anthropic.types.beta import (
    BetaCacheControlEphemeralParam,
    BetaMemoryTool20250818CreateCommand,
    BetaMemoryTool20250818DeleteCommand,
    BetaMemoryTool20250818InsertCommand,
    BetaMemoryTool20250818RenameCommand,
    BetaMemoryTool20250818StrReplaceCommand,
    BetaMemoryTool20250818ViewCommand,
)
from ctxdb_records import change_text, own_folder

_ROOT = "/memories"
_MAX_LINES = 999_999
_NUMBER_WIDTH = len(str(_MAX_LINES))
#: Number of folder levels shown.
_LEVELS = 2
#: Number of lines shown before and after a changed one.
_AROUND = 2

M = TypeVar("M", bound=Callable[..., str])


def _told(method: M) -> M:
    """Turns the server's refusals into results that the model can act on; outages stay exceptions."""

    @wraps(method)
    def call(*args: Any) -> str:
        try:
            return method(*args)
        except (ctxdb.InvalidArgument, ctxdb.FailedPrecondition, ctxdb.ResourceExhausted, ctxdb.PermissionDenied) as error:
            raise ToolError(error.message) from error

    return call  # type: ignore[return-value]


class CtxdbMemoryTool(BetaAbstractMemoryTool):
    """Serves Claude's memory tool from ctxdb.

    ``/memories`` is the folder ``root``; by default the caller's own ``ctx://user/<user>/memories``. Claude sees what it wrote there, and
    what the server has remembered from conversations.
    """

    def __init__(
        self,
        client: ctxdb.Client,
        *,
        root: str | None = None,
        cache_control: BetaCacheControlEphemeralParam | None = None,
    ) -> None:
        super().__init__(cache_control=cache_control)
        self._client = client
        self._root = root

    @_told
    def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        path = command.path
        uri = self._uri(path)
        node = self._stat(uri)
        if node is None and uri != self._uri(_ROOT):
            raise _missing(path)
        if node is None or node.isDir:
            lines = [f"{_size(0)}\t{path}", *self._lines(uri, path, _LEVELS)]
            return f"Here're the files and directories up to 2 levels deep in {path}, excluding hidden items:\n" + "\n".join(lines)
        text = self._read(uri, path).split("\n")
        if len(text) > _MAX_LINES:
            raise ToolError(f"File {path} exceeds maximum line limit of 999,999 lines.")
        first, last = 0, len(text)
        if command.view_range and len(command.view_range) == 2:
            first = max(1, command.view_range[0]) - 1
            last = len(text) if command.view_range[1] == -1 else command.view_range[1]
        return f"Here's the content of {path} with line numbers:\n" + "\n".join(_numbered(text[first:last], first + 1))

    @_told
    def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        uri = self._uri(command.path)
        try:
            self._client.content.write(uri, command.file_text, mode="create")
        except (ctxdb.AlreadyExists, ctxdb.InvalidArgument) as error:
            # the server refuses a path that is a folder
            if isinstance(error, ctxdb.AlreadyExists) or self._stat(uri) is not None:
                raise ToolError(f"File {command.path} already exists") from error
            raise
        return f"File created successfully at: {command.path}"

    @_told
    def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        path, old = command.path, command.old_str
        snippet: list[str] = []

        def replaced(text: str) -> str:
            count = text.count(old)
            if count == 0:
                raise ToolError(f"No replacement was performed, old_str `{old}` did not appear verbatim in {path}.")
            if count > 1:
                lines = ", ".join(str(text.count("\n", 0, at) + 1) for at in _places(text, old))
                raise ToolError(
                    f"No replacement was performed. Multiple occurrences of old_str `{old}` in lines: {lines}. Please ensure it is unique"
                )
            changed = text.count("\n", 0, text.index(old))
            new = text.replace(old, command.new_str)
            first = max(0, changed - _AROUND)
            snippet[:] = _numbered(new.split("\n")[first : changed + _AROUND + 1], first + 1)
            return new

        self._change(path, replaced)
        return "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n" + "\n".join(snippet)

    @_told
    def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        def inserted(text: str) -> str:
            lines = text.split("\n")
            if lines[-1] == "":
                lines.pop()
            at = command.insert_line
            if not 0 <= at <= len(lines):
                raise ToolError(f"Invalid `insert_line` parameter: {at}. It should be within the range [0, {len(lines)}].")
            lines.insert(at, command.insert_text.rstrip("\n"))
            new = "\n".join(lines)
            return new if new.endswith("\n") else f"{new}\n"

        self._change(command.path, inserted)
        return f"The file {command.path} has been edited."

    @_told
    def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        uri = self._uri(command.path)
        if uri == self._uri(_ROOT):
            raise ToolError(f"Cannot delete the {_ROOT} directory itself")
        try:
            self._client.fs.rm(uri, recursive=True)
        except ctxdb.NotFound as error:
            raise ToolError(f"The path {command.path} does not exist") from error
        return f"Successfully deleted {command.path}"

    @_told
    def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        old, new = self._uri(command.old_path), self._uri(command.new_path)
        if old == self._uri(_ROOT):
            raise ToolError(f"Cannot rename the {_ROOT} directory itself")
        if self._stat(new) is not None:
            raise ToolError(f"The destination {command.new_path} already exists")
        try:
            self._client.fs.mv(old, new)
        except ctxdb.NotFound as error:
            raise ToolError(f"The path {command.old_path} does not exist") from error
        return f"Successfully renamed {command.old_path} to {command.new_path}"

    def clear_all_memory(self) -> str:
        try:
            for entry in list(self._client.fs.ls_all(self._uri(_ROOT), show_all_hidden=True)):
                self._remove_if_there(entry.uri)
        except ctxdb.NotFound:
            pass
        return "All memory cleared"

    def _remove_if_there(self, uri: str) -> None:
        """Layers and derived nodes are removed with their source."""
        try:
            self._client.fs.rm(uri, recursive=True)
        except (ctxdb.NotFound, ctxdb.FailedPrecondition, ctxdb.InvalidArgument):
            return

    def _lines(self, uri: str, path: str, levels: int) -> Iterator[str]:
        """Returns the content of a folder, without hidden and derived nodes."""
        try:
            entries = list(self._client.fs.ls_all(uri))
        except ctxdb.NotFound:
            return
        files = {posixpath.splitext(entry.name)[0] for entry in entries if not entry.is_dir}
        for entry in entries:
            if entry.name.startswith(".") or (entry.is_dir and entry.name in files and self._is_derived(entry.uri)):
                continue
            shown = f"{path}/{entry.name}"
            yield f"{_size(entry.size)}\t{shown}{'/' if entry.is_dir else ''}"
            if entry.is_dir and levels > 1:
                yield from self._lines(entry.uri, shown, levels - 1)

    def _is_derived(self, uri: str) -> bool:
        node = self._stat(uri)
        return node is not None and bool(node.source)

    def _change(self, path: str, change: Callable[[str], str]) -> None:
        uri = self._uri(path)

        def make() -> tuple[str, str | None]:
            text = self._read(uri, path)
            return change(text), text.etag

        change_text(self._client, uri, make)

    def _read(self, uri: str, path: str) -> ctxdb.Text:
        node = self._stat(uri)
        if node is None:
            raise _missing(path)
        if node.isDir:
            raise ToolError(f"The path {path} is not a file.")
        try:
            return self._client.content.read(uri)
        except ctxdb.NotFound as error:
            raise ToolError(f"The file {path} no longer exists (may have been deleted or renamed concurrently).") from error

    def _stat(self, uri: str) -> Any:
        try:
            return self._client.fs.stat(uri)
        except ctxdb.NotFound:
            return None

    def _uri(self, path: str) -> str:
        if not f"{path}/".startswith(f"{_ROOT}/"):
            raise ToolError(f"Path must start with {_ROOT}, got: {path}")
        normal = posixpath.normpath(path)
        if not f"{normal}/".startswith(f"{_ROOT}/"):
            raise ToolError(f"Path {path} would escape {_ROOT} directory")
        if self._root is None:
            self._root = own_folder(self._client, "memories")
        return self._root + normal.removeprefix(_ROOT)


class AsyncCtxdbMemoryTool(BetaAsyncAbstractMemoryTool):
    """The same for asyncio."""

    def __init__(
        self,
        client: ctxdb.Client,
        *,
        root: str | None = None,
        cache_control: BetaCacheControlEphemeralParam | None = None,
    ) -> None:
        super().__init__(cache_control=cache_control)
        self._tool = CtxdbMemoryTool(client, root=root)

    async def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        return await asyncio.to_thread(self._tool.view, command)

    async def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        return await asyncio.to_thread(self._tool.create, command)

    async def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        return await asyncio.to_thread(self._tool.str_replace, command)

    async def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        return await asyncio.to_thread(self._tool.insert, command)

    async def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        return await asyncio.to_thread(self._tool.delete, command)

    async def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        return await asyncio.to_thread(self._tool.rename, command)

    async def clear_all_memory(self) -> str:
        return await asyncio.to_thread(self._tool.clear_all_memory)


def _missing(path: str) -> ToolError:
    return ToolError(f"The path {path} does not exist. Please provide a valid path.")


def _numbered(lines: list[str], first: int) -> list[str]:
    return [f"{number:>{_NUMBER_WIDTH}}\t{line}" for number, line in enumerate(lines, first)]


def _places(text: str, part: str) -> Iterator[int]:
    """Returns the positions of a part, including overlapping ones."""
    at = text.find(part)
    while at != -1:
        yield at
        at = text.find(part, at + 1)


def _size(count: float) -> str:
    """Formats a number of bytes: 0B, 512B, 1.5K."""
    for unit, name in ((1 << 30, "G"), (1 << 20, "M"), (1 << 10, "K")):
        if count >= unit:
            return f"{count / unit:.1f}".removesuffix(".0") + name
    return f"{count:.0f}B"
