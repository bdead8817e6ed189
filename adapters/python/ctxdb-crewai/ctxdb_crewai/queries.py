"""Vectors that represent texts, for a framework that passes a query's vector to its storage instead of the
words.
"""

from __future__ import annotations

import hashlib
import math
import threading
from collections import OrderedDict
from collections.abc import Sequence

_DIMENSIONS = 256
#: Length in characters of the pieces from which a vector is computed.
_PIECE = 3
#: Longer texts are cut, since their beginnings differ enough.
_MAX_CHARACTERS = 20_000
#: Maximum number of cached texts; a save or a recall needs only a few.
_MAX_KEPT = 4096


class QueryVectors:
    """An embedder without a model: near copies of a text have near vectors, and a text is found again by its vector.

    The server ranks by meaning with vectors of its own. These serve what CrewAI does itself: it drops near copies
    within one save.
    """

    def __init__(self) -> None:
        self._texts: OrderedDict[tuple[float, ...], str] = OrderedDict()
        self._lock = threading.Lock()

    def __call__(self, texts: Sequence[str]) -> list[list[float]]:
        vectors = [_vector(text) for text in texts]
        with self._lock:
            for vector, text in zip(vectors, texts, strict=True):
                self._texts[tuple(vector)] = text
                self._texts.move_to_end(tuple(vector))
            while len(self._texts) > _MAX_KEPT:
                self._texts.popitem(last=False)
        return vectors

    def text_of(self, vector: Sequence[float]) -> str:
        """Returns the recent text with this vector. ValueError for a vector of another embedder."""
        with self._lock:
            text = self._texts.get(tuple(vector))
        if text is None:
            raise ValueError("the vector comes from another embedder: give Memory(storage=storage, embedder=storage.embedder)")
        return text


def _vector(text: str) -> list[float]:
    shown = f" {text[:_MAX_CHARACTERS]} "
    vector = [0.0] * _DIMENSIONS
    for at in range(max(1, len(shown) - _PIECE + 1)):
        digest = hashlib.blake2b(shown[at : at + _PIECE].encode("utf-8", "surrogatepass"), digest_size=4).digest()
        vector[int.from_bytes(digest[:2], "big") % _DIMENSIONS] += 1.0 if digest[2] % 2 else -1.0
    # distinguishes texts with the same pieces without changing their direction
    vector[0] += int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=4).digest(), "big") / 2**40
    length = math.sqrt(sum(value * value for value in vector)) or 1.0
    return [value / length for value in vector]
