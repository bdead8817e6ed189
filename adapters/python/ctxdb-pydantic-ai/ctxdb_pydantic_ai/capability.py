"""A capability that gives each agent run a workspace in ctxdb."""

from __future__ import annotations

import re
from dataclasses import KW_ONLY, dataclass

import ctxdb
from pydantic_ai import RunContext
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.tools import AgentDepsT
from pydantic_ai.workspaces import WorkspaceBackend, WorkspaceRef

from ctxdb_pydantic_ai.workspace import PROVIDER, CtxdbWorkspaceBackend

_OWN = re.compile(r"ctx://user/[^/]+/workspaces/[0-9a-f]{32}")


@dataclass
class CtxdbWorkspace(AbstractCapability[AgentDepsT]):
    """Gives each conversation its own folder, which later runs find through the reference in the message history."""

    client: ctxdb.Client
    _: KW_ONLY
    parent: str | None = None
    """Parent of new folders. Default: ``ctx://user/<user>/workspaces``."""
    id: str | None = "ctxdb_workspace"

    def get_workspace(self, ctx: RunContext[AgentDepsT], *, ref: WorkspaceRef | None) -> WorkspaceBackend | None:
        # a reference in a message history may be forged: it can only name folders that this capability
        # creates
        if ref is not None and not (ref.provider == PROVIDER and self._is_own(ref.id)):
            return None
        return CtxdbWorkspaceBackend(self.client, ref=ref, parent=self.parent)

    def _is_own(self, uri: str) -> bool:
        if self.parent is None:
            return _OWN.fullmatch(uri) is not None
        parent, _, name = uri.rpartition("/")
        return parent == self.parent and re.fullmatch(r"[0-9a-f]{32}", name) is not None
