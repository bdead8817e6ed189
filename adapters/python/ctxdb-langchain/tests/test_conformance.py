"""Runs LangChain's own test suites."""

from typing import Any

import ctxdb
import pytest
from langchain_core.retrievers import BaseRetriever
from langchain_core.vectorstores import VectorStore
from langchain_tests.integration_tests import (
    BaseStoreAsyncTests,
    BaseStoreSyncTests,
    RetrieversIntegrationTests,
    VectorStoreIntegrationTests,
)

from ctxdb_langchain import CtxdbByteStore, CtxdbRetriever, CtxdbVectorStore


class TestVectorStore(VectorStoreIntegrationTests):
    @pytest.fixture
    def vectorstore(self, client: ctxdb.Client) -> VectorStore:
        return CtxdbVectorStore(client)


class TestByteStore(BaseStoreSyncTests[bytes]):
    @pytest.fixture
    def kv_store(self, client: ctxdb.Client) -> CtxdbByteStore:
        return CtxdbByteStore(client)

    @pytest.fixture
    def three_values(self) -> tuple[bytes, bytes, bytes]:
        return b"foo", b"", bytes(range(256))


class TestByteStoreAsync(BaseStoreAsyncTests[bytes]):
    @pytest.fixture
    async def kv_store(self, client: ctxdb.Client) -> CtxdbByteStore:
        return CtxdbByteStore(client)

    @pytest.fixture
    def three_values(self) -> tuple[bytes, bytes, bytes]:
        return b"foo", b"", bytes(range(256))


class TestRetriever(RetrieversIntegrationTests):
    @pytest.fixture(autouse=True)
    def _connected(self, client: ctxdb.Client) -> None:
        self.client = client
        user = client.system.status().user
        for number in range(5):
            client.content.write(
                f"ctx://user/{user}/notes/{number}.md", f"# Tea {number}\n\nGreen tea is brewed at {number} degrees.\n", mode="create"
            )

    @property
    def retriever_constructor(self) -> type[BaseRetriever]:
        return CtxdbRetriever

    @property
    def retriever_constructor_params(self) -> dict[str, Any]:
        return {"client": self.client}

    @property
    def retriever_query_example(self) -> str:
        return "how is green tea brewed?"
