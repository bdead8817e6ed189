"""Compares the store with LangGraph's InMemoryStore over the same operations."""

import asyncio
import json
import os
import random
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

import ctxdb
import pytest
from langgraph.store.base import (
    GetOp,
    InvalidNamespaceError,
    Item,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    SearchOp,
)
from langgraph.store.memory import InMemoryStore

from ctxdb_langgraph import CtxdbStore

LABELS = ["users", "Ann Lee", "a/b", "..", "~", "100%", "kärnten", "ka\u0308rnten", "memo\nries", "漢" * 90, "con:1", "item"]
KEYS = ["1", "a/b", "", ".", "..", ".hidden", ".abstract.md", "x.json", "%", "~", "Ω", "k" * 600, "\ud800", "item", "a\\b\u202e", " "]
EVERYTHING = 1000


def some_value(random: random.Random) -> dict[str, Any]:
    return {
        "kind": random.choice(["note", "fact", None, 3, True]),
        "score": random.choice([0, 1, 2.5, -4, "7", None]),
        "nested": {"tags": random.sample(["a", "b", "c"], 2), "text": random.choice(["", "\x00", "ünïcode 漢字", "\ud800", "line\n\r"])},
    }


def some_filter(random: random.Random) -> dict[str, Any] | None:
    return random.choice(
        [
            None,
            {"kind": "note"},
            {"kind": None},
            {"kind": {"$ne": "note"}},
            {"nested": {"tags": ["a", "b"]}},
            {"nested": {"text": {"$eq": "\ud800"}}},
            {"kind": 3, "missing": None},
            {},
        ]
    )


def some_operation(random: random.Random, namespaces: list[tuple[str, ...]]) -> Op:
    namespace = random.choice(namespaces)
    kind = random.random()
    if kind < 0.45:
        value = None if random.random() < 0.2 else some_value(random)
        return PutOp(namespace, random.choice(KEYS), value)
    if kind < 0.65:
        return GetOp(namespace, random.choice(KEYS))
    if kind < 0.85:
        return SearchOp(namespace[: random.randint(0, len(namespace))], filter=some_filter(random), limit=EVERYTHING)
    conditions = tuple(
        MatchCondition(random.choice(["prefix", "suffix"]), tuple(random.choice([*namespace, "*"]) for _ in range(random.randint(1, 2))))
        for _ in range(random.randint(0, 2))
    )
    return ListNamespacesOp(conditions, random.choice([None, 1, 2]), limit=random.choice([1, EVERYTHING]), offset=random.choice([0, 1]))


def told(result: Any) -> Any:
    """A result without its times; hits are sorted, since the two stores guarantee no common order."""
    if isinstance(result, Item):
        return (result.namespace, result.key, result.value)
    if isinstance(result, list) and any(isinstance(each, Item) for each in result):
        return sorted((told(each) for each in result), key=repr)
    return result


def expected(memory: InMemoryStore, operations: Iterable[Op]) -> list[Any]:
    # a namespace whose last item was deleted is gone; InMemoryStore goes on listing it, and those that were only read
    for namespace in [each for each, items in memory._data.items() if not items]:
        del memory._data[namespace]
    lists = {number: memory.batch([each])[0] for number, each in enumerate(operations) if isinstance(each, ListNamespacesOp)}
    return [lists.get(number, result) for number, result in enumerate(memory.batch(operations))]


@pytest.mark.parametrize("seed", range(3))
def test_random_operations_give_the_same_results_as_in_memory_store(client: ctxdb.Client, seed: int) -> None:
    choice = random.Random(seed)
    namespaces = [tuple(choice.choices(LABELS, k=choice.randint(1, 3))) for _ in range(6)]
    memory, store = InMemoryStore(), CtxdbStore(client)
    for _ in range(25):
        operations = [some_operation(choice, namespaces) for _ in range(choice.randint(1, 6))]
        assert list(map(told, store.batch(operations))) == list(map(told, expected(memory, operations))), operations


def test_the_asynchronous_methods_do_what_the_blocking_ones_do(client: ctxdb.Client) -> None:
    async def use(store: CtxdbStore) -> None:
        await asyncio.gather(*(store.aput(("users", "ann"), f"k{number}", {"number": number}) for number in range(20)))
        assert {item.key for item in await store.asearch(("users",), limit=100)} == {f"k{number}" for number in range(20)}
        assert await store.alist_namespaces() == [("users", "ann")]
        await store.adelete(("users", "ann"), "k3")
        assert await store.aget(("users", "ann"), "k3") is None

    asyncio.run(use(CtxdbStore(client)))


def test_a_search_with_a_query_finds_by_meaning_what_was_just_put(client: ctxdb.Client) -> None:
    store = CtxdbStore(client)
    store.put(("ann", "memories"), "tea", {"text": "Ann drinks green tea in the afternoon"})
    store.put(("ann", "memories"), "boat", {"text": "The harbour was built for herring boats"})
    store.put(("bob", "memories"), "tea", {"text": "Bob drinks green tea, too"})
    found = store.search(("ann",), query="which tea does she like?")
    assert [(item.namespace, item.key) for item in found] == [(("ann", "memories"), "tea"), (("ann", "memories"), "boat")]
    assert found[0].score is not None and found[1].score is not None and found[0].score > found[1].score


