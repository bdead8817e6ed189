"""One function an op, for both clients: JSON in, JSON out."""

import asyncio
import dataclasses
import hashlib
import inspect
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, BinaryIO

from google.protobuf import json_format
from google.protobuf.message import Message

import ctxdb

Json = dict[str, Any]


@dataclasses.dataclass(frozen=True)
class Call:
    """A call of a step: the client, the arguments, and where local files lie; ``cancel_after`` bytes the caller gives up."""

    client: Any
    arguments: Json
    folder: Path
    cancel_after: int | None


async def run_op(op: str, call: Call) -> Any:
    """The result of an op; raises what the client raises, and asyncio.CancelledError where its call was cancelled."""
    special = OPS.get(op)
    if special is not None:
        return await special(call)
    group, name = op.split(".")
    return as_json(await settled(getattr(getattr(call.client, group), name)(**call.arguments)))


async def settled(answer: Any) -> Any:
    """What either client answers: a value, something to await, or an iterator, of which all is taken."""
    if hasattr(answer, "__aiter__"):
        return {"items": [as_json(item) async for item in answer]}
    if hasattr(answer, "__next__"):
        return {"items": [as_json(item) for item in answer]}
    return await answer if inspect.isawaitable(answer) else answer


def as_json(answer: Any) -> Any:
    if isinstance(answer, Message):
        return json_format.MessageToDict(answer, preserving_proto_field_name=True, always_print_fields_with_no_presence=True)
    if isinstance(answer, ctxdb.Entry):
        return dataclasses.asdict(answer)
    return {} if answer is None else answer


async def read(call: Call) -> Json:
    text = await settled(call.client.content.read(**call.arguments))
    return {"content": str(text), "etag": text.etag}


def under(name: str, function: Callable[[Any], Any]) -> Callable[[Call], Awaitable[Json]]:
    """An op whose function gives a bare value."""

    async def op(call: Call) -> Json:
        return {name: await settled(function(call.client)(**call.arguments))}

    return op


async def used(call: Call) -> Any:
    arguments = {**call.arguments, "skill": call.arguments["skill"]["uri"]}
    return as_json(await settled(call.client.sessions.used(**arguments)))


async def import_pack(call: Call) -> Any:
    return as_json(await settled(call.client.packs.import_(**call.arguments)))


async def wait_for_task(call: Call) -> Json:
    progress: list[Json] = []

    def hear(stage: str, done: int, total: int) -> None:
        progress.append({"stage": stage, "done": done, "total": total})

    return {"task": as_json(await settled(call.client.tasks.wait(**call.arguments, on_progress=hear))), "progress": progress}


class GivingUp:
    """A file whose reader gives up after so many bytes: by an error where calls block, by cancelling the task where they do not."""

    def __init__(self, file: BinaryIO, limit: int, task: "asyncio.Task[Any] | None") -> None:
        self._file = file
        self._left = limit
        self._task = task
        self._loop = asyncio.get_running_loop()

    def read(self, size: int) -> bytes:
        piece = self._file.read(size)
        self._left -= len(piece)
        if self._left <= 0 and self._task is None:
            raise ctxdb.Cancelled("CANCELLED", "the caller has given up")
        if self._left <= 0 and self._task is not None:
            self._loop.call_soon_threadsafe(self._task.cancel)
        return piece


def is_blocking(client: Any) -> bool:
    return isinstance(client, ctxdb.Client)


async def upload(call: Call) -> Any:
    arguments = dict(call.arguments)
    path = call.folder / arguments.pop("path")
    if call.cancel_after is None:
        return as_json(await settled(call.client.resources.upload(path, **arguments)))
    with path.open("rb") as file:
        source = GivingUp(file, call.cancel_after, None if is_blocking(call.client) else asyncio.current_task())
        return as_json(await settled(call.client.resources.upload(source, name=path.name, **arguments)))


async def add_path(call: Call) -> Any:
    arguments = dict(call.arguments)
    path = call.folder / arguments.pop("path")
    return as_json(await settled(call.client.resources.add_path(path, **arguments)))


async def download(call: Call) -> Json:
    return await keep(call, call.client.content.download)


async def export(call: Call) -> Json:
    return await keep(call, call.client.packs.export)


async def keep(call: Call, function: Callable[..., Any]) -> Json:
    """Writes the pieces to the file ``to``, if given, and returns facts about them."""
    arguments = dict(call.arguments)
    name = arguments.pop("to", None)
    pieces = function(**arguments)
    digest, size, held = hashlib.sha256(), 0, bytearray()
    while (piece := await next_of(pieces)) is not None:
        digest.update(piece)
        size += len(piece)
        held += piece if name else b""
        if call.cancel_after is not None and size >= call.cancel_after:
            await settled(pieces.close() if is_blocking(call.client) else pieces.aclose())
    if name:
        (call.folder / name).write_bytes(held)
    return {"content_type": pieces.content_type, "size": size, "sha256": digest.hexdigest()}


async def next_of(pieces: Any) -> bytes | None:
    if hasattr(pieces, "__anext__"):
        return await anext(pieces, None)
    return next(pieces, None)


OPS: dict[str, Callable[[Call], Awaitable[Any]]] = {
    "content.read": read,
    "content.abstract": under("abstract", lambda client: client.content.abstract),
    "content.overview": under("overview", lambda client: client.content.overview),
    "content.download": download,
    "observer.health": under("healthy", lambda client: client.observer.health),
    "packs.export": export,
    "packs.import": import_pack,
    "resources.add_path": add_path,
    "resources.upload": upload,
    "sessions.used": used,
    "system.health": under("healthy", lambda client: client.system.health),
    "tasks.wait": wait_for_task,
}
