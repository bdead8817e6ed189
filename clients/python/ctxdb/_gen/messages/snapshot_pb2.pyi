from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class CreateSnapshotRequest(_message.Message):
    __slots__ = ("name", "uri", "description", "expires_in_seconds", "idempotency_key")
    NAME_FIELD_NUMBER: _ClassVar[int]
    URI_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_IN_SECONDS_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    name: str
    uri: str
    description: str
    expires_in_seconds: int
    idempotency_key: str
    def __init__(self, name: _Optional[str] = ..., uri: _Optional[str] = ..., description: _Optional[str] = ..., expires_in_seconds: _Optional[int] = ..., idempotency_key: _Optional[str] = ...) -> None: ...

class Snapshot(_message.Message):
    __slots__ = ("name", "uri", "created_at", "expires_at", "description", "user_id", "is_shared")
    NAME_FIELD_NUMBER: _ClassVar[int]
    URI_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    IS_SHARED_FIELD_NUMBER: _ClassVar[int]
    name: str
    uri: str
    created_at: str
    expires_at: str
    description: str
    user_id: str
    is_shared: bool
    def __init__(self, name: _Optional[str] = ..., uri: _Optional[str] = ..., created_at: _Optional[str] = ..., expires_at: _Optional[str] = ..., description: _Optional[str] = ..., user_id: _Optional[str] = ..., is_shared: _Optional[bool] = ...) -> None: ...

class ListSnapshotsRequest(_message.Message):
    __slots__ = ("limit", "cursor")
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    limit: int
    cursor: str
    def __init__(self, limit: _Optional[int] = ..., cursor: _Optional[str] = ...) -> None: ...

class ListSnapshotsResponse(_message.Message):
    __slots__ = ("snapshots", "total", "next_cursor")
    SNAPSHOTS_FIELD_NUMBER: _ClassVar[int]
    TOTAL_FIELD_NUMBER: _ClassVar[int]
    NEXT_CURSOR_FIELD_NUMBER: _ClassVar[int]
    snapshots: _containers.RepeatedCompositeFieldContainer[Snapshot]
    total: int
    next_cursor: str
    def __init__(self, snapshots: _Optional[_Iterable[_Union[Snapshot, _Mapping]]] = ..., total: _Optional[int] = ..., next_cursor: _Optional[str] = ...) -> None: ...

class GetSnapshotRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class ListSnapshotEntriesRequest(_message.Message):
    __slots__ = ("name", "uri", "recursive", "limit", "cursor")
    NAME_FIELD_NUMBER: _ClassVar[int]
    URI_FIELD_NUMBER: _ClassVar[int]
    RECURSIVE_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    name: str
    uri: str
    recursive: bool
    limit: int
    cursor: str
    def __init__(self, name: _Optional[str] = ..., uri: _Optional[str] = ..., recursive: _Optional[bool] = ..., limit: _Optional[int] = ..., cursor: _Optional[str] = ...) -> None: ...

class ListSnapshotEntriesResponse(_message.Message):
    __slots__ = ("uri", "entries", "next_cursor")
    URI_FIELD_NUMBER: _ClassVar[int]
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    NEXT_CURSOR_FIELD_NUMBER: _ClassVar[int]
    uri: str
    entries: _containers.RepeatedCompositeFieldContainer[SnapshotEntry]
    next_cursor: str
    def __init__(self, uri: _Optional[str] = ..., entries: _Optional[_Iterable[_Union[SnapshotEntry, _Mapping]]] = ..., next_cursor: _Optional[str] = ...) -> None: ...

class SnapshotEntry(_message.Message):
    __slots__ = ("uri", "type", "size", "modified_at", "etag")
    URI_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    MODIFIED_AT_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    uri: str
    type: str
    size: float
    modified_at: str
    etag: str
    def __init__(self, uri: _Optional[str] = ..., type: _Optional[str] = ..., size: _Optional[float] = ..., modified_at: _Optional[str] = ..., etag: _Optional[str] = ...) -> None: ...

