from ctxdb._gen.messages import file_chunk_pb2 as _file_chunk_pb2
from ctxdb._gen.messages import queue_status_pb2 as _queue_status_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ReadContentRequest(_message.Message):
    __slots__ = ("uri", "offset", "limit", "version", "snapshot")
    URI_FIELD_NUMBER: _ClassVar[int]
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    SNAPSHOT_FIELD_NUMBER: _ClassVar[int]
    uri: str
    offset: int
    limit: int
    version: int
    snapshot: str
    def __init__(self, uri: _Optional[str] = ..., offset: _Optional[int] = ..., limit: _Optional[int] = ..., version: _Optional[int] = ..., snapshot: _Optional[str] = ...) -> None: ...

class ReadContentResponse(_message.Message):
    __slots__ = ("content",)
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    content: str
    def __init__(self, content: _Optional[str] = ...) -> None: ...

class DownloadContentRequest(_message.Message):
    __slots__ = ("uri", "version", "snapshot")
    URI_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    SNAPSHOT_FIELD_NUMBER: _ClassVar[int]
    uri: str
    version: int
    snapshot: str
    def __init__(self, uri: _Optional[str] = ..., version: _Optional[int] = ..., snapshot: _Optional[str] = ...) -> None: ...

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
    __slots__ = ("uri", "token_budget", "group")
    URI_FIELD_NUMBER: _ClassVar[int]
    TOKEN_BUDGET_FIELD_NUMBER: _ClassVar[int]
    GROUP_FIELD_NUMBER: _ClassVar[int]
    uri: str
    token_budget: int
    group: str
    def __init__(self, uri: _Optional[str] = ..., token_budget: _Optional[int] = ..., group: _Optional[str] = ...) -> None: ...

class GetOverviewResponse(_message.Message):
    __slots__ = ("overview",)
    OVERVIEW_FIELD_NUMBER: _ClassVar[int]
    overview: str
    def __init__(self, overview: _Optional[str] = ...) -> None: ...

class ListChunksRequest(_message.Message):
    __slots__ = ("uri", "limit", "cursor")
    URI_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    uri: str
    limit: int
    cursor: str
    def __init__(self, uri: _Optional[str] = ..., limit: _Optional[int] = ..., cursor: _Optional[str] = ...) -> None: ...

class ListChunksResponse(_message.Message):
    __slots__ = ("chunks", "total", "next_cursor")
    CHUNKS_FIELD_NUMBER: _ClassVar[int]
    TOTAL_FIELD_NUMBER: _ClassVar[int]
    NEXT_CURSOR_FIELD_NUMBER: _ClassVar[int]
    chunks: _containers.RepeatedCompositeFieldContainer[Chunk]
    total: int
    next_cursor: str
    def __init__(self, chunks: _Optional[_Iterable[_Union[Chunk, _Mapping]]] = ..., total: _Optional[int] = ..., next_cursor: _Optional[str] = ...) -> None: ...

class Chunk(_message.Message):
    __slots__ = ("index", "level", "start", "end", "title", "text", "terms", "spaces")
    INDEX_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    START_FIELD_NUMBER: _ClassVar[int]
    END_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    TERMS_FIELD_NUMBER: _ClassVar[int]
    SPACES_FIELD_NUMBER: _ClassVar[int]
    index: int
    level: int
    start: int
    end: int
    title: str
    text: str
    terms: int
    spaces: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, index: _Optional[int] = ..., level: _Optional[int] = ..., start: _Optional[int] = ..., end: _Optional[int] = ..., title: _Optional[str] = ..., text: _Optional[str] = ..., terms: _Optional[int] = ..., spaces: _Optional[_Iterable[str]] = ...) -> None: ...

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

class WriteFilesRequest(_message.Message):
    __slots__ = ("files", "wait", "timeout", "idempotency_key")
    FILES_FIELD_NUMBER: _ClassVar[int]
    WAIT_FIELD_NUMBER: _ClassVar[int]
    TIMEOUT_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    files: _containers.RepeatedCompositeFieldContainer[FileWrite]
    wait: bool
    timeout: float
    idempotency_key: str
    def __init__(self, files: _Optional[_Iterable[_Union[FileWrite, _Mapping]]] = ..., wait: _Optional[bool] = ..., timeout: _Optional[float] = ..., idempotency_key: _Optional[str] = ...) -> None: ...

class FileWrite(_message.Message):
    __slots__ = ("uri", "content", "mode", "if_match")
    URI_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    MODE_FIELD_NUMBER: _ClassVar[int]
    IF_MATCH_FIELD_NUMBER: _ClassVar[int]
    uri: str
    content: str
    mode: str
    if_match: str
    def __init__(self, uri: _Optional[str] = ..., content: _Optional[str] = ..., mode: _Optional[str] = ..., if_match: _Optional[str] = ...) -> None: ...

class WriteFilesResponse(_message.Message):
    __slots__ = ("files", "queue_status")
    FILES_FIELD_NUMBER: _ClassVar[int]
    QUEUE_STATUS_FIELD_NUMBER: _ClassVar[int]
    files: _containers.RepeatedCompositeFieldContainer[WrittenFile]
    queue_status: _queue_status_pb2.QueueStatus
    def __init__(self, files: _Optional[_Iterable[_Union[WrittenFile, _Mapping]]] = ..., queue_status: _Optional[_Union[_queue_status_pb2.QueueStatus, _Mapping]] = ...) -> None: ...

