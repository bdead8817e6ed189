"""ctxdb, the context database for AI agents: the client.

``with ctxdb.connect() as client: …`` blocks, ``async with ctxdb.aio.connect() as client: …`` is the same for asyncio.
"""

from ctxdb import _docs, aio
from ctxdb._gen.blocking import Client, connect
from ctxdb._settings import VERSION as __version__
from ctxdb._values import Entry, Text, to_python
from ctxdb.errors import (
    AlreadyExists,
    Cancelled,
    DeadlineExceeded,
    EmbeddingFailed,
    Error,
    FailedPrecondition,
    Internal,
    InvalidArgument,
    InvalidUri,
    NotFound,
    PermissionDenied,
    ResourceExhausted,
    SessionExpired,
    Unauthenticated,
    Unavailable,
    Unimplemented,
    VlmFailed,
)

__all__ = [
    "AlreadyExists",
    "Cancelled",
    "Client",
    "DeadlineExceeded",
    "EmbeddingFailed",
    "Entry",
    "Error",
    "FailedPrecondition",
    "Internal",
    "InvalidArgument",
    "InvalidUri",
    "NotFound",
    "PermissionDenied",
    "ResourceExhausted",
    "SessionExpired",
    "Text",
    "Unauthenticated",
    "Unavailable",
    "Unimplemented",
    "VlmFailed",
    "__version__",
    "aio",
    "connect",
    "to_python",
]

_docs.attach()
