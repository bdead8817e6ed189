"""CrewAI on ctxdb: what a crew remembers, found by the server's own vectors and words."""

from ctxdb_crewai.queries import QueryVectors
from ctxdb_crewai.storage import CtxdbStorage

__all__ = ["CtxdbStorage", "QueryVectors"]
__version__ = "0.1.0"
