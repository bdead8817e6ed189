from google.protobuf import struct_pb2 as _struct_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class CreateSessionRequest(_message.Message):
    __slots__ = ("session_id", "idempotency_key")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    idempotency_key: str
    def __init__(self, session_id: _Optional[str] = ..., idempotency_key: _Optional[str] = ...) -> None: ...

class SessionUser(_message.Message):
    __slots__ = ("user_id", "agent_id")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    agent_id: str
    def __init__(self, user_id: _Optional[str] = ..., agent_id: _Optional[str] = ...) -> None: ...

class CreateSessionResponse(_message.Message):
    __slots__ = ("session_id", "user")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    USER_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    user: SessionUser
    def __init__(self, session_id: _Optional[str] = ..., user: _Optional[_Union[SessionUser, _Mapping]] = ...) -> None: ...

class ListSessionsRequest(_message.Message):
    __slots__ = ("limit", "offset", "cursor")
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    limit: int
    offset: int
    cursor: str
    def __init__(self, limit: _Optional[int] = ..., offset: _Optional[int] = ..., cursor: _Optional[str] = ...) -> None: ...

class ListSessionsResponse(_message.Message):
    __slots__ = ("sessions", "next_cursor")
    SESSIONS_FIELD_NUMBER: _ClassVar[int]
    NEXT_CURSOR_FIELD_NUMBER: _ClassVar[int]
    sessions: _containers.RepeatedCompositeFieldContainer[SessionSummary]
    next_cursor: str
    def __init__(self, sessions: _Optional[_Iterable[_Union[SessionSummary, _Mapping]]] = ..., next_cursor: _Optional[str] = ...) -> None: ...

class SessionSummary(_message.Message):
    __slots__ = ("session_id", "uri", "user", "message_count", "created_at", "updated_at")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    URI_FIELD_NUMBER: _ClassVar[int]
    USER_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_COUNT_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    UPDATED_AT_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    uri: str
    user: SessionUser
    message_count: int
    created_at: str
    updated_at: str
    def __init__(self, session_id: _Optional[str] = ..., uri: _Optional[str] = ..., user: _Optional[_Union[SessionUser, _Mapping]] = ..., message_count: _Optional[int] = ..., created_at: _Optional[str] = ..., updated_at: _Optional[str] = ...) -> None: ...

class GetSessionRequest(_message.Message):
    __slots__ = ("session_id",)
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    def __init__(self, session_id: _Optional[str] = ...) -> None: ...

class GetSessionResponse(_message.Message):
    __slots__ = ("session_id", "user", "message_count")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    USER_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_COUNT_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    user: SessionUser
    message_count: int
    def __init__(self, session_id: _Optional[str] = ..., user: _Optional[_Union[SessionUser, _Mapping]] = ..., message_count: _Optional[int] = ...) -> None: ...

class DeleteSessionRequest(_message.Message):
    __slots__ = ("session_id", "forget")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    FORGET_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    forget: bool
    def __init__(self, session_id: _Optional[str] = ..., forget: _Optional[bool] = ...) -> None: ...

class DeleteSessionResponse(_message.Message):
    __slots__ = ("session_id", "task_id")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    TASK_ID_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    task_id: str
    def __init__(self, session_id: _Optional[str] = ..., task_id: _Optional[str] = ...) -> None: ...

class AddMessageRequest(_message.Message):
    __slots__ = ("session_id", "role", "content", "parts", "id", "idempotency_key", "created_at")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    PARTS_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    role: str
    content: str
    parts: _containers.RepeatedCompositeFieldContainer[MessagePart]
    id: str
    idempotency_key: str
    created_at: str
    def __init__(self, session_id: _Optional[str] = ..., role: _Optional[str] = ..., content: _Optional[str] = ..., parts: _Optional[_Iterable[_Union[MessagePart, _Mapping]]] = ..., id: _Optional[str] = ..., idempotency_key: _Optional[str] = ..., created_at: _Optional[str] = ...) -> None: ...

class AddMessagesRequest(_message.Message):
    __slots__ = ("session_id", "messages", "idempotency_key")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    MESSAGES_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    messages: _containers.RepeatedCompositeFieldContainer[NewMessage]
    idempotency_key: str
    def __init__(self, session_id: _Optional[str] = ..., messages: _Optional[_Iterable[_Union[NewMessage, _Mapping]]] = ..., idempotency_key: _Optional[str] = ...) -> None: ...

