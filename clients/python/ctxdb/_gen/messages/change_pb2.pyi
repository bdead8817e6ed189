from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class WatchChangesRequest(_message.Message):
    __slots__ = ("uri", "kinds", "begin", "cursor")
    URI_FIELD_NUMBER: _ClassVar[int]
    KINDS_FIELD_NUMBER: _ClassVar[int]
    BEGIN_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    uri: str
    kinds: _containers.RepeatedScalarFieldContainer[str]
    begin: str
    cursor: str
    def __init__(self, uri: _Optional[str] = ..., kinds: _Optional[_Iterable[str]] = ..., begin: _Optional[str] = ..., cursor: _Optional[str] = ...) -> None: ...

class WatchChangesResponse(_message.Message):
    __slots__ = ("event", "cursor", "change")
    EVENT_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    CHANGE_FIELD_NUMBER: _ClassVar[int]
    event: str
    cursor: str
    change: Change
    def __init__(self, event: _Optional[str] = ..., cursor: _Optional[str] = ..., change: _Optional[_Union[Change, _Mapping]] = ...) -> None: ...

class ListChangesRequest(_message.Message):
    __slots__ = ("uri", "kinds", "begin", "cursor", "limit")
    URI_FIELD_NUMBER: _ClassVar[int]
    KINDS_FIELD_NUMBER: _ClassVar[int]
    BEGIN_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    uri: str
    kinds: _containers.RepeatedScalarFieldContainer[str]
    begin: str
    cursor: str
    limit: int
    def __init__(self, uri: _Optional[str] = ..., kinds: _Optional[_Iterable[str]] = ..., begin: _Optional[str] = ..., cursor: _Optional[str] = ..., limit: _Optional[int] = ...) -> None: ...

class ListChangesResponse(_message.Message):
    __slots__ = ("changes", "cursor", "has_more")
    CHANGES_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    HAS_MORE_FIELD_NUMBER: _ClassVar[int]
    changes: _containers.RepeatedCompositeFieldContainer[Change]
    cursor: str
    has_more: bool
    def __init__(self, changes: _Optional[_Iterable[_Union[Change, _Mapping]]] = ..., cursor: _Optional[str] = ..., has_more: _Optional[bool] = ...) -> None: ...

class Change(_message.Message):
    __slots__ = ("kind", "uri", "previous_uri", "is_dir", "time", "size", "etag", "version", "user")
    KIND_FIELD_NUMBER: _ClassVar[int]
    URI_FIELD_NUMBER: _ClassVar[int]
    PREVIOUS_URI_FIELD_NUMBER: _ClassVar[int]
    IS_DIR_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    USER_FIELD_NUMBER: _ClassVar[int]
    kind: str
    uri: str
    previous_uri: str
    is_dir: bool
    time: str
    size: float
    etag: str
    version: int
    user: str
    def __init__(self, kind: _Optional[str] = ..., uri: _Optional[str] = ..., previous_uri: _Optional[str] = ..., is_dir: _Optional[bool] = ..., time: _Optional[str] = ..., size: _Optional[float] = ..., etag: _Optional[str] = ..., version: _Optional[int] = ..., user: _Optional[str] = ...) -> None: ...
