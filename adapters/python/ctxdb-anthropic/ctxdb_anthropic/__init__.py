"""Claude's memory tool on ctxdb: the files under /memories are the user's memories on the server."""

from ctxdb_anthropic.memory_tool import AsyncCtxdbMemoryTool, CtxdbMemoryTool

__all__ = ["AsyncCtxdbMemoryTool", "CtxdbMemoryTool"]
__version__ = "0.1.0"
