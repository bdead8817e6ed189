"""Both clients against a live server."""

import asyncio
from pathlib import Path

import pytest
from conftest import MAX_UPLOAD_BYTES

import ctxdb
from ctxdb._settings import parse_address

MEGABYTE = 1024 * 1024


def test_an_added_file_is_found_read_and_listed(client: ctxdb.Client, tmp_path: Path) -> None:
    (tmp_path / "tea.md").write_text("# Tea\n\nGreen tea is brewed at 80 degrees.\n")
    client.resources.add_path(tmp_path / "tea.md", to="ctx://resources/live", wait=True)
    hit = client.search.find("how is tea brewed?", target_uri=["ctx://resources/live"], filter={"mime": "text/markdown"}).resources[0]
    assert "80 degrees" in client.content.read(hit.uri)
    assert [entry.name for entry in client.fs.ls_all("ctx://resources/live")] == ["tea.md"]


def test_errors_name_their_subject(client: ctxdb.Client) -> None:
    with pytest.raises(ctxdb.NotFound) as missing:
        client.fs.stat("ctx://resources/none")
    assert missing.value.details["resource"] == "ctx://resources/none"
    assert missing.value.request_id
    with pytest.raises(ctxdb.InvalidUri):
        client.fs.stat("nonsense")


def test_lists_go_through_all_pages(client: ctxdb.Client) -> None:
    for number in range(5):
        client.content.write(f"ctx://resources/pages/{number}.md", "x", mode="create")
    assert client.fs.ls("ctx://resources/pages", node_limit=2).next_cursor
    assert [entry.name for entry in client.fs.ls_all("ctx://resources/pages", node_limit=2)] == [f"{n}.md" for n in range(5)]
    assert len(list(client.search.glob_all("*.md", uri="ctx://resources/pages", node_limit=2))) == 5


def test_a_write_with_an_outdated_etag_is_refused(client: ctxdb.Client) -> None:
    uri = "ctx://resources/seen.md"
    client.content.write(uri, "one", mode="create")
    seen = client.content.read(uri).etag
    client.content.write(uri, "two", if_match=seen)
    with pytest.raises(ctxdb.FailedPrecondition):
        client.content.write(uri, "three", if_match=seen)


def test_the_same_idempotency_key_gives_the_same_answer(client: ctxdb.Client) -> None:
    session = client.sessions.create().session_id
    counts = [client.sessions.add_message(session, "user", "once", idempotency_key="k1").message_count for _ in range(2)]
    assert counts == [1, 1]


def test_a_download_is_whole_or_not_there(client: ctxdb.Client, tmp_path: Path) -> None:
    (tmp_path / "big.bin").write_bytes(bytes(range(256)) * 4096 * 5)
    client.resources.add_path(tmp_path / "big.bin", to="ctx://resources/big", wait=True)
    assert client.content.download_to("ctx://resources/big/big.bin", tmp_path / "copy.bin") == 5 * MEGABYTE
    assert (tmp_path / "copy.bin").read_bytes() == (tmp_path / "big.bin").read_bytes()
    with client.content.download("ctx://resources/big/big.bin") as pieces:
        assert next(pieces) and pieces.content_type
    with pytest.raises(ctxdb.Cancelled):
        next(pieces)
    with pytest.raises(ctxdb.NotFound):
        client.content.download_to("ctx://resources/none.bin", tmp_path / "none.bin")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["big.bin", "copy.bin"]


def test_an_upload_that_cannot_be_read_says_why(client: ctxdb.Client) -> None:
    class Broken:
        def read(self, size: int) -> bytes:
            raise OSError("the disk is gone")

    with pytest.raises(OSError, match="the disk is gone"):
        client.resources.upload(Broken(), name="a.md")  # type: ignore[arg-type]


def test_waiting_for_a_task_reports_progress(client: ctxdb.Client) -> None:
    session = client.sessions.create().session_id
    client.sessions.add_message(session, "user", "I like strong tea.")
    steps: list[tuple[str, int, int]] = []
    task = client.tasks.wait(client.sessions.commit(session, wait=False).task_id, on_progress=lambda *step: steps.append(step))
    assert task.status == "completed"
    assert ctxdb.to_python(task.result)["status"] == "committed"
    assert steps


def test_a_missing_server_is_unavailable() -> None:
    with ctxdb.connect("127.0.0.1:1", retries=0) as client, pytest.raises(ctxdb.Unavailable):
        client.system.status()


def test_an_address_may_lack_scheme_and_port_and_malformed_ones_are_refused() -> None:
    assert parse_address("127.0.0.1:1") == (False, "127.0.0.1:1")
    assert parse_address("http://db/") == (False, "db:1933")
    assert parse_address("https://[::1]") == (True, "[::1]:443")
    for wrong in ("ftp://db", "http://db/path", "", "http://u@db", "db:port"):
        with pytest.raises(ValueError):
            parse_address(wrong)


def test_the_asyncio_client_does_what_the_blocking_one_does(address: str, tmp_path: Path) -> None:
    async def run() -> None:
        (tmp_path / "big.bin").write_bytes(bytes(range(256)) * 4096 * 5)
        async with ctxdb.aio.connect(address) as client:
            await client.resources.add_path(tmp_path / "big.bin", to="ctx://resources/aio", wait=True)
            assert [entry.name async for entry in client.fs.ls_all("ctx://resources/aio")] == ["big.bin"]
            async with client.content.download("ctx://resources/aio/big.bin") as pieces:
                assert await anext(pieces)
            assert await client.content.download_to("ctx://resources/aio/big.bin", tmp_path / "copy.bin") == 5 * MEGABYTE
            with pytest.raises(ctxdb.NotFound):
                await client.fs.stat("ctx://resources/none")

    asyncio.run(run())


def test_a_refused_upload_says_why_though_it_was_still_being_sent(address: str) -> None:
    async def run() -> None:
        async with ctxdb.aio.connect(address) as client:
            for _ in range(40):
                with pytest.raises(ctxdb.InvalidArgument):
                    await client.resources.upload(bytes(3 * MAX_UPLOAD_BYTES), name="big.bin")

    asyncio.run(run())


def test_an_upload_of_a_task_that_was_cancelled_ends(address: str) -> None:
    async def run() -> None:
        async with ctxdb.aio.connect(address) as client:
            upload = asyncio.create_task(client.resources.upload(bytes(MAX_UPLOAD_BYTES), name="big.bin"))
            await asyncio.sleep(0)
            upload.cancel()
            with pytest.raises(asyncio.CancelledError):
                await upload
            assert await client.system.health()

    asyncio.run(run())