class WrittenFile(_message.Message):
    __slots__ = ("uri", "mode", "written_bytes", "etag")
    URI_FIELD_NUMBER: _ClassVar[int]
    MODE_FIELD_NUMBER: _ClassVar[int]
    WRITTEN_BYTES_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    uri: str
    mode: str
    written_bytes: int
    etag: str
    def __init__(self, uri: _Optional[str] = ..., mode: _Optional[str] = ..., written_bytes: _Optional[int] = ..., etag: _Optional[str] = ...) -> None: ...

class ListVersionsRequest(_message.Message):
    __slots__ = ("uri", "limit", "cursor")
    URI_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    uri: str
    limit: int
    cursor: str
    def __init__(self, uri: _Optional[str] = ..., limit: _Optional[int] = ..., cursor: _Optional[str] = ...) -> None: ...

class ListVersionsResponse(_message.Message):
    __slots__ = ("versions", "total", "next_cursor")
    VERSIONS_FIELD_NUMBER: _ClassVar[int]
    TOTAL_FIELD_NUMBER: _ClassVar[int]
    NEXT_CURSOR_FIELD_NUMBER: _ClassVar[int]
    versions: _containers.RepeatedCompositeFieldContainer[FileVersion]
    total: int
    next_cursor: str
    def __init__(self, versions: _Optional[_Iterable[_Union[FileVersion, _Mapping]]] = ..., total: _Optional[int] = ..., next_cursor: _Optional[str] = ...) -> None: ...

class FileVersion(_message.Message):
    __slots__ = ("version", "is_current", "size", "etag", "modified", "user", "change")
    VERSION_FIELD_NUMBER: _ClassVar[int]
    IS_CURRENT_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    MODIFIED_FIELD_NUMBER: _ClassVar[int]
    USER_FIELD_NUMBER: _ClassVar[int]
    CHANGE_FIELD_NUMBER: _ClassVar[int]
    version: int
    is_current: bool
    size: float
    etag: str
    modified: str
    user: str
    change: str
    def __init__(self, version: _Optional[int] = ..., is_current: _Optional[bool] = ..., size: _Optional[float] = ..., etag: _Optional[str] = ..., modified: _Optional[str] = ..., user: _Optional[str] = ..., change: _Optional[str] = ...) -> None: ...

class DiffVersionsRequest(_message.Message):
    __slots__ = ("uri", "from_version", "to_version", "context")
    URI_FIELD_NUMBER: _ClassVar[int]
    FROM_VERSION_FIELD_NUMBER: _ClassVar[int]
    TO_VERSION_FIELD_NUMBER: _ClassVar[int]
    CONTEXT_FIELD_NUMBER: _ClassVar[int]
    uri: str
    from_version: int
    to_version: int
    context: int
    def __init__(self, uri: _Optional[str] = ..., from_version: _Optional[int] = ..., to_version: _Optional[int] = ..., context: _Optional[int] = ...) -> None: ...

class DiffVersionsResponse(_message.Message):
    __slots__ = ("uri", "from_version", "to_version", "diff", "added", "removed", "is_coarse")
    URI_FIELD_NUMBER: _ClassVar[int]
    FROM_VERSION_FIELD_NUMBER: _ClassVar[int]
    TO_VERSION_FIELD_NUMBER: _ClassVar[int]
    DIFF_FIELD_NUMBER: _ClassVar[int]
    ADDED_FIELD_NUMBER: _ClassVar[int]
    REMOVED_FIELD_NUMBER: _ClassVar[int]
    IS_COARSE_FIELD_NUMBER: _ClassVar[int]
    uri: str
    from_version: int
    to_version: int
    diff: str
    added: int
    removed: int
    is_coarse: bool
    def __init__(self, uri: _Optional[str] = ..., from_version: _Optional[int] = ..., to_version: _Optional[int] = ..., diff: _Optional[str] = ..., added: _Optional[int] = ..., removed: _Optional[int] = ..., is_coarse: _Optional[bool] = ...) -> None: ...

class RestoreVersionRequest(_message.Message):
    __slots__ = ("uri", "version", "wait", "timeout", "if_match", "idempotency_key")
    URI_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    WAIT_FIELD_NUMBER: _ClassVar[int]
    TIMEOUT_FIELD_NUMBER: _ClassVar[int]
    IF_MATCH_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    uri: str
    version: int
    wait: bool
    timeout: float
    if_match: str
    idempotency_key: str
    def __init__(self, uri: _Optional[str] = ..., version: _Optional[int] = ..., wait: _Optional[bool] = ..., timeout: _Optional[float] = ..., if_match: _Optional[str] = ..., idempotency_key: _Optional[str] = ...) -> None: ...

class RestoreVersionResponse(_message.Message):
    __slots__ = ("uri", "restored", "version", "size", "queue_status")
    URI_FIELD_NUMBER: _ClassVar[int]
    RESTORED_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    QUEUE_STATUS_FIELD_NUMBER: _ClassVar[int]
    uri: str
    restored: int
    version: int
    size: float
    queue_status: _queue_status_pb2.QueueStatus
    def __init__(self, uri: _Optional[str] = ..., restored: _Optional[int] = ..., version: _Optional[int] = ..., size: _Optional[float] = ..., queue_status: _Optional[_Union[_queue_status_pb2.QueueStatus, _Mapping]] = ...) -> None: ...
