from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Memory(_message.Message):
    __slots__ = ("memory_id", "uri", "kind", "statement", "category", "subject", "origin", "created_at", "said_at", "valid_from", "valid_until", "superseded_by", "expires_at", "sources")
    MEMORY_ID_FIELD_NUMBER: _ClassVar[int]
    URI_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    STATEMENT_FIELD_NUMBER: _ClassVar[int]
    CATEGORY_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    ORIGIN_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    SAID_AT_FIELD_NUMBER: _ClassVar[int]
    VALID_FROM_FIELD_NUMBER: _ClassVar[int]
    VALID_UNTIL_FIELD_NUMBER: _ClassVar[int]
    SUPERSEDED_BY_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    SOURCES_FIELD_NUMBER: _ClassVar[int]
    memory_id: str
    uri: str
    kind: str
    statement: str
    category: str
    subject: str
    origin: str
    created_at: str
    said_at: str
    valid_from: str
    valid_until: str
    superseded_by: str
    expires_at: str
    sources: _containers.RepeatedCompositeFieldContainer[SourceMessages]
    def __init__(self, memory_id: _Optional[str] = ..., uri: _Optional[str] = ..., kind: _Optional[str] = ..., statement: _Optional[str] = ..., category: _Optional[str] = ..., subject: _Optional[str] = ..., origin: _Optional[str] = ..., created_at: _Optional[str] = ..., said_at: _Optional[str] = ..., valid_from: _Optional[str] = ..., valid_until: _Optional[str] = ..., superseded_by: _Optional[str] = ..., expires_at: _Optional[str] = ..., sources: _Optional[_Iterable[_Union[SourceMessages, _Mapping]]] = ...) -> None: ...

class SourceMessages(_message.Message):
    __slots__ = ("session_id", "archive_id", "message_ids")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    ARCHIVE_ID_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_IDS_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    archive_id: str
    message_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, session_id: _Optional[str] = ..., archive_id: _Optional[str] = ..., message_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class CreateMemoryRequest(_message.Message):
    __slots__ = ("statement", "category", "subject", "valid_from", "expires_at", "origin", "idempotency_key")
    STATEMENT_FIELD_NUMBER: _ClassVar[int]
    CATEGORY_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    VALID_FROM_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    ORIGIN_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    statement: str
    category: str
    subject: str
    valid_from: str
    expires_at: str
    origin: str
    idempotency_key: str
    def __init__(self, statement: _Optional[str] = ..., category: _Optional[str] = ..., subject: _Optional[str] = ..., valid_from: _Optional[str] = ..., expires_at: _Optional[str] = ..., origin: _Optional[str] = ..., idempotency_key: _Optional[str] = ...) -> None: ...

class CreateMemoryResponse(_message.Message):
    __slots__ = ("memory", "created")
    MEMORY_FIELD_NUMBER: _ClassVar[int]
    CREATED_FIELD_NUMBER: _ClassVar[int]
    memory: Memory
    created: bool
    def __init__(self, memory: _Optional[_Union[Memory, _Mapping]] = ..., created: _Optional[bool] = ...) -> None: ...

class ListMemoriesRequest(_message.Message):
    __slots__ = ("category", "text", "subject", "as_of", "since", "until", "include_superseded", "exclude_origins", "limit", "cursor")
    CATEGORY_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    AS_OF_FIELD_NUMBER: _ClassVar[int]
    SINCE_FIELD_NUMBER: _ClassVar[int]
    UNTIL_FIELD_NUMBER: _ClassVar[int]
    INCLUDE_SUPERSEDED_FIELD_NUMBER: _ClassVar[int]
    EXCLUDE_ORIGINS_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    category: str
    text: str
    subject: str
    as_of: str
    since: str
    until: str
    include_superseded: bool
    exclude_origins: _containers.RepeatedScalarFieldContainer[str]
    limit: int
    cursor: str
    def __init__(self, category: _Optional[str] = ..., text: _Optional[str] = ..., subject: _Optional[str] = ..., as_of: _Optional[str] = ..., since: _Optional[str] = ..., until: _Optional[str] = ..., include_superseded: _Optional[bool] = ..., exclude_origins: _Optional[_Iterable[str]] = ..., limit: _Optional[int] = ..., cursor: _Optional[str] = ...) -> None: ...

class ListMemoriesResponse(_message.Message):
    __slots__ = ("memories", "next_cursor")
    MEMORIES_FIELD_NUMBER: _ClassVar[int]
    NEXT_CURSOR_FIELD_NUMBER: _ClassVar[int]
    memories: _containers.RepeatedCompositeFieldContainer[Memory]
    next_cursor: str
    def __init__(self, memories: _Optional[_Iterable[_Union[Memory, _Mapping]]] = ..., next_cursor: _Optional[str] = ...) -> None: ...

class GetMemoryRequest(_message.Message):
    __slots__ = ("memory_id",)
    MEMORY_ID_FIELD_NUMBER: _ClassVar[int]
    memory_id: str
    def __init__(self, memory_id: _Optional[str] = ...) -> None: ...

