"""LangGraph on ctxdb: a store for long-term memory, and a checkpointer for threads."""

from ctxdb_langgraph.checkpointer import CtxdbSaver
from ctxdb_langgraph.store import CtxdbStore

__all__ = ["CtxdbSaver", "CtxdbStore"]
__version__ = "0.1.0"
