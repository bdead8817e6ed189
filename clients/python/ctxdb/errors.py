"""What a call can raise: one class for each code of the specification, all below :class:`Error`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import grpc
from google.protobuf import json_format

from ctxdb._gen.messages.error_pb2 import ErrorDetail
from ctxdb._gen.messages.status_pb2 import Status

STATUS_DETAILS = "grpc-status-details-bin"


class Error(Exception):
    """A failed call.

    ``code`` is a code of the API (``NOT_FOUND``, ``INVALID_URI``, …), or the name of the gRPC status if the server sent none.
    ``message`` describes the error for people, ``details`` for programs, for example ``{"resource", "type"}``. ``request_id`` identifies
    the call in the server's log. ``retry_after`` is the time in seconds after which the server asks to retry.
    """

    def __init__(
        self,
        code: str,
        message: str,
        details: Mapping[str, Any] | None = None,
        request_id: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.details = dict(details or {})
        self.request_id = request_id
        self.retry_after = retry_after

    def __reduce__(self) -> tuple[type[Error], tuple[Any, ...]]:
        return type(self), (self.code, self.message, self.details, self.request_id, self.retry_after)


class InvalidArgument(Error):
    """A field has no legal value: ``details`` is ``{"field", "reason"}``."""


class InvalidUri(InvalidArgument):
    """A URI breaks the scheme: ``details`` is ``{"uri", "reason"}``."""


class NotFound(Error):
    """The subject does not exist, or belongs to another user."""


class AlreadyExists(Error):
    """What should be made is there."""


class Unauthenticated(Error):
    """The key is missing or not valid."""


class PermissionDenied(Error):
    """The caller may not do this."""


class ResourceExhausted(Error):
    """A limit is reached."""


class FailedPrecondition(Error):
    """The state of things does not allow it: not empty, not made yet, another ``etag``."""


class SessionExpired(Error):
    """The session was deleted."""


class DeadlineExceeded(Error, TimeoutError):
    """The call took longer than its deadline, or than its ``timeout``; the server continues work that it has started."""


class Unavailable(Error, ConnectionError):
    """The server cannot be reached, or cannot serve just now."""


class Internal(Error):
    """The server failed; its log has the details under ``request_id``."""


class EmbeddingFailed(Internal):
    """The embedding model failed."""


class VlmFailed(Internal):
    """The language model failed."""


class Unimplemented(Error):
    """This server does not offer the operation."""


class Cancelled(Error):
    """The call was cancelled from this side, or the client was closed."""


_CLASSES: Mapping[str, type[Error]] = {
    "INVALID_ARGUMENT": InvalidArgument,
    "INVALID_URI": InvalidUri,
    "NOT_FOUND": NotFound,
    "ALREADY_EXISTS": AlreadyExists,
    "UNAUTHENTICATED": Unauthenticated,
    "PERMISSION_DENIED": PermissionDenied,
    "RESOURCE_EXHAUSTED": ResourceExhausted,
    "FAILED_PRECONDITION": FailedPrecondition,
    "SESSION_EXPIRED": SessionExpired,
    "DEADLINE_EXCEEDED": DeadlineExceeded,
    "UNAVAILABLE": Unavailable,
    "INTERNAL": Internal,
    "EMBEDDING_FAILED": EmbeddingFailed,
    "VLM_FAILED": VlmFailed,
    "UNIMPLEMENTED": Unimplemented,
    "CANCELLED": Cancelled,
}


def make_error(
    code: str, message: str, details: Mapping[str, Any] | None = None, request_id: str | None = None, retry_after: float | None = None
) -> Error:
    """The error of a code, in the class that belongs to it."""
    return _CLASSES.get(code, Error)(code, message, details, request_id, retry_after)


def detail_error(detail: ErrorDetail, request_id: str | None = None, retry_after: float | None = None) -> Error:
    """The error that a server described."""
    return make_error(detail.code, detail.message, json_format.MessageToDict(detail.details), request_id, retry_after)


def status_error(status: grpc.StatusCode, text: str | None, metadata: Mapping[str, str | bytes]) -> Error:
    """The error of a gRPC status with the metadata that came with it."""
    request_id = metadata.get("x-request-id")
    named = request_id if isinstance(request_id, str) else None
    wish = metadata.get("retry-after")
    retry_after = float(wish) if isinstance(wish, str) and wish.isdigit() else None
    packed = metadata.get(STATUS_DETAILS)
    if isinstance(packed, bytes):
        for each in Status.FromString(packed).details:
            detail = ErrorDetail()
            if each.Unpack(detail):
                return detail_error(detail, named, retry_after)
    return make_error(status.name, text or status.name, None, named, retry_after)
