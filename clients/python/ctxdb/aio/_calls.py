"""Calls over an asyncio channel: identity, deadlines, retries, errors."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Iterable
from typing import TypeVar

import grpc
import grpc.aio
from google.protobuf.message import Message

from ctxdb import _calls as blocking
from ctxdb._attempts import Attempts, deadline_of, give_key, seconds_of
from ctxdb._calls import method_path, serialize
from ctxdb._settings import Settings
from ctxdb.errors import Error, status_error

R = TypeVar("R", bound=Message)


class Calls:
    """Makes the calls of one client. Every error of a call is a :class:`ctxdb.Error`."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        options = settings.channel_options
        secure = settings.is_secure
        self._channel = (
            grpc.aio.secure_channel(settings.target, settings.credentials, options)
            if secure
            else grpc.aio.insecure_channel(settings.target, options)
        )

        self._blocking: blocking.Calls | None = None

    async def close(self) -> None:
        if self._blocking is not None:
            self._blocking.close()
        await self._channel.close()

    async def read(self, path: str, request: Message, response: type[R], deadline: float | None) -> R:
        """Makes a call that changes nothing. It is retried while the server is unavailable."""
        return (await self.unary(path, request, response, deadline, self.settings.retries))[0]

    async def write(self, path: str, request: Message, response: type[R], deadline: float | None) -> R:
        """Makes a call that changes something. It is only retried with an idempotency key."""
        return (await self.unary(path, request, response, deadline, self.settings.retries if give_key(request) else 0))[0]

    async def unary(
        self, path: str, request: Message, response: type[R], deadline: float | None, retries: int
    ) -> tuple[R, dict[str, str | bytes]]:
        """The answer, and the metadata that came with it."""
        attempts = Attempts(retries, deadline_of(request, deadline, self.settings.deadline))
        method = self._channel.unary_unary(method_path(path), serialize, response.FromString)
        while True:
            call = method(request, timeout=attempts.remaining(), metadata=self.settings.metadata)
            try:
                answer: R = await call
                return answer, dict(await call.initial_metadata() or ())
            except grpc.aio.AioRpcError as error:
                pause = attempts.pause_after(to_error(error))
            await asyncio.sleep(pause)

    async def stream(
        self, path: str, request: Message, response: type[R], deadline: float | None, *, resumes: bool = False
    ) -> AsyncGenerator[R, None]:
        """The messages of the server; a loop that ends early cancels the call.

        It is repeated while no message has come; where it ``resumes``, each message being the state of things, later too.
        """
        attempts = Attempts(self.settings.retries, seconds_of(deadline, self.settings.long_deadline))
        method = self._channel.unary_stream(method_path(path), serialize, response.FromString)
        has_begun = False
        while True:
            call = method(request, timeout=attempts.remaining(), metadata=self.settings.metadata)
            try:
                async for message in call:
                    has_begun = True
                    yield message
                return
            except grpc.aio.AioRpcError as error:
                if has_begun and not resumes:
                    raise to_error(error) from None
                pause = attempts.pause_after(to_error(error))
            finally:
                call.cancel()
            await asyncio.sleep(pause)

    async def send(self, path: str, requests: Iterable[Message], response: type[R], deadline: float | None) -> R:
        """Sends a stream, one answer comes back. Nothing is retried, since sent data is gone. Pieces are
        taken in a thread of gRPC.

        Sent by the blocking API, over a connection of its own: where the server answers while a piece is being sent, the API of
        asyncio loses that answer, and says INTERNAL in its place (grpc/grpc#36066).
        """
        self._blocking = self._blocking or blocking.Calls(self.settings)
        loop = asyncio.get_running_loop()
        ended = asyncio.Event()

        def end(_: object) -> None:
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits
                loop.call_soon_threadsafe(ended.set)

        sending = self._blocking.start_sending(path, requests, response, deadline)
        sending.call.add_done_callback(end)
        try:
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(ended.wait(), sending.limit)
            return sending.answer(0)
        finally:
            sending.call.cancel()


def to_error(error: grpc.aio.AioRpcError) -> Error:
    metadata = {**dict(error.initial_metadata() or ()), **dict(error.trailing_metadata() or ())}
    return status_error(error.code(), error.details(), metadata)
