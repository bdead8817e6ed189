"""Docs where ``help()`` looks for them: fields with their units, defaults and errors, on messages and operations."""

from __future__ import annotations

import importlib
import pkgutil
from inspect import cleandoc

from ctxdb import aio
from ctxdb._gen import blocking, docs, messages

_ERRORS = "An error in capitals is raised as the class of ctxdb of that name: NOT_FOUND as ctxdb.NotFound; all are a ctxdb.Error."


def attach() -> None:
    """Gives the generated docs to the messages and to the operations of both layers."""
    for info in pkgutil.iter_modules(messages.__path__):
        module = importlib.import_module(f"{messages.__name__}.{info.name}")
        for name in module.DESCRIPTOR.message_types_by_name:
            if (text := docs.MESSAGES.get(name)) is not None:
                getattr(module, name).__doc__ = text
    for path, text in docs.CALLS.items():
        module_name, group, name = path.split(".")
        for layer in (aio, blocking):
            function = getattr(getattr(importlib.import_module(f"{layer.__name__}.{module_name}"), group), name)
            function.__doc__ = "\n\n".join((cleandoc(function.__doc__ or ""), text, _ERRORS))
