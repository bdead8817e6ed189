"""Runs LangGraph's own test suite for checkpointers, with every capability."""

import asyncio
import os
import uuid
from collections.abc import AsyncGenerator

import ctxdb
import pytest
from langgraph.checkpoint.conformance import checkpointer_test, validate
from langgraph.checkpoint.conformance.capabilities import ALL_CAPABILITIES
from langgraph.checkpoint.conformance.report import CapabilityReport

from ctxdb_langgraph import CtxdbSaver


@checkpointer_test(name="CtxdbSaver")
async def ctxdb_saver() -> AsyncGenerator[CtxdbSaver, None]:
    with ctxdb.connect(os.environ["CTXDB_ADDRESS"], user=f"u{uuid.uuid4().hex}") as client:
        yield CtxdbSaver(client)


@pytest.fixture(scope="module")
def report() -> CapabilityReport:
    return asyncio.run(validate(ctxdb_saver))


@pytest.mark.parametrize("capability", sorted(each.value for each in ALL_CAPABILITIES))
def test_the_checkpointer_passes_the_conformance_suite_of_langgraph(report: CapabilityReport, capability: str) -> None:
    result = report.results[capability]
    assert result.detected
    assert result.failures == []
    assert result.passed
