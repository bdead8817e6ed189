from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class GetQueueRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetVectordbRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetVlmRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ComponentStatus(_message.Message):
    __slots__ = ("name", "is_healthy", "has_errors", "status")
    NAME_FIELD_NUMBER: _ClassVar[int]
    IS_HEALTHY_FIELD_NUMBER: _ClassVar[int]
    HAS_ERRORS_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    name: str
    is_healthy: bool
    has_errors: bool
    status: str
    def __init__(self, name: _Optional[str] = ..., is_healthy: _Optional[bool] = ..., has_errors: _Optional[bool] = ..., status: _Optional[str] = ...) -> None: ...

class GetSystemRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetSystemResponse(_message.Message):
    __slots__ = ("is_healthy", "errors", "components")
    IS_HEALTHY_FIELD_NUMBER: _ClassVar[int]
    ERRORS_FIELD_NUMBER: _ClassVar[int]
    COMPONENTS_FIELD_NUMBER: _ClassVar[int]
    is_healthy: bool
    errors: _containers.RepeatedScalarFieldContainer[str]
    components: SystemComponents
    def __init__(self, is_healthy: _Optional[bool] = ..., errors: _Optional[_Iterable[str]] = ..., components: _Optional[_Union[SystemComponents, _Mapping]] = ...) -> None: ...

class SystemComponents(_message.Message):
    __slots__ = ("queue", "vectordb", "vlm")
    QUEUE_FIELD_NUMBER: _ClassVar[int]
    VECTORDB_FIELD_NUMBER: _ClassVar[int]
    VLM_FIELD_NUMBER: _ClassVar[int]
    queue: ComponentStatus
    vectordb: ComponentStatus
    vlm: ComponentStatus
    def __init__(self, queue: _Optional[_Union[ComponentStatus, _Mapping]] = ..., vectordb: _Optional[_Union[ComponentStatus, _Mapping]] = ..., vlm: _Optional[_Union[ComponentStatus, _Mapping]] = ...) -> None: ...

class GetHealthRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetHealthResponse(_message.Message):
    __slots__ = ("healthy",)
    HEALTHY_FIELD_NUMBER: _ClassVar[int]
    healthy: bool
    def __init__(self, healthy: _Optional[bool] = ...) -> None: ...
