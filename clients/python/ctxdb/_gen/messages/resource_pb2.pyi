from ctxdb._gen.messages import queue_status_pb2 as _queue_status_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class AddResourceRequest(_message.Message):
    __slots__ = ("path", "temp_path", "temp_file_id", "target", "to", "parent", "source_name", "reason", "instruction", "wait", "timeout", "build_index", "summarize", "strict", "ignore_dirs", "include", "exclude", "idempotency_key", "tags")
    PATH_FIELD_NUMBER: _ClassVar[int]
    TEMP_PATH_FIELD_NUMBER: _ClassVar[int]
    TEMP_FILE_ID_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    TO_FIELD_NUMBER: _ClassVar[int]
    PARENT_FIELD_NUMBER: _ClassVar[int]
    SOURCE_NAME_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    INSTRUCTION_FIELD_NUMBER: _ClassVar[int]
    WAIT_FIELD_NUMBER: _ClassVar[int]
    TIMEOUT_FIELD_NUMBER: _ClassVar[int]
    BUILD_INDEX_FIELD_NUMBER: _ClassVar[int]
    SUMMARIZE_FIELD_NUMBER: _ClassVar[int]
    STRICT_FIELD_NUMBER: _ClassVar[int]
    IGNORE_DIRS_FIELD_NUMBER: _ClassVar[int]
    INCLUDE_FIELD_NUMBER: _ClassVar[int]
    EXCLUDE_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    path: str
    temp_path: str
    temp_file_id: str
    target: str
    to: str
    parent: str
    source_name: str
    reason: str
    instruction: str
    wait: bool
    timeout: float
    build_index: bool
    summarize: bool
    strict: bool
    ignore_dirs: str
    include: str
    exclude: str
    idempotency_key: str
    tags: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, path: _Optional[str] = ..., temp_path: _Optional[str] = ..., temp_file_id: _Optional[str] = ..., target: _Optional[str] = ..., to: _Optional[str] = ..., parent: _Optional[str] = ..., source_name: _Optional[str] = ..., reason: _Optional[str] = ..., instruction: _Optional[str] = ..., wait: _Optional[bool] = ..., timeout: _Optional[float] = ..., build_index: _Optional[bool] = ..., summarize: _Optional[bool] = ..., strict: _Optional[bool] = ..., ignore_dirs: _Optional[str] = ..., include: _Optional[str] = ..., exclude: _Optional[str] = ..., idempotency_key: _Optional[str] = ..., tags: _Optional[_Iterable[str]] = ...) -> None: ...

class AddResourceResponse(_message.Message):
    __slots__ = ("status", "root_uri", "source_path", "errors", "warnings", "queue_status", "task_id")
    STATUS_FIELD_NUMBER: _ClassVar[int]
    ROOT_URI_FIELD_NUMBER: _ClassVar[int]
    SOURCE_PATH_FIELD_NUMBER: _ClassVar[int]
    ERRORS_FIELD_NUMBER: _ClassVar[int]
    WARNINGS_FIELD_NUMBER: _ClassVar[int]
    QUEUE_STATUS_FIELD_NUMBER: _ClassVar[int]
    TASK_ID_FIELD_NUMBER: _ClassVar[int]
    status: str
    root_uri: str
    source_path: str
    errors: _containers.RepeatedScalarFieldContainer[str]
    warnings: _containers.RepeatedScalarFieldContainer[str]
    queue_status: _queue_status_pb2.QueueStatus
    task_id: str
    def __init__(self, status: _Optional[str] = ..., root_uri: _Optional[str] = ..., source_path: _Optional[str] = ..., errors: _Optional[_Iterable[str]] = ..., warnings: _Optional[_Iterable[str]] = ..., queue_status: _Optional[_Union[_queue_status_pb2.QueueStatus, _Mapping]] = ..., task_id: _Optional[str] = ...) -> None: ...

class UploadFileRequest(_message.Message):
    __slots__ = ("header", "chunk")
    HEADER_FIELD_NUMBER: _ClassVar[int]
    CHUNK_FIELD_NUMBER: _ClassVar[int]
    header: UploadHeader
    chunk: bytes
    def __init__(self, header: _Optional[_Union[UploadHeader, _Mapping]] = ..., chunk: _Optional[bytes] = ...) -> None: ...

class UploadHeader(_message.Message):
    __slots__ = ("name", "content_type")
    NAME_FIELD_NUMBER: _ClassVar[int]
    CONTENT_TYPE_FIELD_NUMBER: _ClassVar[int]
    name: str
    content_type: str
    def __init__(self, name: _Optional[str] = ..., content_type: _Optional[str] = ...) -> None: ...

