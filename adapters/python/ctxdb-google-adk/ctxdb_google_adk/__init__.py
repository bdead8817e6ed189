"""Google's Agent Development Kit on ctxdb: sessions that survive the process, and a memory that is searched
by meaning.
"""

from ctxdb_google_adk.memory_service import CtxdbMemoryService
from ctxdb_google_adk.session_service import CtxdbSessionService

__all__ = ["CtxdbMemoryService", "CtxdbSessionService"]
__version__ = "0.1.0"
