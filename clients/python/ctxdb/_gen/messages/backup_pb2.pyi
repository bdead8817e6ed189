from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class CreateBackupRequest(_message.Message):
    __slots__ = ("name", "wait", "location")
    NAME_FIELD_NUMBER: _ClassVar[int]
    WAIT_FIELD_NUMBER: _ClassVar[int]
    LOCATION_FIELD_NUMBER: _ClassVar[int]
    name: str
    wait: bool
    location: str
    def __init__(self, name: _Optional[str] = ..., wait: _Optional[bool] = ..., location: _Optional[str] = ...) -> None: ...

class CreateBackupResponse(_message.Message):
    __slots__ = ("backup",)
    BACKUP_FIELD_NUMBER: _ClassVar[int]
    backup: Backup
    def __init__(self, backup: _Optional[_Union[Backup, _Mapping]] = ...) -> None: ...

class Backup(_message.Message):
    __slots__ = ("name", "state", "created_at", "version", "scheduled", "records", "contents", "bytes", "added_bytes", "seconds", "lost", "error")
    NAME_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    SCHEDULED_FIELD_NUMBER: _ClassVar[int]
    RECORDS_FIELD_NUMBER: _ClassVar[int]
    CONTENTS_FIELD_NUMBER: _ClassVar[int]
    BYTES_FIELD_NUMBER: _ClassVar[int]
    ADDED_BYTES_FIELD_NUMBER: _ClassVar[int]
    SECONDS_FIELD_NUMBER: _ClassVar[int]
    LOST_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    name: str
    state: str
    created_at: str
    version: str
    scheduled: bool
    records: float
    contents: float
    bytes: float
    added_bytes: float
    seconds: float
    lost: _containers.RepeatedScalarFieldContainer[str]
    error: str
    def __init__(self, name: _Optional[str] = ..., state: _Optional[str] = ..., created_at: _Optional[str] = ..., version: _Optional[str] = ..., scheduled: _Optional[bool] = ..., records: _Optional[float] = ..., contents: _Optional[float] = ..., bytes: _Optional[float] = ..., added_bytes: _Optional[float] = ..., seconds: _Optional[float] = ..., lost: _Optional[_Iterable[str]] = ..., error: _Optional[str] = ...) -> None: ...

class ListBackupsRequest(_message.Message):
    __slots__ = ("location",)
    LOCATION_FIELD_NUMBER: _ClassVar[int]
    location: str
    def __init__(self, location: _Optional[str] = ...) -> None: ...

class ListBackupsResponse(_message.Message):
    __slots__ = ("backups",)
    BACKUPS_FIELD_NUMBER: _ClassVar[int]
    backups: _containers.RepeatedCompositeFieldContainer[Backup]
    def __init__(self, backups: _Optional[_Iterable[_Union[Backup, _Mapping]]] = ...) -> None: ...

class VerifyBackupRequest(_message.Message):
    __slots__ = ("name", "location")
    NAME_FIELD_NUMBER: _ClassVar[int]
    LOCATION_FIELD_NUMBER: _ClassVar[int]
    name: str
    location: str
    def __init__(self, name: _Optional[str] = ..., location: _Optional[str] = ...) -> None: ...

class VerifyBackupResponse(_message.Message):
    __slots__ = ("sound", "objects", "damaged")
    SOUND_FIELD_NUMBER: _ClassVar[int]
    OBJECTS_FIELD_NUMBER: _ClassVar[int]
    DAMAGED_FIELD_NUMBER: _ClassVar[int]
    sound: bool
    objects: float
    damaged: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, sound: _Optional[bool] = ..., objects: _Optional[float] = ..., damaged: _Optional[_Iterable[str]] = ...) -> None: ...

class DeleteBackupRequest(_message.Message):
    __slots__ = ("name", "location")
    NAME_FIELD_NUMBER: _ClassVar[int]
    LOCATION_FIELD_NUMBER: _ClassVar[int]
    name: str
    location: str
    def __init__(self, name: _Optional[str] = ..., location: _Optional[str] = ...) -> None: ...

class DeleteBackupResponse(_message.Message):
    __slots__ = ("freed_bytes",)
    FREED_BYTES_FIELD_NUMBER: _ClassVar[int]
    freed_bytes: float
    def __init__(self, freed_bytes: _Optional[float] = ...) -> None: ...
