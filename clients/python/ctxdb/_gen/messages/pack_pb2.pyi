from ctxdb._gen.messages import file_chunk_pb2 as _file_chunk_pb2
from ctxdb._gen.messages import queue_status_pb2 as _queue_status_pb2
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ExportPackRequest(_message.Message):
    __slots__ = ("uri", "include_vectors", "to")
    URI_FIELD_NUMBER: _ClassVar[int]
    INCLUDE_VECTORS_FIELD_NUMBER: _ClassVar[int]
    TO_FIELD_NUMBER: _ClassVar[int]
    uri: str
    include_vectors: bool
    to: str
    def __init__(self, uri: _Optional[str] = ..., include_vectors: _Optional[bool] = ..., to: _Optional[str] = ...) -> None: ...

class ImportPackRequest(_message.Message):
    __slots__ = ("temp_path", "temp_file_id", "parent", "on_conflict", "force", "vectorize", "wait", "timeout", "idempotency_key")
    TEMP_PATH_FIELD_NUMBER: _ClassVar[int]
    TEMP_FILE_ID_FIELD_NUMBER: _ClassVar[int]
    PARENT_FIELD_NUMBER: _ClassVar[int]
    ON_CONFLICT_FIELD_NUMBER: _ClassVar[int]
    FORCE_FIELD_NUMBER: _ClassVar[int]
    VECTORIZE_FIELD_NUMBER: _ClassVar[int]
    WAIT_FIELD_NUMBER: _ClassVar[int]
    TIMEOUT_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    temp_path: str
    temp_file_id: str
    parent: str
    on_conflict: str
    force: bool
    vectorize: bool
    wait: bool
    timeout: float
    idempotency_key: str
    def __init__(self, temp_path: _Optional[str] = ..., temp_file_id: _Optional[str] = ..., parent: _Optional[str] = ..., on_conflict: _Optional[str] = ..., force: _Optional[bool] = ..., vectorize: _Optional[bool] = ..., wait: _Optional[bool] = ..., timeout: _Optional[float] = ..., idempotency_key: _Optional[str] = ...) -> None: ...

class ImportPackResponse(_message.Message):
    __slots__ = ("uri", "files", "queue_status")
    URI_FIELD_NUMBER: _ClassVar[int]
    FILES_FIELD_NUMBER: _ClassVar[int]
    QUEUE_STATUS_FIELD_NUMBER: _ClassVar[int]
    uri: str
    files: int
    queue_status: _queue_status_pb2.QueueStatus
    def __init__(self, uri: _Optional[str] = ..., files: _Optional[int] = ..., queue_status: _Optional[_Union[_queue_status_pb2.QueueStatus, _Mapping]] = ...) -> None: ...