class NewMessage(_message.Message):
    __slots__ = ("role", "content", "parts", "id", "created_at")
    ROLE_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    PARTS_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    role: str
    content: str
    parts: _containers.RepeatedCompositeFieldContainer[MessagePart]
    id: str
    created_at: str
    def __init__(self, role: _Optional[str] = ..., content: _Optional[str] = ..., parts: _Optional[_Iterable[_Union[MessagePart, _Mapping]]] = ..., id: _Optional[str] = ..., created_at: _Optional[str] = ...) -> None: ...

class AddMessagesResponse(_message.Message):
    __slots__ = ("session_id", "message_count")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_COUNT_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    message_count: int
    def __init__(self, session_id: _Optional[str] = ..., message_count: _Optional[int] = ...) -> None: ...

class MessagePart(_message.Message):
    __slots__ = ("type", "text", "uri", "context_type", "abstract", "tool_id", "tool_name", "skill_uri", "tool_input", "tool_output", "tool_status")
    TYPE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    URI_FIELD_NUMBER: _ClassVar[int]
    CONTEXT_TYPE_FIELD_NUMBER: _ClassVar[int]
    ABSTRACT_FIELD_NUMBER: _ClassVar[int]
    TOOL_ID_FIELD_NUMBER: _ClassVar[int]
    TOOL_NAME_FIELD_NUMBER: _ClassVar[int]
    SKILL_URI_FIELD_NUMBER: _ClassVar[int]
    TOOL_INPUT_FIELD_NUMBER: _ClassVar[int]
    TOOL_OUTPUT_FIELD_NUMBER: _ClassVar[int]
    TOOL_STATUS_FIELD_NUMBER: _ClassVar[int]
    type: str
    text: str
    uri: str
    context_type: str
    abstract: str
    tool_id: str
    tool_name: str
    skill_uri: str
    tool_input: _struct_pb2.Struct
    tool_output: str
    tool_status: str
    def __init__(self, type: _Optional[str] = ..., text: _Optional[str] = ..., uri: _Optional[str] = ..., context_type: _Optional[str] = ..., abstract: _Optional[str] = ..., tool_id: _Optional[str] = ..., tool_name: _Optional[str] = ..., skill_uri: _Optional[str] = ..., tool_input: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., tool_output: _Optional[str] = ..., tool_status: _Optional[str] = ...) -> None: ...

class AddMessageResponse(_message.Message):
    __slots__ = ("session_id", "message_count")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_COUNT_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    message_count: int
    def __init__(self, session_id: _Optional[str] = ..., message_count: _Optional[int] = ...) -> None: ...

class RecordUsageRequest(_message.Message):
    __slots__ = ("session_id", "contexts", "skill")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    CONTEXTS_FIELD_NUMBER: _ClassVar[int]
    SKILL_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    contexts: _containers.RepeatedScalarFieldContainer[str]
    skill: SkillUsage
    def __init__(self, session_id: _Optional[str] = ..., contexts: _Optional[_Iterable[str]] = ..., skill: _Optional[_Union[SkillUsage, _Mapping]] = ...) -> None: ...

class SkillUsage(_message.Message):
    __slots__ = ("uri",)
    URI_FIELD_NUMBER: _ClassVar[int]
    uri: str
    def __init__(self, uri: _Optional[str] = ...) -> None: ...

class RecordUsageResponse(_message.Message):
    __slots__ = ("session_id", "contexts_used", "skills_used")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    CONTEXTS_USED_FIELD_NUMBER: _ClassVar[int]
    SKILLS_USED_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    contexts_used: int
    skills_used: int
    def __init__(self, session_id: _Optional[str] = ..., contexts_used: _Optional[int] = ..., skills_used: _Optional[int] = ...) -> None: ...

class CommitSessionRequest(_message.Message):
    __slots__ = ("session_id", "wait", "idempotency_key")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    WAIT_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    wait: bool
    idempotency_key: str
    def __init__(self, session_id: _Optional[str] = ..., wait: _Optional[bool] = ..., idempotency_key: _Optional[str] = ...) -> None: ...

