"""Any text as the path of a node, and back.

A segment of a URI has at most 255 bytes, is brought to NFC, and cannot be ``..`` or hold ``/``; a key of a framework may be any text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

#: Characters that are not escaped. A full stop is escaped, so that an adapter's own names (``item.json``)
#: never collide with keys.
_PLAIN = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-@+=,: ")
#: Maximum bytes of a segment: leaves room for a suffix within the server's 255.
_SEGMENT = 200
_EMPTY = "%"
_CONTINUES = "~"
_ESCAPES = re.compile(r"(?:%[0-9A-F]{2}|[A-Za-z0-9_\-@+=,: ])*")


def key_path(key: str) -> str:
    """Returns a key as one segment, or as several if it is long: a segment that ends in ``~`` continues in
    the next one.
    """
    pieces = [""]
    for byte in key.encode("utf-8", "surrogatepass"):
        escaped = chr(byte) if byte in _PLAIN else f"%{byte:02X}"
        if len(pieces[-1]) + len(escaped) > _SEGMENT:
            pieces[-1] += _CONTINUES
            pieces.append("")
        pieces[-1] += escaped
    return "/".join(pieces) if pieces[-1] else _EMPTY


def take_key(segments: Sequence[str]) -> tuple[str, int] | None:
    """Returns the key in the first segments and the number of these segments, or None if they contain none."""
    text = ""
    for count, segment in enumerate(segments, 1):
        piece = segment.removesuffix(_CONTINUES)
        text += piece
        if piece == segment:
            key = _unescaped(text)
            # other names may decode to the same key, but only the one of `key_path` is its own
            return None if key is None or key_path(key).split("/") != list(segments[:count]) else (key, count)
    return None


def below(uri: str, folder: str, suffix: str = "") -> list[str]:
    """Returns the segments of a URI below a folder, without the suffix of the last one; none for any other URI.

    Schemes are ignored and names compared in NFC, because a server answers in NFC and with its own scheme (``CTXDB_URI_SCHEME``, or
    ``viking`` with ``CTXDB_COMPAT=openviking``), however the call named the folder.
    """
    path, outer = _segments(uri), _segments(folder)
    left = path[len(outer) :]
    if not left or path[: len(outer)] != outer or not left[-1].endswith(suffix):
        return []
    return [*left[:-1], left[-1].removesuffix(suffix)]


def _segments(uri: str) -> list[str]:
    return [segment for segment in unicodedata.normalize("NFC", uri.partition("://")[2]).split("/") if segment]


def _unescaped(text: str) -> str | None:
    if text == _EMPTY:
        return ""
    if not text or not _ESCAPES.fullmatch(text):
        return None
    escaped = re.sub(rb"%(..)", lambda match: bytes([int(match[1], 16)]), text.encode("ascii"))
    try:
        return escaped.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return None


def newest_first(id: str) -> str:
    """Converts an id to a name with the opposite order: with growing ids, the newest is the first entry of
    its folder.
    """
    return bytes(0xFF - byte for byte in id.encode("utf-8", "surrogatepass")).hex() + _CONTINUES


def from_newest_first(name: str) -> str:
    """Returns the id of a name created by :func:`newest_first`. ValueError for any other name."""
    return bytes(0xFF - byte for byte in bytes.fromhex(name.removesuffix(_CONTINUES))).decode("utf-8", "surrogatepass")