class GetMemoryResponse(_message.Message):
    __slots__ = ("memory",)
    MEMORY_FIELD_NUMBER: _ClassVar[int]
    memory: Memory
    def __init__(self, memory: _Optional[_Union[Memory, _Mapping]] = ...) -> None: ...

class UpdateMemoryRequest(_message.Message):
    __slots__ = ("memory_id", "statement", "valid_from", "expires_at", "idempotency_key")
    MEMORY_ID_FIELD_NUMBER: _ClassVar[int]
    STATEMENT_FIELD_NUMBER: _ClassVar[int]
    VALID_FROM_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    memory_id: str
    statement: str
    valid_from: str
    expires_at: str
    idempotency_key: str
    def __init__(self, memory_id: _Optional[str] = ..., statement: _Optional[str] = ..., valid_from: _Optional[str] = ..., expires_at: _Optional[str] = ..., idempotency_key: _Optional[str] = ...) -> None: ...

class UpdateMemoryResponse(_message.Message):
    __slots__ = ("memory",)
    MEMORY_FIELD_NUMBER: _ClassVar[int]
    memory: Memory
    def __init__(self, memory: _Optional[_Union[Memory, _Mapping]] = ...) -> None: ...

class DeleteMemoryRequest(_message.Message):
    __slots__ = ("memory_id",)
    MEMORY_ID_FIELD_NUMBER: _ClassVar[int]
    memory_id: str
    def __init__(self, memory_id: _Optional[str] = ...) -> None: ...

class DeleteMemoryResponse(_message.Message):
    __slots__ = ("memory_id",)
    MEMORY_ID_FIELD_NUMBER: _ClassVar[int]
    memory_id: str
    def __init__(self, memory_id: _Optional[str] = ...) -> None: ...

class ForgetRequest(_message.Message):
    __slots__ = ("uri", "query", "subject", "min_score", "limit", "dry_run", "idempotency_key")
    URI_FIELD_NUMBER: _ClassVar[int]
    QUERY_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    MIN_SCORE_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    DRY_RUN_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    uri: str
    query: str
    subject: str
    min_score: float
    limit: int
    dry_run: bool
    idempotency_key: str
    def __init__(self, uri: _Optional[str] = ..., query: _Optional[str] = ..., subject: _Optional[str] = ..., min_score: _Optional[float] = ..., limit: _Optional[int] = ..., dry_run: _Optional[bool] = ..., idempotency_key: _Optional[str] = ...) -> None: ...

class ForgetResponse(_message.Message):
    __slots__ = ("dry_run", "facts", "episodes", "messages", "memories", "redacted", "task_id")
    DRY_RUN_FIELD_NUMBER: _ClassVar[int]
    FACTS_FIELD_NUMBER: _ClassVar[int]
    EPISODES_FIELD_NUMBER: _ClassVar[int]
    MESSAGES_FIELD_NUMBER: _ClassVar[int]
    MEMORIES_FIELD_NUMBER: _ClassVar[int]
    REDACTED_FIELD_NUMBER: _ClassVar[int]
    TASK_ID_FIELD_NUMBER: _ClassVar[int]
    dry_run: bool
    facts: int
    episodes: int
    messages: int
    memories: _containers.RepeatedCompositeFieldContainer[ForgottenMemory]
    redacted: _containers.RepeatedCompositeFieldContainer[SourceMessages]
    task_id: str
    def __init__(self, dry_run: _Optional[bool] = ..., facts: _Optional[int] = ..., episodes: _Optional[int] = ..., messages: _Optional[int] = ..., memories: _Optional[_Iterable[_Union[ForgottenMemory, _Mapping]]] = ..., redacted: _Optional[_Iterable[_Union[SourceMessages, _Mapping]]] = ..., task_id: _Optional[str] = ...) -> None: ...

class ForgottenMemory(_message.Message):
    __slots__ = ("memory_id", "kind", "category", "score", "is_gone", "statement", "uri")
    MEMORY_ID_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    CATEGORY_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    IS_GONE_FIELD_NUMBER: _ClassVar[int]
    STATEMENT_FIELD_NUMBER: _ClassVar[int]
    URI_FIELD_NUMBER: _ClassVar[int]
    memory_id: str
    kind: str
    category: str
    score: float
    is_gone: bool
    statement: str
    uri: str
    def __init__(self, memory_id: _Optional[str] = ..., kind: _Optional[str] = ..., category: _Optional[str] = ..., score: _Optional[float] = ..., is_gone: _Optional[bool] = ..., statement: _Optional[str] = ..., uri: _Optional[str] = ...) -> None: ...

class GetMemoryHistoryRequest(_message.Message):
    __slots__ = ("memory_id",)
    MEMORY_ID_FIELD_NUMBER: _ClassVar[int]
    memory_id: str
    def __init__(self, memory_id: _Optional[str] = ...) -> None: ...

class GetMemoryHistoryResponse(_message.Message):
    __slots__ = ("memories",)
    MEMORIES_FIELD_NUMBER: _ClassVar[int]
    memories: _containers.RepeatedCompositeFieldContainer[Memory]
    def __init__(self, memories: _Optional[_Iterable[_Union[Memory, _Mapping]]] = ...) -> None: ...