class CommitSessionResponse(_message.Message):
    __slots__ = ("session_id", "status", "archived", "memories_extracted", "active_count_updated", "stats", "task_id")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    ARCHIVED_FIELD_NUMBER: _ClassVar[int]
    MEMORIES_EXTRACTED_FIELD_NUMBER: _ClassVar[int]
    ACTIVE_COUNT_UPDATED_FIELD_NUMBER: _ClassVar[int]
    STATS_FIELD_NUMBER: _ClassVar[int]
    TASK_ID_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    status: str
    archived: bool
    memories_extracted: int
    active_count_updated: int
    stats: SessionStats
    task_id: str
    def __init__(self, session_id: _Optional[str] = ..., status: _Optional[str] = ..., archived: _Optional[bool] = ..., memories_extracted: _Optional[int] = ..., active_count_updated: _Optional[int] = ..., stats: _Optional[_Union[SessionStats, _Mapping]] = ..., task_id: _Optional[str] = ...) -> None: ...

class SessionStats(_message.Message):
    __slots__ = ("total_turns", "contexts_used", "skills_used", "memories_extracted", "total_tokens", "compression_count")
    TOTAL_TURNS_FIELD_NUMBER: _ClassVar[int]
    CONTEXTS_USED_FIELD_NUMBER: _ClassVar[int]
    SKILLS_USED_FIELD_NUMBER: _ClassVar[int]
    MEMORIES_EXTRACTED_FIELD_NUMBER: _ClassVar[int]
    TOTAL_TOKENS_FIELD_NUMBER: _ClassVar[int]
    COMPRESSION_COUNT_FIELD_NUMBER: _ClassVar[int]
    total_turns: int
    contexts_used: int
    skills_used: int
    memories_extracted: int
    total_tokens: int
    compression_count: int
    def __init__(self, total_turns: _Optional[int] = ..., contexts_used: _Optional[int] = ..., skills_used: _Optional[int] = ..., memories_extracted: _Optional[int] = ..., total_tokens: _Optional[int] = ..., compression_count: _Optional[int] = ...) -> None: ...

class GetSessionContextRequest(_message.Message):
    __slots__ = ("session_id", "token_budget", "recall_budget")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    TOKEN_BUDGET_FIELD_NUMBER: _ClassVar[int]
    RECALL_BUDGET_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    token_budget: int
    recall_budget: int
    def __init__(self, session_id: _Optional[str] = ..., token_budget: _Optional[int] = ..., recall_budget: _Optional[int] = ...) -> None: ...

class GetSessionContextResponse(_message.Message):
    __slots__ = ("latest_archive_overview", "pre_archive_abstracts", "messages", "estimated_tokens", "recalled")
    LATEST_ARCHIVE_OVERVIEW_FIELD_NUMBER: _ClassVar[int]
    PRE_ARCHIVE_ABSTRACTS_FIELD_NUMBER: _ClassVar[int]
    MESSAGES_FIELD_NUMBER: _ClassVar[int]
    ESTIMATED_TOKENS_FIELD_NUMBER: _ClassVar[int]
    RECALLED_FIELD_NUMBER: _ClassVar[int]
    latest_archive_overview: str
    pre_archive_abstracts: _containers.RepeatedCompositeFieldContainer[ArchiveAbstract]
    messages: _containers.RepeatedCompositeFieldContainer[SessionMessage]
    estimated_tokens: int
    recalled: str
    def __init__(self, latest_archive_overview: _Optional[str] = ..., pre_archive_abstracts: _Optional[_Iterable[_Union[ArchiveAbstract, _Mapping]]] = ..., messages: _Optional[_Iterable[_Union[SessionMessage, _Mapping]]] = ..., estimated_tokens: _Optional[int] = ..., recalled: _Optional[str] = ...) -> None: ...

class ArchiveAbstract(_message.Message):
    __slots__ = ("archive_id", "abstract")
    ARCHIVE_ID_FIELD_NUMBER: _ClassVar[int]
    ABSTRACT_FIELD_NUMBER: _ClassVar[int]
    archive_id: str
    abstract: str
    def __init__(self, archive_id: _Optional[str] = ..., abstract: _Optional[str] = ...) -> None: ...

class SessionMessage(_message.Message):
    __slots__ = ("id", "role", "parts", "created_at")
    ID_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    PARTS_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    id: str
    role: str
    parts: _containers.RepeatedCompositeFieldContainer[MessagePart]
    created_at: str
    def __init__(self, id: _Optional[str] = ..., role: _Optional[str] = ..., parts: _Optional[_Iterable[_Union[MessagePart, _Mapping]]] = ..., created_at: _Optional[str] = ...) -> None: ...
