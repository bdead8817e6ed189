"""Pydantic AI on ctxdb: workspaces whose files survive the run and can be searched."""

from ctxdb_pydantic_ai.capability import CtxdbWorkspace
from ctxdb_pydantic_ai.workspace import CtxdbWorkspaceBackend

__all__ = ["CtxdbWorkspace", "CtxdbWorkspaceBackend"]
__version__ = "0.1.0"