class DiffSnapshotsRequest(_message.Message):
    __slots__ = ("name", "to_snapshot", "uri", "limit", "cursor")
    NAME_FIELD_NUMBER: _ClassVar[int]
    TO_SNAPSHOT_FIELD_NUMBER: _ClassVar[int]
    URI_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    name: str
    to_snapshot: str
    uri: str
    limit: int
    cursor: str
    def __init__(self, name: _Optional[str] = ..., to_snapshot: _Optional[str] = ..., uri: _Optional[str] = ..., limit: _Optional[int] = ..., cursor: _Optional[str] = ...) -> None: ...

class DiffSnapshotsResponse(_message.Message):
    __slots__ = ("differences", "next_cursor")
    DIFFERENCES_FIELD_NUMBER: _ClassVar[int]
    NEXT_CURSOR_FIELD_NUMBER: _ClassVar[int]
    differences: _containers.RepeatedCompositeFieldContainer[SnapshotDifference]
    next_cursor: str
    def __init__(self, differences: _Optional[_Iterable[_Union[SnapshotDifference, _Mapping]]] = ..., next_cursor: _Optional[str] = ...) -> None: ...

class SnapshotDifference(_message.Message):
    __slots__ = ("kind", "uri", "type", "size_before", "size_after", "moved_from")
    KIND_FIELD_NUMBER: _ClassVar[int]
    URI_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    SIZE_BEFORE_FIELD_NUMBER: _ClassVar[int]
    SIZE_AFTER_FIELD_NUMBER: _ClassVar[int]
    MOVED_FROM_FIELD_NUMBER: _ClassVar[int]
    kind: str
    uri: str
    type: str
    size_before: float
    size_after: float
    moved_from: str
    def __init__(self, kind: _Optional[str] = ..., uri: _Optional[str] = ..., type: _Optional[str] = ..., size_before: _Optional[float] = ..., size_after: _Optional[float] = ..., moved_from: _Optional[str] = ...) -> None: ...

class RestoreSnapshotRequest(_message.Message):
    __slots__ = ("name", "uri", "keep_added", "dry_run", "wait", "timeout", "idempotency_key")
    NAME_FIELD_NUMBER: _ClassVar[int]
    URI_FIELD_NUMBER: _ClassVar[int]
    KEEP_ADDED_FIELD_NUMBER: _ClassVar[int]
    DRY_RUN_FIELD_NUMBER: _ClassVar[int]
    WAIT_FIELD_NUMBER: _ClassVar[int]
    TIMEOUT_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    name: str
    uri: str
    keep_added: bool
    dry_run: bool
    wait: bool
    timeout: float
    idempotency_key: str
    def __init__(self, name: _Optional[str] = ..., uri: _Optional[str] = ..., keep_added: _Optional[bool] = ..., dry_run: _Optional[bool] = ..., wait: _Optional[bool] = ..., timeout: _Optional[float] = ..., idempotency_key: _Optional[str] = ...) -> None: ...

class RestoreSnapshotResponse(_message.Message):
    __slots__ = ("name", "uri", "restored", "trashed", "lost", "task_id")
    NAME_FIELD_NUMBER: _ClassVar[int]
    URI_FIELD_NUMBER: _ClassVar[int]
    RESTORED_FIELD_NUMBER: _ClassVar[int]
    TRASHED_FIELD_NUMBER: _ClassVar[int]
    LOST_FIELD_NUMBER: _ClassVar[int]
    TASK_ID_FIELD_NUMBER: _ClassVar[int]
    name: str
    uri: str
    restored: int
    trashed: int
    lost: int
    task_id: str
    def __init__(self, name: _Optional[str] = ..., uri: _Optional[str] = ..., restored: _Optional[int] = ..., trashed: _Optional[int] = ..., lost: _Optional[int] = ..., task_id: _Optional[str] = ...) -> None: ...

class DeleteSnapshotRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class DeleteSnapshotResponse(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...
