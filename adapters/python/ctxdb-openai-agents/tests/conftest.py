"""Creates a new user for each test, on the server at CTXDB_ADDRESS, which `npm run test:adapters` starts."""

import os
import uuid
from collections.abc import Iterator

import ctxdb
import pytest


@pytest.fixture
def client() -> Iterator[ctxdb.Client]:
    with ctxdb.connect(os.environ["CTXDB_ADDRESS"], user=f"u{uuid.uuid4().hex}") as made:
        yield made
