"""Between Python's values and the JSON values of the contract."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from google.protobuf import json_format
from google.protobuf.struct_pb2 import Struct, Value

Json = str | float | bool | None | Mapping[str, Any] | Sequence[Any]


def to_value(value: Json | None) -> Value | None:
    """None stays None, the absent field."""
    return None if value is None else json_format.Parse(json.dumps(value), Value())


def to_struct(value: Mapping[str, Any] | None) -> Struct | None:
    """None stays None, the absent field."""
    return None if value is None else json_format.ParseDict(dict(value), Struct())


def to_python(value: Value | Struct) -> Any:
    """Text, numbers, lists and dictionaries."""
    return json_format.MessageToDict(value)


class Text(str):
    """A file as text, with the hash of its content as ``etag``, for ``if_match`` of ``content.write``."""

    etag: str

    def __new__(cls, content: str, etag: str) -> Text:
        made = super().__new__(cls, content)
        made.etag = etag
        return made


@dataclass(frozen=True)
class Entry:
    """A file or folder in a list.

    ``size`` is in bytes; ``mtime`` and ``ctime`` are Unix times in seconds; ``mod_time`` is ISO 8601. ``rel_path`` is set in trees and
    recursive lists. ``output="agent"`` sets ``abstract``, and of the other fields only ``uri``, ``size``, ``is_dir`` and ``mod_time``.
    ``source`` is the URI of the file from which the server derived the entry, for example of a section of a document.
    """

    uri: str
    name: str = ""
    is_dir: bool = False
    size: int = 0
    mode: int = 0
    mtime: float | None = None
    ctime: float | None = None
    mod_time: str = ""
    rel_path: str = ""
    abstract: str = ""
    source: str = ""


def to_entry(value: Value) -> Entry:
    fields = to_python(value)
    return Entry(
        uri=fields["uri"],
        name=fields.get("name", ""),
        is_dir=fields.get("isDir", False),
        size=int(fields.get("size", 0)),
        mode=int(fields.get("mode", 0)),
        mtime=fields.get("mtime"),
        ctime=fields.get("ctime"),
        mod_time=fields.get("modTime", ""),
        rel_path=fields.get("rel_path", ""),
        abstract=fields.get("abstract", ""),
        source=fields.get("source", ""),
    )
