from ctxdb._gen.messages import queue_status_pb2 as _queue_status_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class GetStatusRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetStatusResponse(_message.Message):
    __slots__ = ("initialized", "version", "user", "account", "role", "uptime")
    INITIALIZED_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    USER_FIELD_NUMBER: _ClassVar[int]
    ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    UPTIME_FIELD_NUMBER: _ClassVar[int]
    initialized: bool
    version: str
    user: str
    account: str
    role: str
    uptime: float
    def __init__(self, initialized: _Optional[bool] = ..., version: _Optional[str] = ..., user: _Optional[str] = ..., account: _Optional[str] = ..., role: _Optional[str] = ..., uptime: _Optional[float] = ...) -> None: ...

class GetUsageRequest(_message.Message):
    __slots__ = ("account_id",)
    ACCOUNT_ID_FIELD_NUMBER: _ClassVar[int]
    account_id: str
    def __init__(self, account_id: _Optional[str] = ...) -> None: ...

class GetUsageResponse(_message.Message):
    __slots__ = ("account_id", "resources", "retention")
    ACCOUNT_ID_FIELD_NUMBER: _ClassVar[int]
    RESOURCES_FIELD_NUMBER: _ClassVar[int]
    RETENTION_FIELD_NUMBER: _ClassVar[int]
    account_id: str
    resources: _containers.RepeatedCompositeFieldContainer[ResourceUsage]
    retention: _containers.RepeatedCompositeFieldContainer[Retention]
    def __init__(self, account_id: _Optional[str] = ..., resources: _Optional[_Iterable[_Union[ResourceUsage, _Mapping]]] = ..., retention: _Optional[_Iterable[_Union[Retention, _Mapping]]] = ...) -> None: ...

class Retention(_message.Message):
    __slots__ = ("kind", "days", "source")
    KIND_FIELD_NUMBER: _ClassVar[int]
    DAYS_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    kind: str
    days: float
    source: str
    def __init__(self, kind: _Optional[str] = ..., days: _Optional[float] = ..., source: _Optional[str] = ...) -> None: ...

class ResourceUsage(_message.Message):
    __slots__ = ("resource", "unit", "used", "limit", "source", "resets_at")
    RESOURCE_FIELD_NUMBER: _ClassVar[int]
    UNIT_FIELD_NUMBER: _ClassVar[int]
    USED_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    RESETS_AT_FIELD_NUMBER: _ClassVar[int]
    resource: str
    unit: str
    used: float
    limit: float
    source: str
    resets_at: str
    def __init__(self, resource: _Optional[str] = ..., unit: _Optional[str] = ..., used: _Optional[float] = ..., limit: _Optional[float] = ..., source: _Optional[str] = ..., resets_at: _Optional[str] = ...) -> None: ...

class WaitProcessedRequest(_message.Message):
    __slots__ = ("timeout",)
    TIMEOUT_FIELD_NUMBER: _ClassVar[int]
    timeout: float
    def __init__(self, timeout: _Optional[float] = ...) -> None: ...

class WaitProcessedResponse(_message.Message):
    __slots__ = ("semantic_queue", "vector_queue", "pending", "in_progress", "processed", "errors")
    SEMANTIC_QUEUE_FIELD_NUMBER: _ClassVar[int]
    VECTOR_QUEUE_FIELD_NUMBER: _ClassVar[int]
    PENDING_FIELD_NUMBER: _ClassVar[int]
    IN_PROGRESS_FIELD_NUMBER: _ClassVar[int]
    PROCESSED_FIELD_NUMBER: _ClassVar[int]
    ERRORS_FIELD_NUMBER: _ClassVar[int]
    semantic_queue: _queue_status_pb2.QueueCounts
    vector_queue: _queue_status_pb2.QueueCounts
    pending: int
    in_progress: int
    processed: int
    errors: int
    def __init__(self, semantic_queue: _Optional[_Union[_queue_status_pb2.QueueCounts, _Mapping]] = ..., vector_queue: _Optional[_Union[_queue_status_pb2.QueueCounts, _Mapping]] = ..., pending: _Optional[int] = ..., in_progress: _Optional[int] = ..., processed: _Optional[int] = ..., errors: _Optional[int] = ...) -> None: ...