class UploadFileResponse(_message.Message):
    __slots__ = ("temp_path", "temp_file_id", "size", "sha256")
    TEMP_PATH_FIELD_NUMBER: _ClassVar[int]
    TEMP_FILE_ID_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    SHA256_FIELD_NUMBER: _ClassVar[int]
    temp_path: str
    temp_file_id: str
    size: float
    sha256: str
    def __init__(self, temp_path: _Optional[str] = ..., temp_file_id: _Optional[str] = ..., size: _Optional[float] = ..., sha256: _Optional[str] = ...) -> None: ...

class RefreshResourceRequest(_message.Message):
    __slots__ = ("uri", "wait", "timeout")
    URI_FIELD_NUMBER: _ClassVar[int]
    WAIT_FIELD_NUMBER: _ClassVar[int]
    TIMEOUT_FIELD_NUMBER: _ClassVar[int]
    uri: str
    wait: bool
    timeout: float
    def __init__(self, uri: _Optional[str] = ..., wait: _Optional[bool] = ..., timeout: _Optional[float] = ...) -> None: ...

class ScheduleRefreshRequest(_message.Message):
    __slots__ = ("uri", "interval_seconds", "paused")
    URI_FIELD_NUMBER: _ClassVar[int]
    INTERVAL_SECONDS_FIELD_NUMBER: _ClassVar[int]
    PAUSED_FIELD_NUMBER: _ClassVar[int]
    uri: str
    interval_seconds: int
    paused: bool
    def __init__(self, uri: _Optional[str] = ..., interval_seconds: _Optional[int] = ..., paused: _Optional[bool] = ...) -> None: ...

class ListRefreshSchedulesRequest(_message.Message):
    __slots__ = ("uri",)
    URI_FIELD_NUMBER: _ClassVar[int]
    uri: str
    def __init__(self, uri: _Optional[str] = ...) -> None: ...

class ListRefreshSchedulesResponse(_message.Message):
    __slots__ = ("schedules",)
    SCHEDULES_FIELD_NUMBER: _ClassVar[int]
    schedules: _containers.RepeatedCompositeFieldContainer[RefreshSchedule]
    def __init__(self, schedules: _Optional[_Iterable[_Union[RefreshSchedule, _Mapping]]] = ...) -> None: ...

class RunRefreshScheduleRequest(_message.Message):
    __slots__ = ("uri",)
    URI_FIELD_NUMBER: _ClassVar[int]
    uri: str
    def __init__(self, uri: _Optional[str] = ...) -> None: ...

class DeleteRefreshScheduleRequest(_message.Message):
    __slots__ = ("uri",)
    URI_FIELD_NUMBER: _ClassVar[int]
    uri: str
    def __init__(self, uri: _Optional[str] = ...) -> None: ...

class DeleteRefreshScheduleResponse(_message.Message):
    __slots__ = ("deleted",)
    DELETED_FIELD_NUMBER: _ClassVar[int]
    deleted: bool
    def __init__(self, deleted: _Optional[bool] = ...) -> None: ...

class RefreshSchedule(_message.Message):
    __slots__ = ("uri", "source", "interval_seconds", "user_id", "state", "pause_reason", "next_run_at", "last_run_at", "last_outcome", "last_error", "last_task_id", "failed_runs", "created_at", "updated_at")
    URI_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    INTERVAL_SECONDS_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    PAUSE_REASON_FIELD_NUMBER: _ClassVar[int]
    NEXT_RUN_AT_FIELD_NUMBER: _ClassVar[int]
    LAST_RUN_AT_FIELD_NUMBER: _ClassVar[int]
    LAST_OUTCOME_FIELD_NUMBER: _ClassVar[int]
    LAST_ERROR_FIELD_NUMBER: _ClassVar[int]
    LAST_TASK_ID_FIELD_NUMBER: _ClassVar[int]
    FAILED_RUNS_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    UPDATED_AT_FIELD_NUMBER: _ClassVar[int]
    uri: str
    source: str
    interval_seconds: int
    user_id: str
    state: str
    pause_reason: str
    next_run_at: str
    last_run_at: str
    last_outcome: str
    last_error: str
    last_task_id: str
    failed_runs: int
    created_at: str
    updated_at: str
    def __init__(self, uri: _Optional[str] = ..., source: _Optional[str] = ..., interval_seconds: _Optional[int] = ..., user_id: _Optional[str] = ..., state: _Optional[str] = ..., pause_reason: _Optional[str] = ..., next_run_at: _Optional[str] = ..., last_run_at: _Optional[str] = ..., last_outcome: _Optional[str] = ..., last_error: _Optional[str] = ..., last_task_id: _Optional[str] = ..., failed_runs: _Optional[int] = ..., created_at: _Optional[str] = ..., updated_at: _Optional[str] = ...) -> None: ...
