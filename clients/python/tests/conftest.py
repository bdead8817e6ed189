"""A live server: the one of this repository, or what CTXDB_SERVER starts (it prints the ready line of ctxdb)."""

import json
import os
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import ctxdb

COMMAND = os.environ.get("CTXDB_SERVER", f"node {Path(__file__).parents[3] / 'dist/src/main.js'}")

MAX_UPLOAD_BYTES = 32 * 1024 * 1024


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    data = tmp_path_factory.mktemp("data")
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("CTXDB_")}
    given = {"PORT": "0", "HOST": "127.0.0.1", "DATA_DIR": str(data), "MAX_UPLOAD_BYTES": str(MAX_UPLOAD_BYTES)}
    settings = {**inherited, **{f"CTXDB_{name}": value for name, value in given.items()}}
    with subprocess.Popen(shlex.split(COMMAND), env=settings, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            lines = (json.loads(line) for line in server.stdout)
            yield f"127.0.0.1:{next(line['port'] for line in lines if line.get('msg') == 'listening')}"
        finally:
            server.terminate()


@pytest.fixture
def client(address: str) -> Iterator[ctxdb.Client]:
    with ctxdb.connect(address) as made:
        yield made
