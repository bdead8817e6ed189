"""CrewAI on ctxdb: memories of a crew, found with the server's own vectors and words."""

from ctxdb_crewai.queries import QueryVectors
from ctxdb_crewai.storage import CtxdbStorage

__all__ = ["CtxdbStorage", "QueryVectors"]
__version__ = "0.1.0"
