from ctxdb._gen.messages import queue_status_pb2 as _queue_status_pb2
from google.protobuf import struct_pb2 as _struct_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class AddSkillRequest(_message.Message):
    __slots__ = ("data", "temp_path", "temp_file_id", "wait", "timeout", "idempotency_key")
    DATA_FIELD_NUMBER: _ClassVar[int]
    TEMP_PATH_FIELD_NUMBER: _ClassVar[int]
    TEMP_FILE_ID_FIELD_NUMBER: _ClassVar[int]
    WAIT_FIELD_NUMBER: _ClassVar[int]
    TIMEOUT_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    data: _struct_pb2.Value
    temp_path: str
    temp_file_id: str
    wait: bool
    timeout: float
    idempotency_key: str
    def __init__(self, data: _Optional[_Union[_struct_pb2.Value, _Mapping]] = ..., temp_path: _Optional[str] = ..., temp_file_id: _Optional[str] = ..., wait: _Optional[bool] = ..., timeout: _Optional[float] = ..., idempotency_key: _Optional[str] = ...) -> None: ...

class AddSkillResponse(_message.Message):
    __slots__ = ("status", "uri", "skill_uri", "root_uri", "name", "auxiliary_files", "errors", "queue_status")
    STATUS_FIELD_NUMBER: _ClassVar[int]
    URI_FIELD_NUMBER: _ClassVar[int]
    SKILL_URI_FIELD_NUMBER: _ClassVar[int]
    ROOT_URI_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    AUXILIARY_FILES_FIELD_NUMBER: _ClassVar[int]
    ERRORS_FIELD_NUMBER: _ClassVar[int]
    QUEUE_STATUS_FIELD_NUMBER: _ClassVar[int]
    status: str
    uri: str
    skill_uri: str
    root_uri: str
    name: str
    auxiliary_files: int
    errors: _containers.RepeatedScalarFieldContainer[str]
    queue_status: _queue_status_pb2.QueueStatus
    def __init__(self, status: _Optional[str] = ..., uri: _Optional[str] = ..., skill_uri: _Optional[str] = ..., root_uri: _Optional[str] = ..., name: _Optional[str] = ..., auxiliary_files: _Optional[int] = ..., errors: _Optional[_Iterable[str]] = ..., queue_status: _Optional[_Union[_queue_status_pb2.QueueStatus, _Mapping]] = ...) -> None: ...

class ListSkillsRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListSkillsResponse(_message.Message):
    __slots__ = ("skills", "total")
    SKILLS_FIELD_NUMBER: _ClassVar[int]
    TOTAL_FIELD_NUMBER: _ClassVar[int]
    skills: _containers.RepeatedCompositeFieldContainer[SkillSummary]
    total: int
    def __init__(self, skills: _Optional[_Iterable[_Union[SkillSummary, _Mapping]]] = ..., total: _Optional[int] = ...) -> None: ...

class SkillSummary(_message.Message):
    __slots__ = ("name", "uri", "description", "tags", "allowed_tools")
    NAME_FIELD_NUMBER: _ClassVar[int]
    URI_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    ALLOWED_TOOLS_FIELD_NUMBER: _ClassVar[int]
    name: str
    uri: str
    description: str
    tags: _containers.RepeatedScalarFieldContainer[str]
    allowed_tools: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, name: _Optional[str] = ..., uri: _Optional[str] = ..., description: _Optional[str] = ..., tags: _Optional[_Iterable[str]] = ..., allowed_tools: _Optional[_Iterable[str]] = ...) -> None: ...

class GetSkillRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class GetSkillResponse(_message.Message):
    __slots__ = ("name", "uri", "description", "tags", "allowed_tools", "content", "files")
    NAME_FIELD_NUMBER: _ClassVar[int]
    URI_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    ALLOWED_TOOLS_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    FILES_FIELD_NUMBER: _ClassVar[int]
    name: str
    uri: str
    description: str
    tags: _containers.RepeatedScalarFieldContainer[str]
    allowed_tools: _containers.RepeatedScalarFieldContainer[str]
    content: str
    files: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, name: _Optional[str] = ..., uri: _Optional[str] = ..., description: _Optional[str] = ..., tags: _Optional[_Iterable[str]] = ..., allowed_tools: _Optional[_Iterable[str]] = ..., content: _Optional[str] = ..., files: _Optional[_Iterable[str]] = ...) -> None: ...

class DeleteSkillRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class DeleteSkillResponse(_message.Message):
    __slots__ = ("name", "uri", "deleted", "trash_id")
    NAME_FIELD_NUMBER: _ClassVar[int]
    URI_FIELD_NUMBER: _ClassVar[int]
    DELETED_FIELD_NUMBER: _ClassVar[int]
    TRASH_ID_FIELD_NUMBER: _ClassVar[int]
    name: str
    uri: str
    deleted: int
    trash_id: str
    def __init__(self, name: _Optional[str] = ..., uri: _Optional[str] = ..., deleted: _Optional[int] = ..., trash_id: _Optional[str] = ...) -> None: ...
