"""Blocking calls over a channel: identity, deadlines, retries, errors."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterable, Iterator
from threading import Thread
from typing import Generic, TypeVar

import grpc
from google.protobuf.message import Message

from ctxdb._attempts import Attempts, deadline_of, give_key, seconds_of
from ctxdb._settings import Settings
from ctxdb.errors import DeadlineExceeded, Error, status_error

R = TypeVar("R", bound=Message)
#: Seconds beyond its deadline that a stream's answer is waited for, and those that closing may take. gRPC itself ends a call at its
#: deadline, but loses that end now and then (1.85: one call in some thousands) where the server ends the call in the same moment.
LATE = 1.0


class Calls:
    """Makes the calls of one client, from any thread. Every error of a call is a :class:`ctxdb.Error`."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        options = settings.channel_options
        secure = settings.is_secure
        self._channel = (
            grpc.secure_channel(settings.target, settings.credentials, options)
            if secure
            else grpc.insecure_channel(settings.target, options)
        )

    def close(self) -> None:
        # gRPC waits for the end of every call, for ever where it has lost one
        closing = Thread(target=self._channel.close, daemon=True)
        closing.start()
        closing.join(LATE)

    def read(self, path: str, request: Message, response: type[R], deadline: float | None) -> R:
        """Makes a call that changes nothing. It is retried while the server is unavailable."""
        return self.unary(path, request, response, deadline, self.settings.retries)[0]

    def write(self, path: str, request: Message, response: type[R], deadline: float | None) -> R:
        """Makes a call that changes something. It is only retried with an idempotency key."""
        return self.unary(path, request, response, deadline, self.settings.retries if give_key(request) else 0)[0]

    def unary(
        self, path: str, request: Message, response: type[R], deadline: float | None, retries: int
    ) -> tuple[R, dict[str, str | bytes]]:
        """The answer, and the metadata that came with it."""
        attempts = Attempts(retries, deadline_of(request, deadline, self.settings.deadline))
        method = self._channel.unary_unary(method_path(path), serialize, response.FromString)
        while True:
            try:
                answer, call = method.with_call(request, timeout=attempts.remaining(), metadata=self.settings.metadata)
                return answer, dict(call.initial_metadata() or ())
            except grpc.RpcError as error:
                pause = attempts.pause_after(to_error(error))
            time.sleep(pause)

    def stream(
        self, path: str, request: Message, response: type[R], deadline: float | None, *, resumes: bool = False
    ) -> Generator[R, None, None]:
        """The messages of the server; a loop that ends early cancels the call.

        It is repeated while no message has come; where it ``resumes``, each message being the state of things, later too.
        """
        attempts = Attempts(self.settings.retries, seconds_of(deadline, self.settings.long_deadline))
        method = self._channel.unary_stream(method_path(path), serialize, response.FromString)
        has_begun = False
        while True:
            call = method(request, timeout=attempts.remaining(), metadata=self.settings.metadata)
            try:
                for message in call:
                    has_begun = True
                    yield message
                return
            except grpc.RpcError as error:
                if has_begun and not resumes:
                    raise to_error(error) from None
                pause = attempts.pause_after(to_error(error))
            finally:
                call.cancel()
            time.sleep(pause)

    def send(self, path: str, requests: Iterable[Message], response: type[R], deadline: float | None) -> R:
        """Sends a stream, one answer comes back. Nothing is retried, since sent data is gone. Pieces are
        taken in a thread of gRPC.
        """
        sending = self.start_sending(path, requests, response, deadline)
        try:
            return sending.answer(sending.limit)
        finally:
            sending.call.cancel()

    def start_sending(self, path: str, requests: Iterable[Message], response: type[R], deadline: float | None) -> Sending[R]:
        method = self._channel.stream_unary(method_path(path), serialize, response.FromString)
        pieces = Pieces(requests)
        seconds = seconds_of(deadline, self.settings.long_deadline)
        return Sending(method.future(pieces, timeout=seconds, metadata=self.settings.metadata), pieces, seconds + LATE)


class Sending(Generic[R]):
    """A stream under way to the server; after ``limit`` seconds nobody has to wait for its answer any longer."""

    def __init__(self, call: grpc.Future[R], pieces: Pieces, limit: float) -> None:
        self.call = call
        self.limit = limit
        self._pieces = pieces

    def answer(self, timeout: float) -> R:
        """Waits so many seconds for the answer."""
        try:
            answer: R = self.call.result(timeout)
            return answer
        except grpc.FutureTimeoutError:
            raise DeadlineExceeded("DEADLINE_EXCEEDED", "the server's answer did not come within the deadline") from None
        except grpc.RpcError as error:
            raise self._pieces.failure or to_error(error) from None


class Pieces(Iterator[Message]):
    """Stores an error raised by the source, because gRPC only reports that the stream broke."""

    def __init__(self, requests: Iterable[Message]) -> None:
        self._requests = iter(requests)
        self.failure: Exception | None = None

    def __next__(self) -> Message:
        try:
            return next(self._requests)
        except StopIteration:
            raise
        except Exception as error:
            self.failure = error
            raise


def serialize(message: Message) -> bytes:
    return message.SerializeToString()


def method_path(path: str) -> str:
    """``Service/Method`` of the contract in full; what begins with a slash is."""
    return path if path.startswith("/") else f"/ctxdb.v1.{path}"


def to_error(error: grpc.RpcError) -> Error:
    if not isinstance(error, grpc.Call):
        raise error
    metadata = {**dict(error.initial_metadata() or ()), **dict(error.trailing_metadata() or ())}
    return status_error(error.code(), error.details(), metadata)
