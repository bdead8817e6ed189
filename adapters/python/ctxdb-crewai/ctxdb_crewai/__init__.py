"""Memory storage of CrewAI in ctxdb. The server embeds and searches; no embedding model is needed."""

from ctxdb_crewai.queries import QueryVectors
from ctxdb_crewai.storage import CtxdbStorage

__all__ = ["CtxdbStorage", "QueryVectors"]
__version__ = "0.1.0"
