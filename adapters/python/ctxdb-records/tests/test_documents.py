"""Tests documents with arbitrary keys, and conversations as memories."""

import ctxdb
import pytest

from ctxdb_records import Documents, Said, own_folder, remember, session_name

KEYS = ["a", "a/b", "..", ".abstract.md", "kärnten", "漢" * 200, "a.json", "~", "%", ""]


def test_documents_come_back_by_their_keys_which_may_be_any_text(client: ctxdb.Client) -> None:
    documents = Documents(client, lambda: own_folder(client, "shelf"))
    documents.put({key: {"text": f"about {key}", "odd": ["\0", "\ud800", None]} for key in KEYS})
    assert [found.key for found in documents.get([*KEYS, "missing"])] == KEYS
    assert sorted(found.key for found in documents.all()) == sorted(KEYS)
    assert documents.get(["a"])[0].fields == {"text": "about a", "odd": ["\0", "\ud800", None]}
    documents.remove(["a", "missing"])
    assert documents.get(["a"]) == []
    documents.clear()
    assert [*documents.all()] == []


def test_a_search_asks_for_more_where_a_condition_leaves_too_few(client: ctxdb.Client) -> None:
    documents = Documents(client, own_folder(client, "notes"))
    documents.put({str(number): {"text": f"note {number} about green tea", "number": number} for number in range(20)})
    found = documents.search("green tea", 3, lambda one: one.fields["number"] > 16)
    assert len(found) == 3 and all(one.fields["number"] > 16 and 0 < one.score <= 1 for one in found)
    assert documents.search("green tea", 0) == []


def test_a_search_that_asks_for_more_still_returns_the_best_first(client: ctxdb.Client) -> None:
    documents = Documents(client, own_folder(client, "notes"))
    documents.put({str(number): {"text": f"note {number} about green tea", "number": number} for number in range(40)})
    for divisor in (2, 3, 5, 7):
        found = documents.search("green tea", 7, lambda one, divisor=divisor: one.fields["number"] % divisor == 0)
        assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)


def test_files_that_others_have_put_into_the_folder_are_left_out(client: ctxdb.Client) -> None:
    folder = own_folder(client, "mixed")
    documents = Documents(client, folder)
    documents.put({"mine": {"text": "green tea"}})
    for name, text in (("note.md", "green tea"), ("broken.json", "{"), ("list.json", "[1]"), ("%zz.json", "{}")):
        client.content.write(f"{folder}/{name}", text, mode="create")
    assert [found.key for found in documents.all()] == ["mine"]
    assert {found.key for found in documents.search("green tea", 10)} == {"mine"}


def test_nothing_is_written_where_one_document_is_no_json(client: ctxdb.Client) -> None:
    documents = Documents(client, own_folder(client, "whole"))
    with pytest.raises(ValueError):
        documents.put({"a": {"number": 1}, "b": {"number": float("nan")}})
    assert [*documents.all()] == []


def test_a_message_is_remembered_once_unless_its_mark_differs(client: ctxdb.Client) -> None:
    session = session_name("test", "a/b 漢")
    said = [Said("user", "I prefer green tea."), Said("system", "Be kind."), Said("assistant", " ")]
    assert remember(client, session, said) > 0
    assert remember(client, session, said) == 0
    remember(client, session, [*said, Said("user", "I prefer green tea.", mark="2")], commit=False)
    assert client.sessions.get(session).message_count == 1
