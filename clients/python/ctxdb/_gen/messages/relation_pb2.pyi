from google.protobuf import struct_pb2 as _struct_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class LinkNodesRequest(_message.Message):
    __slots__ = ("from_uri", "to_uri", "to_uris", "reason")
    FROM_URI_FIELD_NUMBER: _ClassVar[int]
    TO_URI_FIELD_NUMBER: _ClassVar[int]
    TO_URIS_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    from_uri: str
    to_uri: str
    to_uris: _struct_pb2.Value
    reason: str
    def __init__(self, from_uri: _Optional[str] = ..., to_uri: _Optional[str] = ..., to_uris: _Optional[_Union[_struct_pb2.Value, _Mapping]] = ..., reason: _Optional[str] = ...) -> None: ...

class LinkNodesResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class UnlinkNodesRequest(_message.Message):
    __slots__ = ("from_uri", "to_uri")
    FROM_URI_FIELD_NUMBER: _ClassVar[int]
    TO_URI_FIELD_NUMBER: _ClassVar[int]
    from_uri: str
    to_uri: str
    def __init__(self, from_uri: _Optional[str] = ..., to_uri: _Optional[str] = ...) -> None: ...

class UnlinkNodesResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListRelationsRequest(_message.Message):
    __slots__ = ("uri", "direction")
    URI_FIELD_NUMBER: _ClassVar[int]
    DIRECTION_FIELD_NUMBER: _ClassVar[int]
    uri: str
    direction: str
    def __init__(self, uri: _Optional[str] = ..., direction: _Optional[str] = ...) -> None: ...

class ListRelationsResponse(_message.Message):
    __slots__ = ("relations",)
    RELATIONS_FIELD_NUMBER: _ClassVar[int]
    relations: _containers.RepeatedCompositeFieldContainer[Relation]
    def __init__(self, relations: _Optional[_Iterable[_Union[Relation, _Mapping]]] = ...) -> None: ...

class Relation(_message.Message):
    __slots__ = ("from_uri", "to_uri", "uri", "reason", "created_at")
    FROM_URI_FIELD_NUMBER: _ClassVar[int]
    TO_URI_FIELD_NUMBER: _ClassVar[int]
    URI_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    from_uri: str
    to_uri: str
    uri: str
    reason: str
    created_at: str
    def __init__(self, from_uri: _Optional[str] = ..., to_uri: _Optional[str] = ..., uri: _Optional[str] = ..., reason: _Optional[str] = ..., created_at: _Optional[str] = ...) -> None: ...
