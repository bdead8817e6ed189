"""Keys as paths."""

import random

import pytest

from ctxdb_records import below, from_newest_first, key_path, newest_first, take_key

KEYS = [
    "",
    ".",
    "..",
    "a/b",
    "~",
    "a~",
    "%",
    "%41",
    ".abstract.md",
    "kärnten",
    "ka\u0308rnten",
    "\ud800",
    "\0",
    "漢" * 500,
    "k" * 200,
    "k" * 201,
]


def some_key(choice: random.Random) -> str:
    return "".join(chr(choice.choice([choice.randrange(128), choice.randrange(0x11000)])) for _ in range(choice.randrange(300)))


@pytest.mark.parametrize("key", [*KEYS, *(some_key(random.Random(seed)) for seed in range(200))])
def test_a_key_comes_back_from_its_path_and_every_segment_is_a_legal_name(key: str) -> None:
    segments = key_path(key).split("/")
    assert take_key([*segments, "more"]) == (key, len(segments))
    assert all(0 < len(segment) <= 201 and segment.isascii() and segment.isprintable() for segment in segments)
    assert not any("." in segment for segment in segments)


def test_different_keys_have_different_paths_and_none_is_the_beginning_of_another() -> None:
    paths = [key_path(key).split("/") for key in KEYS]
    for one in paths:
        assert [other for other in paths if other[: len(one)] == one] == [one]


@pytest.mark.parametrize("segments", [[], ["a.json"], ["a~"], ["%4"], ["%zz"], ["%ff"], ["é"], [""], ["%41"], ["a~", "b"]])
def test_a_name_that_no_key_has_is_none(segments: list[str]) -> None:
    assert take_key(segments) is None


@pytest.mark.parametrize(
    ("uri", "segments"),
    [
        ("ctx://user/ann/caf\u00e9/a/b.json", ["a", "b"]),
        ("viking://user/ann/caf\u00e9/a/b.json", ["a", "b"]),
        ("viking://user/ann/caf\u00e9/a.json", ["a"]),
        ("ctx://user/ann/caf\u00e9", []),
        ("ctx://user/ann/caf\u00e9s/a.json", []),
        ("ctx://user/bob/caf\u00e9/a.json", []),
        ("ctx://user/ann/caf\u00e9/a.md", []),
    ],
)
def test_what_is_below_a_folder_does_not_depend_on_how_the_server_writes_its_uris(uri: str, segments: list[str]) -> None:
    for folder in ("ctx://user/ann/cafe\u0301", "ctx://user/ann/caf\u00e9/"):
        assert below(uri, folder, ".json") == segments


def test_names_of_ids_sort_the_other_way_round() -> None:
    ids = ["", "1", "10", "1ef-a", "1ef-b", "2", "z", "é", "漢"]
    assert sorted(ids) == ids
    names = [newest_first(id) for id in ids]
    assert sorted(names, reverse=True) == names
    assert [from_newest_first(name) for name in names] == ids
