"""Which calls are retried, against a server that refuses a given number of them."""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import grpc
import pytest

import ctxdb
from ctxdb import _calls
from ctxdb._gen.messages.content_pb2 import WriteContentRequest


class Refusing(grpc.GenericRpcHandler):
    """Answers UNAVAILABLE ``refusals`` times to all methods, then an empty message; keeps what it was asked.

    Where it ``holds``, it answers only when the caller has gone.
    """

    def __init__(self) -> None:
        self.refusals = 2
        self.retry_after = "0"
        self.holds = False
        self.holding = Event()
        self.asked: list[tuple[str, bytes]] = []

    def service(self, details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler[bytes, bytes]:
        return grpc.unary_unary_rpc_method_handler(lambda request, context: self.answer(details.method, request, context))

    def answer(self, method: str, request: bytes, context: grpc.ServicerContext) -> bytes:
        self.asked.append((method.rsplit("/", 1)[1], request))
        if self.holds:
            self.holding.set()
            ended = Event()
            context.add_callback(ended.set)
            ended.wait()
        if len(self.asked) <= self.refusals:
            context.set_trailing_metadata((("retry-after", self.retry_after), ("x-request-id", "r1")))
            context.abort(grpc.StatusCode.UNAVAILABLE, "not now")
        return b""


@pytest.fixture
def refusing() -> Refusing:
    return Refusing()


@pytest.fixture
def address(refusing: Refusing) -> Iterator[str]:
    server = grpc.server(ThreadPoolExecutor(2), handlers=[refusing])
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    yield f"127.0.0.1:{port}"
    server.stop(None)


def test_a_read_is_repeated(client: ctxdb.Client, refusing: Refusing) -> None:
    client.fs.stat("ctx://resources")
    assert len(refusing.asked) == 3


def test_a_write_is_repeated_under_one_key(client: ctxdb.Client, refusing: Refusing) -> None:
    client.content.write("ctx://resources/a.md", "a")
    keys = {WriteContentRequest.FromString(request).idempotency_key for _, request in refusing.asked}
    assert len(refusing.asked) == 3
    assert len(keys) == 1 and keys != {""}


def test_a_write_without_a_key_is_never_repeated(client: ctxdb.Client, refusing: Refusing) -> None:
    with pytest.raises(ctxdb.Unavailable) as caught:
        client.fs.rm("ctx://resources/a.md")
    assert len(refusing.asked) == 1
    assert caught.value.request_id == "r1"


def test_a_call_gives_up_after_its_retries(client: ctxdb.Client, refusing: Refusing) -> None:
    refusing.refusals = 99
    with pytest.raises(ctxdb.Unavailable):
        client.fs.stat("ctx://resources")
    assert len(refusing.asked) == 4


def test_a_call_gives_up_at_once_where_the_server_asks_for_more_time_than_is_left(client: ctxdb.Client, refusing: Refusing) -> None:
    refusing.retry_after = "30"
    with pytest.raises(ctxdb.Unavailable):
        client.fs.stat("ctx://resources", deadline=5)
    assert len(refusing.asked) == 1


def test_a_deadline_ends_a_call_and_is_not_repeated(address: str, client: ctxdb.Client, refusing: Refusing) -> None:
    async def run() -> None:
        async with ctxdb.aio.connect(address) as waiting:
            await waiting.fs.stat("ctx://resources", deadline=1.0)

    refusing.holds = True
    with pytest.raises(ctxdb.DeadlineExceeded):
        client.fs.stat("ctx://resources", deadline=1.0)
    with pytest.raises(ctxdb.DeadlineExceeded):
        asyncio.run(run())
    assert len(refusing.asked) == 2


def test_an_upload_is_not_waited_for_where_grpc_loses_its_end(
    address: str, client: ctxdb.Client, refusing: Refusing, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        async with ctxdb.aio.connect(address) as waiting:
            await waiting.resources.upload(b"x", name="a.md", deadline=60.0)

    # gRPC's own deadline lies so far away that it ends nothing here
    monkeypatch.setattr(_calls, "LATE", -59.9)
    refusing.holds = True
    with pytest.raises(ctxdb.DeadlineExceeded):
        client.resources.upload(b"x", name="a.md", deadline=60.0)
    with pytest.raises(ctxdb.DeadlineExceeded):
        asyncio.run(run())


def test_closing_does_not_wait_where_grpc_waits_for_ever(client: ctxdb.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    began, released, ended = Event(), Event(), Event()

    def close() -> None:
        began.set()
        released.wait(10)
        ended.set()

    monkeypatch.setattr(_calls, "LATE", 0.05)
    monkeypatch.setattr(client._calls._channel, "close", close)
    client.close()
    assert not ended.is_set()
    assert began.wait(10)
    released.set()


def test_asyncio_cancels_a_call(address: str, refusing: Refusing) -> None:
    async def run() -> None:
        async with ctxdb.aio.connect(address) as client:
            call = asyncio.create_task(client.fs.stat("ctx://resources"))
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(call, 0.05)

    refusing.holds = True
    asyncio.run(run())


def test_closing_the_client_ends_its_calls(client: ctxdb.Client, refusing: Refusing) -> None:
    refusing.holds = True
    with ThreadPoolExecutor(1) as other:
        call = other.submit(client.fs.stat, "ctx://resources")
        assert refusing.holding.wait(10)
        client.close()
        with pytest.raises(ctxdb.Cancelled):
            call.result(10)


def test_an_error_keeps_its_fields_between_processes() -> None:
    error = ctxdb.Unavailable("UNAVAILABLE", "not now", {"a": 1}, "r1", 2.0)
    copy = pickle.loads(pickle.dumps(error))
    assert str(copy) == "UNAVAILABLE: not now" and vars(copy) == vars(error)
