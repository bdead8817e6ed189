"""Tests logs and their files."""

import random
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import ctxdb
import pytest

from ctxdb_records import (
    Log,
    change_text,
    download,
    etag_of,
    key_path,
    own_folder,
    put_text,
    quiet_folder,
    read_text,
    read_value,
    remove,
    write_value,
)


def test_random_operations_on_a_log_give_what_a_list_gives(client: ctxdb.Client) -> None:
    choice = random.Random(7)
    log, expected = Log(client, own_folder(client, "log")), list[Any]()
    for number in range(60):
        act = choice.random()
        if act < 0.5:
            values = [{"n": number, "i": i, "text": "\0\ud800 tea"} for i in range(choice.randrange(4))]
            log.append(values)
            expected.extend(values)
        elif act < 0.8:
            assert log.pop() == (expected.pop() if expected else None)
        elif act < 0.83:
            log.clear()
            expected.clear()
        limit = choice.choice([None, 0, 1, 3, 100])
        assert log.latest(limit) == (expected if limit is None else expected[len(expected) - min(limit, len(expected)) :])


def test_several_threads_append_whole_batches_and_pop_each_value_once(client: ctxdb.Client) -> None:
    log = Log(client, own_folder(client, "log"))
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda number: log.append([[number, 0], [number, 1]]), range(12)))
        values = log.latest()
        assert [each[1] for each in values] == [0, 1] * 12
        assert sorted(each[0] for each in values[::2]) == list(range(12))
        popped = list(pool.map(lambda _: log.pop(), range(30)))
    assert sorted(each for each in popped if each is not None) == sorted(values)
    assert log.latest() == []


def test_a_log_longer_than_a_page_of_the_server_is_read_whole(client: ctxdb.Client) -> None:
    log = Log(client, own_folder(client, "log"))
    for number in range(40):
        log.append([number])
    assert log.latest() == list(range(40))
    assert log.latest(35) == list(range(5, 40))


def test_a_log_in_a_quiet_folder_is_not_found_and_its_content_is_not_indexed(client: ctxdb.Client) -> None:
    folder = quiet_folder(client, "notetaker", "log")
    Log(client, folder).append(["the lighthouse keeper drinks green tea"])
    assert list(client.search.find("lighthouse keeper green tea").memories) == []
    [entry] = client.fs.ls_all(folder)
    assert "tea" not in "".join(chunk.text for chunk in client.content.chunks(entry.uri).chunks)


def test_the_etag_of_a_file_is_the_sha_256_of_its_content(client: ctxdb.Client) -> None:
    uri = own_folder(client, "text.md")
    put_text(client, uri, "tea\n")
    text, content = read_text(client, uri), download(client, uri)
    assert text is not None and content is not None and text.etag == etag_of(content)


def test_a_change_is_made_anew_where_others_have_come_first(client: ctxdb.Client) -> None:
    uri = own_folder(client, "count.txt")
    put_text(client, uri, "0")

    def add_one(_: int) -> None:
        def make() -> tuple[str, str | None]:
            text = client.content.read(uri)
            return str(int(text) + 1), text.etag

        change_text(client, uri, make)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(add_one, range(12)))
    assert client.content.read(uri) == "12"


def test_what_is_not_there_is_none_and_removing_it_says_so(client: ctxdb.Client) -> None:
    uri = own_folder(client, "none", key_path("a/b"))
    assert read_text(client, uri) is None and download(client, uri) is None and read_value(client, uri) is None
    assert remove(client, uri) is False
    assert write_value(client, uri, [1], if_absent=True) is True
    assert write_value(client, uri, [2], if_absent=True) is False
    assert read_value(client, uri) == [1]
    with pytest.raises(ValueError):
        write_value(client, uri, float("inf"))