def test_a_search_with_a_query_keeps_to_its_filter_its_limit_and_its_offset(client: ctxdb.Client) -> None:
    store = CtxdbStore(client)
    for number in range(30):
        store.put(("notes",), f"n{number:02}", {"text": f"note {number} about tea", "even": number % 2 == 0})
    everything = [item.key for item in store.search(("notes",), query="tea", filter={"even": True}, limit=100)]
    assert sorted(everything) == [f"n{number:02}" for number in range(0, 30, 2)]
    pages = [item.key for at in (0, 4, 8, 12) for item in store.search(("notes",), query="tea", filter={"even": True}, limit=4, offset=at)]
    assert sorted(pages) == sorted(everything)


def test_an_item_that_is_not_to_be_indexed_is_read_and_listed_but_not_found(client: ctxdb.Client) -> None:
    store = CtxdbStore(client)
    store.put(("notes",), "shown", {"text": "green tea"})
    store.put(("notes",), "quiet", {"text": "green tea"}, index=False)
    assert [item.key for item in store.search(("notes",), query="green tea")] == ["shown"]
    assert {item.key for item in store.search(("notes",))} == {"shown", "quiet"}


def test_pages_of_a_search_without_a_query_hold_every_item_once_and_the_newest_first(client: ctxdb.Client) -> None:
    store = CtxdbStore(client)
    for number in range(25):
        store.put(("notes",), f"{number}", {"number": number})
    pages = [item.key for at in range(0, 30, 7) for item in store.search(("notes",), limit=7, offset=at)]
    assert len(pages) == 25 and set(pages) == {str(number) for number in range(25)}
    assert pages[0] == "24" and pages[-1] == "0"


def test_an_update_keeps_the_time_of_creation(client: ctxdb.Client) -> None:
    store = CtxdbStore(client)
    store.put(("notes",), "n", {"number": 1})
    first = store.get(("notes",), "n")
    store.put(("notes",), "n", {"number": 2})
    second = store.get(("notes",), "n")
    assert first is not None and second is not None
    assert second.created_at == first.created_at and second.updated_at > first.updated_at and second.value == {"number": 2}


def test_an_expired_item_is_not_read_and_not_found_and_a_sweep_deletes_it(client: ctxdb.Client) -> None:
    store = CtxdbStore(client, ttl={"default_ttl": None, "refresh_on_read": False})
    store.put(("notes",), "stays", {"text": "tea"}, ttl=60)
    store.put(("notes",), "goes", {"text": "tea"}, ttl=0)
    assert store.get(("notes",), "goes") is None
    assert [item.key for item in store.search(("notes",))] == ["stays"]
    assert [item.key for item in store.search(("notes",), query="tea")] == ["stays"]
    assert store.sweep_ttl() == 1
    assert [entry.name for entry in client.fs.ls_all(store._folder(("notes",)))] == ["stays.json"]


def test_a_read_moves_the_end_of_an_items_life_unless_it_is_told_not_to(client: ctxdb.Client) -> None:
    store = CtxdbStore(client)
    store.put(("notes",), "n", {"text": "tea"}, ttl=60)
    uri = store._uri(("notes",), "n")
    fields = json.loads(client.content.read(uri))
    # simulates that half an hour has passed
    fields["expires_at"] = (datetime.fromisoformat(fields["expires_at"]) - timedelta(minutes=30)).isoformat()
    client.content.write(uri, json.dumps(fields))
    store.get(("notes",), "n", refresh_ttl=False)
    assert json.loads(client.content.read(uri)) == fields
    store.search(("notes",))
    refreshed = json.loads(client.content.read(uri))
    assert datetime.fromisoformat(refreshed["expires_at"]) > datetime.fromisoformat(fields["expires_at"]) + timedelta(minutes=29)
    assert {**refreshed, "expires_at": ""} == {**fields, "expires_at": ""}


def test_a_value_that_is_no_json_is_refused_before_anything_is_written(client: ctxdb.Client) -> None:
    store = CtxdbStore(client)
    with pytest.raises(TypeError):
        store.batch([PutOp(("notes",), "good", {"a": 1}), PutOp(("notes",), "bad", {"a": object()})])
    with pytest.raises(ValueError):
        store.put(("notes",), "nan", {"a": float("nan")})
    with pytest.raises(InvalidNamespaceError):
        store.put((), "k", {"a": 1})
    assert store.search(()) == []


def test_stores_of_two_users_do_not_see_each_other(client: ctxdb.Client) -> None:
    CtxdbStore(client).put(("notes",), "n", {"a": 1})
    with ctxdb.connect(os.environ["CTXDB_ADDRESS"], user="somebody-else") as other:
        assert CtxdbStore(other).search(()) == []


def test_files_that_the_store_did_not_write_are_left_alone(client: ctxdb.Client) -> None:
    store = CtxdbStore(client)
    store.put(("notes",), "n", {"a": 1})
    folder = store._folder(("notes",))
    for name, text in {"README.md": "# Notes\n" + "word " * 3000, "list.json": "[1]", "no%zz.json": "{}", "broken.json": "{"}.items():
        client.content.write(f"{folder}/{name}", text, mode="create")
    # a name that decodes to the key of an item, but is not the one that the store gives it
    client.content.write(f"{folder}/%6E.json", client.content.read(f"{folder}/n.json"), mode="create")
    assert [item.key for item in store.search(())] == ["n"]
    assert [item.key for item in store.search((), query="word")] == ["n"]
