"""Compares a result with its expectation (clients/README.md, "Expectations")."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

#: Represents a missing value.
ABSENT = object()


def mismatch(wanted: Any, found: Any, at: str = "result") -> str | None:
    """Why something does not fit; None where it does."""
    return next(mismatches(wanted, found, at), None)


def mismatches(wanted: Any, found: Any, at: str) -> Iterator[str]:
    if isinstance(wanted, Mapping) and any(key.startswith("$") for key in wanted):
        for rule, value in wanted.items():
            if not RULES[rule](value, found):
                yield f"{at}: {show(found)} does not fit {rule} {show(value)}"
    elif isinstance(wanted, Mapping):
        if not isinstance(found, Mapping):
            yield f"{at}: {show(found)} is not an object"
            return
        for key, value in wanted.items():
            yield from mismatches(value, found.get(key, ABSENT), f"{at}.{key}")
    elif isinstance(wanted, list):
        if not isinstance(found, list) or len(found) != len(wanted):
            yield f"{at}: {show(found)} is not a list of {len(wanted)}"
            return
        for index, value in enumerate(wanted):
            yield from mismatches(value, found[index], f"{at}.{index}")
    elif wanted != found or isinstance(wanted, bool) != isinstance(found, bool):
        yield f"{at}: {show(found)} is not {show(wanted)}"


def show(value: Any) -> str:
    return "nothing" if value is ABSENT else json.dumps(value, ensure_ascii=False)[:300]


def contains(wanted: Any, found: Any) -> bool:
    if isinstance(found, list):
        return any(mismatch(wanted, one) is None for one in found)
    return isinstance(found, str) and wanted in found


def is_number(found: Any) -> bool:
    return isinstance(found, (int, float)) and not isinstance(found, bool)


RULES: Mapping[str, Callable[[Any, Any], bool]] = {
    "$contains": contains,
    "$all": lambda wanted, found: all(mismatch(one, found) is None for one in wanted),
    "$not": lambda wanted, found: mismatch(wanted, found) is not None,
    "$exists": lambda wanted, found: (found is not ABSENT) == wanted,
    "$length": lambda wanted, found: isinstance(found, (list, str)) and len(found) == wanted,
    "$min": lambda wanted, found: is_number(found) and found >= wanted,
    "$max": lambda wanted, found: is_number(found) and found <= wanted,
    "$startsWith": lambda wanted, found: isinstance(found, str) and found.startswith(wanted),
    "$matches": lambda wanted, found: isinstance(found, str) and re.search(wanted, found) is not None,
}
