"""Checkpoints that somebody else has written."""

import base64
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ctxdb
import ormsgpack
from ctxdb_records import read_value, write_value
from langchain_core.messages import HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import empty_checkpoint
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from ctxdb_langgraph import CtxdbSaver


@dataclass
class Preference:
    tea: str


def _put(saver: CtxdbSaver, value: Any) -> RunnableConfig:
    checkpoint = empty_checkpoint()
    checkpoint["channel_values"]["kept"] = value
    config: RunnableConfig = {"configurable": {"thread_id": "t", "checkpoint_ns": ""}}
    return saver.put(config, checkpoint, {}, {})


def _kept(saver: CtxdbSaver, config: RunnableConfig) -> Any:
    found = saver.get_tuple(config)
    assert found is not None
    return found.checkpoint["channel_values"]["kept"]


def test_a_stored_checkpoint_cannot_name_a_function_to_call(client: ctxdb.Client, tmp_path: Path) -> None:
    made = tmp_path / "made"
    saver = CtxdbSaver(client)
    config = _put(saver, "tea")
    call = ormsgpack.packb(ormsgpack.Ext(0, ormsgpack.packb(("os", "mkdir", str(made)))))
    (uri,) = client.search.glob_all("**/checkpoints/*.bin", uri=saver._folder())
    value = read_value(client, uri)
    write_value(client, uri, {**value, "metadata": ["msgpack", base64.b64encode(call).decode()]})
    saver.get_tuple(config)
    assert not made.exists()


def test_messages_are_restored_and_own_types_if_they_are_named(client: ctxdb.Client) -> None:
    saver = CtxdbSaver(client)
    message = HumanMessage("I prefer green tea")
    assert _kept(saver, _put(saver, message)) == message
    config = _put(saver, Preference("green"))
    assert _kept(saver, config) == {"tea": "green"}
    named = CtxdbSaver(client, serde=JsonPlusSerializer(allowed_msgpack_modules=[(__name__, "Preference")]))
    assert _kept(named, config) == Preference("green")
