from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class QueueStatus(_message.Message):
    __slots__ = ("processed", "error_count", "errors", "semantic_queue", "vector_queue")
    PROCESSED_FIELD_NUMBER: _ClassVar[int]
    ERROR_COUNT_FIELD_NUMBER: _ClassVar[int]
    ERRORS_FIELD_NUMBER: _ClassVar[int]
    SEMANTIC_QUEUE_FIELD_NUMBER: _ClassVar[int]
    VECTOR_QUEUE_FIELD_NUMBER: _ClassVar[int]
    processed: int
    error_count: int
    errors: _containers.RepeatedCompositeFieldContainer[QueueError]
    semantic_queue: QueueCounts
    vector_queue: QueueCounts
    def __init__(self, processed: _Optional[int] = ..., error_count: _Optional[int] = ..., errors: _Optional[_Iterable[_Union[QueueError, _Mapping]]] = ..., semantic_queue: _Optional[_Union[QueueCounts, _Mapping]] = ..., vector_queue: _Optional[_Union[QueueCounts, _Mapping]] = ...) -> None: ...

class QueueCounts(_message.Message):
    __slots__ = ("processed", "error_count", "errors")
    PROCESSED_FIELD_NUMBER: _ClassVar[int]
    ERROR_COUNT_FIELD_NUMBER: _ClassVar[int]
    ERRORS_FIELD_NUMBER: _ClassVar[int]
    processed: int
    error_count: int
    errors: _containers.RepeatedCompositeFieldContainer[QueueError]
    def __init__(self, processed: _Optional[int] = ..., error_count: _Optional[int] = ..., errors: _Optional[_Iterable[_Union[QueueError, _Mapping]]] = ...) -> None: ...

class QueueError(_message.Message):
    __slots__ = ("message", "uri")
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    URI_FIELD_NUMBER: _ClassVar[int]
    message: str
    uri: str
    def __init__(self, message: _Optional[str] = ..., uri: _Optional[str] = ...) -> None: ...
