from ctxdb._gen.messages import file_chunk_pb2 as _file_chunk_pb2
from ctxdb._gen.messages import queue_status_pb2 as _queue_status_pb2
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ReadContentRequest(_message.Message):
    __slots__ = ("uri", "offset", "limit")
    URI_FIELD_NUMBER: _ClassVar[int]
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    uri: str
    offset: int
    limit: int
    def __init__(self, uri: _Optional[str] = ..., offset: _Optional[int] = ..., limit: _Optional[int] = ...) -> None: ...

class ReadContentResponse(_message.Message):
    __slots__ = ("content",)
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    content: str
    def __init__(self, content: _Optional[str] = ...) -> None: ...

class DownloadContentRequest(_message.Message):
    __slots__ = ("uri",)
    URI_FIELD_NUMBER: _ClassVar[int]
    uri: str
    def __init__(self, uri: _Optional[str] = ...) -> None: ...

class GetAbstractRequest(_message.Message):
    __slots__ = ("uri",)
    URI_FIELD_NUMBER: _ClassVar[int]
    uri: str
    def __init__(self, uri: _Optional[str] = ...) -> None: ...

class GetAbstractResponse(_message.Message):
    __slots__ = ("abstract",)
    ABSTRACT_FIELD_NUMBER: _ClassVar[int]
    abstract: str
    def __init__(self, abstract: _Optional[str] = ...) -> None: ...

class GetOverviewRequest(_message.Message):
    __slots__ = ("uri",)
    URI_FIELD_NUMBER: _ClassVar[int]
    uri: str
    def __init__(self, uri: _Optional[str] = ...) -> None: ...

class GetOverviewResponse(_message.Message):
    __slots__ = ("overview",)
    OVERVIEW_FIELD_NUMBER: _ClassVar[int]
    overview: str
    def __init__(self, overview: _Optional[str] = ...) -> None: ...

class WriteContentRequest(_message.Message):
    __slots__ = ("uri", "content", "mode", "wait", "timeout", "if_match", "idempotency_key")
    URI_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    MODE_FIELD_NUMBER: _ClassVar[int]
    WAIT_FIELD_NUMBER: _ClassVar[int]
    TIMEOUT_FIELD_NUMBER: _ClassVar[int]
    IF_MATCH_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    uri: str
    content: str
    mode: str
    wait: bool
    timeout: float
    if_match: str
    idempotency_key: str
    def __init__(self, uri: _Optional[str] = ..., content: _Optional[str] = ..., mode: _Optional[str] = ..., wait: _Optional[bool] = ..., timeout: _Optional[float] = ..., if_match: _Optional[str] = ..., idempotency_key: _Optional[str] = ...) -> None: ...

class WriteContentResponse(_message.Message):
    __slots__ = ("uri", "mode", "written_bytes", "queue_status")
    URI_FIELD_NUMBER: _ClassVar[int]
    MODE_FIELD_NUMBER: _ClassVar[int]
    WRITTEN_BYTES_FIELD_NUMBER: _ClassVar[int]
    QUEUE_STATUS_FIELD_NUMBER: _ClassVar[int]
    uri: str
    mode: str
    written_bytes: int
    queue_status: _queue_status_pb2.QueueStatus
    def __init__(self, uri: _Optional[str] = ..., mode: _Optional[str] = ..., written_bytes: _Optional[int] = ..., queue_status: _Optional[_Union[_queue_status_pb2.QueueStatus, _Mapping]] = ...) -> None: ...
