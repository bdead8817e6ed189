from google.protobuf import struct_pb2 as _struct_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ListEntriesRequest(_message.Message):
    __slots__ = ("uri", "simple", "recursive", "output", "abs_limit", "show_all_hidden", "node_limit", "limit", "cursor", "hide_sections", "tags")
    URI_FIELD_NUMBER: _ClassVar[int]
    SIMPLE_FIELD_NUMBER: _ClassVar[int]
    RECURSIVE_FIELD_NUMBER: _ClassVar[int]
    OUTPUT_FIELD_NUMBER: _ClassVar[int]
    ABS_LIMIT_FIELD_NUMBER: _ClassVar[int]
    SHOW_ALL_HIDDEN_FIELD_NUMBER: _ClassVar[int]
    NODE_LIMIT_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    HIDE_SECTIONS_FIELD_NUMBER: _ClassVar[int]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    uri: str
    simple: bool
    recursive: bool
    output: str
    abs_limit: int
    show_all_hidden: bool
    node_limit: int
    limit: int
    cursor: str
    hide_sections: bool
    tags: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, uri: _Optional[str] = ..., simple: _Optional[bool] = ..., recursive: _Optional[bool] = ..., output: _Optional[str] = ..., abs_limit: _Optional[int] = ..., show_all_hidden: _Optional[bool] = ..., node_limit: _Optional[int] = ..., limit: _Optional[int] = ..., cursor: _Optional[str] = ..., hide_sections: _Optional[bool] = ..., tags: _Optional[_Iterable[str]] = ...) -> None: ...

class ListEntriesResponse(_message.Message):
    __slots__ = ("entries", "next_cursor")
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    NEXT_CURSOR_FIELD_NUMBER: _ClassVar[int]
    entries: _containers.RepeatedCompositeFieldContainer[_struct_pb2.Value]
    next_cursor: str
    def __init__(self, entries: _Optional[_Iterable[_Union[_struct_pb2.Value, _Mapping]]] = ..., next_cursor: _Optional[str] = ...) -> None: ...

class ListTreeRequest(_message.Message):
    __slots__ = ("uri", "output", "abs_limit", "show_all_hidden", "node_limit", "level_limit", "cursor", "limit", "hide_sections", "tags")
    URI_FIELD_NUMBER: _ClassVar[int]
    OUTPUT_FIELD_NUMBER: _ClassVar[int]
    ABS_LIMIT_FIELD_NUMBER: _ClassVar[int]
    SHOW_ALL_HIDDEN_FIELD_NUMBER: _ClassVar[int]
    NODE_LIMIT_FIELD_NUMBER: _ClassVar[int]
    LEVEL_LIMIT_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    HIDE_SECTIONS_FIELD_NUMBER: _ClassVar[int]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    uri: str
    output: str
    abs_limit: int
    show_all_hidden: bool
    node_limit: int
    level_limit: int
    cursor: str
    limit: int
    hide_sections: bool
    tags: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, uri: _Optional[str] = ..., output: _Optional[str] = ..., abs_limit: _Optional[int] = ..., show_all_hidden: _Optional[bool] = ..., node_limit: _Optional[int] = ..., level_limit: _Optional[int] = ..., cursor: _Optional[str] = ..., limit: _Optional[int] = ..., hide_sections: _Optional[bool] = ..., tags: _Optional[_Iterable[str]] = ...) -> None: ...

class ListTreeResponse(_message.Message):
    __slots__ = ("entries", "next_cursor")
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    NEXT_CURSOR_FIELD_NUMBER: _ClassVar[int]
    entries: _containers.RepeatedCompositeFieldContainer[_struct_pb2.Value]
    next_cursor: str
    def __init__(self, entries: _Optional[_Iterable[_Union[_struct_pb2.Value, _Mapping]]] = ..., next_cursor: _Optional[str] = ...) -> None: ...

class StatNodeRequest(_message.Message):
    __slots__ = ("uri",)
    URI_FIELD_NUMBER: _ClassVar[int]
    uri: str
    def __init__(self, uri: _Optional[str] = ...) -> None: ...

class StatNodeResponse(_message.Message):
    __slots__ = ("name", "size", "mode", "isDir", "uri", "mtime", "ctime", "modTime", "count", "source", "tags")
    NAME_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    MODE_FIELD_NUMBER: _ClassVar[int]
    ISDIR_FIELD_NUMBER: _ClassVar[int]
    URI_FIELD_NUMBER: _ClassVar[int]
    MTIME_FIELD_NUMBER: _ClassVar[int]
    CTIME_FIELD_NUMBER: _ClassVar[int]
    MODTIME_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    name: str
    size: float
    mode: int
    isDir: bool
    uri: str
    mtime: float
    ctime: float
    modTime: str
    count: int
    source: str
    tags: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, name: _Optional[str] = ..., size: _Optional[float] = ..., mode: _Optional[int] = ..., isDir: _Optional[bool] = ..., uri: _Optional[str] = ..., mtime: _Optional[float] = ..., ctime: _Optional[float] = ..., modTime: _Optional[str] = ..., count: _Optional[int] = ..., source: _Optional[str] = ..., tags: _Optional[_Iterable[str]] = ...) -> None: ...

class MakeDirectoryRequest(_message.Message):
    __slots__ = ("uri", "description")
    URI_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    uri: str
    description: str
    def __init__(self, uri: _Optional[str] = ..., description: _Optional[str] = ...) -> None: ...

class MakeDirectoryResponse(_message.Message):
    __slots__ = ("uri",)
    URI_FIELD_NUMBER: _ClassVar[int]
    uri: str
    def __init__(self, uri: _Optional[str] = ...) -> None: ...

