"""The OpenAI Agents SDK on ctxdb: sessions that survive the process and become memories."""

from ctxdb_openai_agents.session import CtxdbSession

__all__ = ["CtxdbSession"]
__version__ = "0.1.0"
