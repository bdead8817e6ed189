"""Filters of a search, by the rules of LangGraph's own stores."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Any

_ORDER = {"$gt": operator.gt, "$gte": operator.ge, "$lt": operator.lt, "$lte": operator.le}


def matches(value: Mapping[str, Any], conditions: Mapping[str, Any] | None) -> bool:
    """Whether a value matches a filter. ValueError for an unknown operator."""
    return all(_fits(value.get(key), wanted) for key, wanted in (conditions or {}).items())


def _fits(found: Any, wanted: Any) -> bool:
    if isinstance(wanted, Mapping):
        if any(key.startswith("$") for key in wanted):
            return all(_compares(found, name, than) for name, than in wanted.items())
        return isinstance(found, Mapping) and matches(found, wanted)
    if isinstance(wanted, (list, tuple)):
        return (
            isinstance(found, (list, tuple))
            and len(found) == len(wanted)
            and all(_fits(one, other) for one, other in zip(found, wanted, strict=True))
        )
    return bool(found == wanted)


def _compares(found: Any, name: str, than: Any) -> bool:
    if name == "$eq":
        return bool(found == than)
    if name == "$ne":
        return bool(found != than)
    if name not in _ORDER:
        raise ValueError(f"Unsupported operator: {name}")
    try:
        return bool(_ORDER[name](float(found), float(than)))
    except (TypeError, ValueError):
        # a comparison with a non-numeric value never matches
        return False
