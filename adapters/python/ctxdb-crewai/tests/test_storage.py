"""Compares the storage with CrewAI's own in LanceDB over the same operations."""

import asyncio
import random
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import ctxdb
import pytest
from crewai.memory.storage.backend import StorageBackend
from crewai.memory.storage.lancedb_storage import LanceDBStorage
from crewai.memory.types import MemoryRecord
from crewai.memory.unified_memory import Memory

from ctxdb_crewai import CtxdbStorage

BEGAN = datetime(2026, 1, 1)
#: No scope is a prefix of another one, since LanceDB treats /a/bc as part of /a/b.
SCOPES = ["/", "/ann", "/ann/tea", "/ann/tea/green", "/bob", "/x y/ünïcode 漢字", "/places/..", "/'quoted'"]
IDS = ["1", "a/b", "..", "漢" * 60, "k" * 450, "it's"]
CATEGORIES = ["drinks", "hours", "ünïcode"]


def some_record(choice: random.Random, storage: CtxdbStorage, id: str, number: int) -> MemoryRecord:
    content = choice.choice(["Ann prefers green tea.", "The harbour opens at six.", "ünïcode 漢字 \0"]) + f" {number}"
    return MemoryRecord(
        id=id,
        content=content,
        scope=choice.choice(SCOPES),
        categories=choice.sample(CATEGORIES, choice.randrange(3)),
        metadata={"n": number % 3, "nested": {"list": [1, None, "two"]}},
        importance=choice.random(),
        created_at=BEGAN + timedelta(microseconds=number),
        last_accessed=BEGAN,
        source=choice.choice([None, "crew"]),
        private=choice.random() < 0.5,
        embedding=storage.embedder([content])[0],
    )


def told(records: list[MemoryRecord]) -> list[dict[str, Any]]:
    return [record.model_dump() for record in records]


def seen_of(storage: StorageBackend) -> Any:
    scopes = ["/", "/ann", "/ann/tea", "/nobody"]
    return (
        told(storage.list_records(limit=1000)),
        [told(storage.list_records(scope, limit=2, offset=1)) for scope in scopes],
        [storage.get_scope_info(scope).model_dump() for scope in scopes],
        [storage.list_scopes(scope) for scope in scopes],
        [sorted(storage.list_categories(scope).items()) for scope in scopes],
        [storage.count(scope) for scope in [None, *scopes]],
        [record and record.model_dump() for record in map(storage.get_record, [*IDS, "nothing"])],
    )


def some_operation(choice: random.Random, storage: CtxdbStorage, present: list[str], number: int) -> Callable[[StorageBackend], Any]:
    kind = choice.random()
    absent = [id for id in IDS if id not in present]
    if kind < 0.5 and absent:
        record = some_record(choice, storage, choice.choice(absent), number)
        return lambda backend: backend.save([record])
    if kind < 0.7 and present:
        record = some_record(choice, storage, choice.choice(present), number)
        return lambda backend: backend.update(record)
    if kind < 0.8:
        ids = choice.sample(IDS, 2)
        return lambda backend: backend.delete(record_ids=ids)
    if kind < 0.9:
        categories = choice.sample(CATEGORIES, 1)
        scope = choice.choice([None, "/ann"])
        return lambda backend: backend.delete(scope_prefix=scope, categories=categories, metadata_filter={"n": 1})
    if kind < 0.95:
        before = BEGAN + timedelta(microseconds=number - 3)
        return lambda backend: backend.delete(older_than=before)
    return lambda backend: backend.reset("/ann/tea")


def test_any_operations_give_what_crewais_own_storage_gives(client: ctxdb.Client, tmp_path: Path) -> None:
    ours, theirs = CtxdbStorage(client), LanceDBStorage(path=str(tmp_path / "lance"))
    assert isinstance(ours, StorageBackend)
    choice = random.Random(26)
    first = some_record(choice, ours, "first", 0)
    for backend in (ours, theirs):
        backend.save([first])
    for number in range(1, 40):
        present = [record.id for record in theirs.list_records(limit=1000) if record.id in IDS]
        operation = some_operation(choice, ours, present, number)
        assert operation(ours) == operation(theirs), number
        if number % 4 == 0:
            assert seen_of(ours) == seen_of(theirs), number


def test_a_search_finds_by_words_and_meaning_within_scope_categories_and_metadata(client: ctxdb.Client) -> None:
    storage = CtxdbStorage(client)
    storage.save(
        [
            MemoryRecord(id="tea", content="Ann prefers green tea.", scope="/ann", categories=["drinks"], metadata={"n": 1}),
            MemoryRecord(id="bob", content="Bob prefers black tea.", scope="/annex", categories=["drinks"], metadata={"n": 2}),
            MemoryRecord(id="six", content="The harbour opens at six.", scope="/ann/places", categories=["hours"]),
        ]
    )

    def ids(query: str, **conditions: Any) -> list[str]:
        return [record.id for record, _ in storage.search(storage.embedder([query])[0], **conditions)]

    assert ids("which tea does Ann like?")[0] == "tea"
    assert ids("when does the harbour open?")[0] == "six"
    assert set(ids("tea", scope_prefix="/ann")) <= {"tea", "six"}
    assert ids("tea", categories=["hours"]) == ["six"]
    assert ids("tea", metadata_filter={"n": 2}) == ["bob"]
    assert len(ids("tea", limit=1)) == 1
    assert ids("tea", min_score=1.1) == []
    assert ids(" ") == []
    found = storage.search(storage.embedder(["tea"])[0])
    assert [score for _, score in found] == sorted((score for _, score in found), reverse=True)
    again = asyncio.run(storage.asearch(storage.embedder(["tea"])[0]))
    assert [record for record, _ in again] == [record for record, _ in found]


def test_a_vector_of_another_embedder_is_refused_by_name(client: ctxdb.Client) -> None:
    with pytest.raises(ValueError, match="embedder=storage.embedder"):
        CtxdbStorage(client).search([0.1, 0.2])


def test_near_copies_within_one_save_are_dropped_and_other_texts_are_not(client: ctxdb.Client) -> None:
    storage = CtxdbStorage(client)
    same, near, other = storage.embedder(["Ann prefers green tea."] * 2 + ["Ann prefers green teas."])[0:3]
    assert same == near != other
    memory = Memory(storage=storage, embedder=storage.embedder)
    said = ["The deploy key is rotated every Friday at noon."] * 2 + ["The harbour opens at six in the morning."]
    memory.remember_many(said, scope="/notes", categories=["facts"], importance=0.5)
    memory.drain_writes()
    assert sorted(record.content for record in storage.list_records()) == sorted(set(said))


def test_a_record_that_others_wrote_there_is_left_out(client: ctxdb.Client) -> None:
    storage = CtxdbStorage(client, root=f"ctx://user/{client.system.status().user}/crews/")
    storage.save([MemoryRecord(id="tea", content="Ann prefers green tea.", scope="/ann")])
    client.content.write(f"ctx://user/{client.system.status().user}/crews/ann/notes.json", "no record", mode="create")
    client.content.write(f"ctx://user/{client.system.status().user}/crews/ann/README.md", "# Notes", mode="create")
    assert [record.id for record in storage.list_records("/ann")] == ["tea"]
    assert [record.id for record, _ in storage.search(storage.embedder(["notes tea"])[0])] == ["tea"]
