"""The layer offers all of the contract: each method has a function, and each field of its request an argument."""

import importlib
import inspect
import pkgutil
import re
from types import ModuleType
from typing import Any

import pytest

from ctxdb import aio
from ctxdb._gen import blocking, messages

#: Fields that a function takes in another form: an upload is its source.
TOLD_OTHERWISE = {"UploadFile": {"header", "chunk"}}


def methods() -> dict[str, Any]:
    """The request of every method, by ``Service/Method``."""
    found = {}
    for module in pkgutil.iter_modules(messages.__path__):
        file = importlib.import_module(f"{messages.__name__}.{module.name}").DESCRIPTOR
        for service in file.services_by_name.values():
            for method in service.methods:
                found[f"{service.name}/{method.name}"] = method.input_type
    return found


def functions(layer: ModuleType) -> dict[str, set[str]]:
    """The arguments of the functions that make a call, by ``Service/Method``."""
    found: dict[str, set[str]] = {}
    for module in pkgutil.iter_modules(layer.__path__):
        groups = filter(inspect.isclass, vars(importlib.import_module(f"{layer.__name__}.{module.name}")).values())
        for function in (each for group in groups for each in vars(group).values() if inspect.isfunction(each)):
            if function.__module__.startswith(layer.__name__):
                for path in re.findall(r'"(\w+Service/\w+)"', inspect.getsource(function)):
                    found.setdefault(path, set()).update(inspect.signature(function).parameters)
    return found


@pytest.mark.parametrize("layer", [aio, blocking], ids=["aio", "blocking"])
def test_every_method_and_every_field_can_be_reached(layer: ModuleType) -> None:
    offered = functions(layer)
    missing = {
        path: {field.name for field in request.fields} - offered.get(path, set()) - TOLD_OTHERWISE.get(path.split("/")[1], set())
        for path, request in methods().items()
    }
    assert {path for path in methods() if path not in offered} == set()
    assert {path: fields for path, fields in missing.items() if fields} == {}


def test_help_explains_every_field_of_the_contract() -> None:
    for module in pkgutil.iter_modules(messages.__path__):
        loaded = importlib.import_module(f"{messages.__name__}.{module.name}")
        own = loaded.DESCRIPTOR.package == "ctxdb.v1"
        for name, message in loaded.DESCRIPTOR.message_types_by_name.items() if own else ():
            doc = inspect.getdoc(getattr(loaded, name)) or ""
            assert all(f"    {field.name}: " in doc for field in message.fields), name


@pytest.mark.parametrize("layer", [aio, blocking], ids=["aio", "blocking"])
def test_help_explains_the_arguments_the_answer_and_the_errors_of_an_operation(layer: ModuleType) -> None:
    find = importlib.import_module(f"{layer.__name__}.search").Search.find
    doc = inspect.getdoc(find) or ""
    assert all(f"    {name}: " in doc for name in inspect.signature(find).parameters if name != "self")
    assert "1 to 1000, default 10" in doc and "INVALID_ARGUMENT" in doc and "ctxdb.Error" in doc and "FindResponse: " in doc


def test_the_stubs_stay_out_of_the_default_protobuf_pool() -> None:
    pool = importlib.import_module("google.protobuf.descriptor_pool").Default()
    for name in ("google/api/annotations.proto", "google/api/http.proto", "grpc/health/v1/health.proto"):
        with pytest.raises(KeyError):
            pool.FindFileByName(name)