class MoveNodeRequest(_message.Message):
    __slots__ = ("from_uri", "to_uri")
    FROM_URI_FIELD_NUMBER: _ClassVar[int]
    TO_URI_FIELD_NUMBER: _ClassVar[int]
    from_uri: str
    to_uri: str
    def __init__(self, from_uri: _Optional[str] = ..., to_uri: _Optional[str] = ...) -> None: ...

class MoveNodeResponse(_message.Message):
    __slots__ = ("to",)
    FROM_FIELD_NUMBER: _ClassVar[int]
    TO_FIELD_NUMBER: _ClassVar[int]
    to: str
    def __init__(self, to: _Optional[str] = ..., **kwargs) -> None: ...

class CopyNodeRequest(_message.Message):
    __slots__ = ("from_uri", "to_uri", "wait", "timeout", "idempotency_key")
    FROM_URI_FIELD_NUMBER: _ClassVar[int]
    TO_URI_FIELD_NUMBER: _ClassVar[int]
    WAIT_FIELD_NUMBER: _ClassVar[int]
    TIMEOUT_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    from_uri: str
    to_uri: str
    wait: bool
    timeout: float
    idempotency_key: str
    def __init__(self, from_uri: _Optional[str] = ..., to_uri: _Optional[str] = ..., wait: _Optional[bool] = ..., timeout: _Optional[float] = ..., idempotency_key: _Optional[str] = ...) -> None: ...

class CopyNodeResponse(_message.Message):
    __slots__ = ("to", "copied", "task_id")
    FROM_FIELD_NUMBER: _ClassVar[int]
    TO_FIELD_NUMBER: _ClassVar[int]
    COPIED_FIELD_NUMBER: _ClassVar[int]
    TASK_ID_FIELD_NUMBER: _ClassVar[int]
    to: str
    copied: int
    task_id: str
    def __init__(self, to: _Optional[str] = ..., copied: _Optional[int] = ..., task_id: _Optional[str] = ..., **kwargs) -> None: ...

class TagNodeRequest(_message.Message):
    __slots__ = ("uri", "add", "remove", "replace")
    URI_FIELD_NUMBER: _ClassVar[int]
    ADD_FIELD_NUMBER: _ClassVar[int]
    REMOVE_FIELD_NUMBER: _ClassVar[int]
    REPLACE_FIELD_NUMBER: _ClassVar[int]
    uri: str
    add: _containers.RepeatedScalarFieldContainer[str]
    remove: _containers.RepeatedScalarFieldContainer[str]
    replace: bool
    def __init__(self, uri: _Optional[str] = ..., add: _Optional[_Iterable[str]] = ..., remove: _Optional[_Iterable[str]] = ..., replace: _Optional[bool] = ...) -> None: ...

class TagNodeResponse(_message.Message):
    __slots__ = ("uri", "tags")
    URI_FIELD_NUMBER: _ClassVar[int]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    uri: str
    tags: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, uri: _Optional[str] = ..., tags: _Optional[_Iterable[str]] = ...) -> None: ...

class RemoveNodeRequest(_message.Message):
    __slots__ = ("uri", "recursive", "permanent")
    URI_FIELD_NUMBER: _ClassVar[int]
    RECURSIVE_FIELD_NUMBER: _ClassVar[int]
    PERMANENT_FIELD_NUMBER: _ClassVar[int]
    uri: str
    recursive: bool
    permanent: bool
    def __init__(self, uri: _Optional[str] = ..., recursive: _Optional[bool] = ..., permanent: _Optional[bool] = ...) -> None: ...

class RemoveNodeResponse(_message.Message):
    __slots__ = ("uri", "deleted", "trash_id")
    URI_FIELD_NUMBER: _ClassVar[int]
    DELETED_FIELD_NUMBER: _ClassVar[int]
    TRASH_ID_FIELD_NUMBER: _ClassVar[int]
    uri: str
    deleted: int
    trash_id: str
    def __init__(self, uri: _Optional[str] = ..., deleted: _Optional[int] = ..., trash_id: _Optional[str] = ...) -> None: ...

class RemoveNodesRequest(_message.Message):
    __slots__ = ("uris", "recursive", "permanent", "idempotency_key")
    URIS_FIELD_NUMBER: _ClassVar[int]
    RECURSIVE_FIELD_NUMBER: _ClassVar[int]
    PERMANENT_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    uris: _containers.RepeatedScalarFieldContainer[str]
    recursive: bool
    permanent: bool
    idempotency_key: str
    def __init__(self, uris: _Optional[_Iterable[str]] = ..., recursive: _Optional[bool] = ..., permanent: _Optional[bool] = ..., idempotency_key: _Optional[str] = ...) -> None: ...

class RemoveNodesResponse(_message.Message):
    __slots__ = ("nodes", "deleted")
    NODES_FIELD_NUMBER: _ClassVar[int]
    DELETED_FIELD_NUMBER: _ClassVar[int]
    nodes: _containers.RepeatedCompositeFieldContainer[RemovedNode]
    deleted: int
    def __init__(self, nodes: _Optional[_Iterable[_Union[RemovedNode, _Mapping]]] = ..., deleted: _Optional[int] = ...) -> None: ...

class RemovedNode(_message.Message):
    __slots__ = ("uri", "deleted", "trash_id")
    URI_FIELD_NUMBER: _ClassVar[int]
    DELETED_FIELD_NUMBER: _ClassVar[int]
    TRASH_ID_FIELD_NUMBER: _ClassVar[int]
    uri: str
    deleted: int
    trash_id: str
    def __init__(self, uri: _Optional[str] = ..., deleted: _Optional[int] = ..., trash_id: _Optional[str] = ...) -> None: ...
