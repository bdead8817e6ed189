from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ListTrashRequest(_message.Message):
    __slots__ = ("limit", "cursor")
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    limit: int
    cursor: str
    def __init__(self, limit: _Optional[int] = ..., cursor: _Optional[str] = ...) -> None: ...

class ListTrashResponse(_message.Message):
    __slots__ = ("items", "total", "bytes", "next_cursor")
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    TOTAL_FIELD_NUMBER: _ClassVar[int]
    BYTES_FIELD_NUMBER: _ClassVar[int]
    NEXT_CURSOR_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[TrashItem]
    total: int
    bytes: float
    next_cursor: str
    def __init__(self, items: _Optional[_Iterable[_Union[TrashItem, _Mapping]]] = ..., total: _Optional[int] = ..., bytes: _Optional[float] = ..., next_cursor: _Optional[str] = ...) -> None: ...

class TrashItem(_message.Message):
    __slots__ = ("trash_id", "uri", "type", "cause", "removed_at", "expires_at", "nodes", "bytes", "user_id")
    TRASH_ID_FIELD_NUMBER: _ClassVar[int]
    URI_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    CAUSE_FIELD_NUMBER: _ClassVar[int]
    REMOVED_AT_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    NODES_FIELD_NUMBER: _ClassVar[int]
    BYTES_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    trash_id: str
    uri: str
    type: str
    cause: str
    removed_at: str
    expires_at: str
    nodes: int
    bytes: float
    user_id: str
    def __init__(self, trash_id: _Optional[str] = ..., uri: _Optional[str] = ..., type: _Optional[str] = ..., cause: _Optional[str] = ..., removed_at: _Optional[str] = ..., expires_at: _Optional[str] = ..., nodes: _Optional[int] = ..., bytes: _Optional[float] = ..., user_id: _Optional[str] = ...) -> None: ...

class RestoreTrashRequest(_message.Message):
    __slots__ = ("trash_id", "to_uri", "idempotency_key")
    TRASH_ID_FIELD_NUMBER: _ClassVar[int]
    TO_URI_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    trash_id: str
    to_uri: str
    idempotency_key: str
    def __init__(self, trash_id: _Optional[str] = ..., to_uri: _Optional[str] = ..., idempotency_key: _Optional[str] = ...) -> None: ...

class RestoreTrashResponse(_message.Message):
    __slots__ = ("trash_id", "uri", "restored", "renamed")
    TRASH_ID_FIELD_NUMBER: _ClassVar[int]
    URI_FIELD_NUMBER: _ClassVar[int]
    RESTORED_FIELD_NUMBER: _ClassVar[int]
    RENAMED_FIELD_NUMBER: _ClassVar[int]
    trash_id: str
    uri: str
    restored: int
    renamed: bool
    def __init__(self, trash_id: _Optional[str] = ..., uri: _Optional[str] = ..., restored: _Optional[int] = ..., renamed: _Optional[bool] = ...) -> None: ...

class DeleteTrashRequest(_message.Message):
    __slots__ = ("trash_id",)
    TRASH_ID_FIELD_NUMBER: _ClassVar[int]
    trash_id: str
    def __init__(self, trash_id: _Optional[str] = ...) -> None: ...

class DeleteTrashResponse(_message.Message):
    __slots__ = ("trash_id",)
    TRASH_ID_FIELD_NUMBER: _ClassVar[int]
    trash_id: str
    def __init__(self, trash_id: _Optional[str] = ...) -> None: ...

class EmptyTrashRequest(_message.Message):
    __slots__ = ("all",)
    ALL_FIELD_NUMBER: _ClassVar[int]
    all: bool
    def __init__(self, all: _Optional[bool] = ...) -> None: ...

class EmptyTrashResponse(_message.Message):
    __slots__ = ("deleted",)
    DELETED_FIELD_NUMBER: _ClassVar[int]
    deleted: int
    def __init__(self, deleted: _Optional[int] = ...) -> None: ...
