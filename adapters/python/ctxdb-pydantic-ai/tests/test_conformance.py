"""Runs Pydantic AI's own test suite for workspace backends."""

from collections.abc import Awaitable, Callable

import ctxdb
import pytest
from pydantic_ai.workspaces import WorkspaceBackend, WorkspaceRef
from pydantic_ai.workspaces.conformance import WorkspaceBackendSuite

from ctxdb_pydantic_ai import CtxdbWorkspaceBackend


class TestCtxdbWorkspaceBackend(WorkspaceBackendSuite):
    @pytest.fixture
    def anyio_backend(self) -> str:
        return "asyncio"

    @pytest.fixture
    def backend(self, client: ctxdb.Client) -> WorkspaceBackend:
        return CtxdbWorkspaceBackend(client)

    @pytest.fixture
    def fresh_backend(self, client: ctxdb.Client) -> Callable[[], WorkspaceBackend]:
        return lambda: CtxdbWorkspaceBackend(client)

    @pytest.fixture
    def attach_backend(self, client: ctxdb.Client) -> Callable[[WorkspaceRef], WorkspaceBackend]:
        return lambda ref: CtxdbWorkspaceBackend(client, ref=ref)

    @pytest.fixture
    def destroy_environment(self, client: ctxdb.Client) -> Callable[[WorkspaceBackend], Awaitable[None]]:
        async def destroy(backend: WorkspaceBackend) -> None:
            assert backend.ref is not None
            client.fs.rm(backend.ref.id, recursive=True)

        return destroy

    @pytest.fixture
    def can_detect_exit_with_inherited_output_pipes(self) -> bool:
        """There are no commands; the check would wait half a minute before it is skipped."""
        return False
