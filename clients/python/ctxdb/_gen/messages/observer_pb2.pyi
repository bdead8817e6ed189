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

class ListMetricsRequest(_message.Message):
    __slots__ = ("resolution", "after", "limit")
    RESOLUTION_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    resolution: str
    after: str
    limit: int
    def __init__(self, resolution: _Optional[str] = ..., after: _Optional[str] = ..., limit: _Optional[int] = ...) -> None: ...

class ListMetricsResponse(_message.Message):
    __slots__ = ("samples", "has_more")
    SAMPLES_FIELD_NUMBER: _ClassVar[int]
    HAS_MORE_FIELD_NUMBER: _ClassVar[int]
    samples: _containers.RepeatedCompositeFieldContainer[MetricSample]
    has_more: bool
    def __init__(self, samples: _Optional[_Iterable[_Union[MetricSample, _Mapping]]] = ..., has_more: _Optional[bool] = ...) -> None: ...

class MetricSample(_message.Message):
    __slots__ = ("at", "seconds", "operations", "queues", "memory_bytes", "loop_delay_ms", "models", "stored_bytes")
    AT_FIELD_NUMBER: _ClassVar[int]
    SECONDS_FIELD_NUMBER: _ClassVar[int]
    OPERATIONS_FIELD_NUMBER: _ClassVar[int]
    QUEUES_FIELD_NUMBER: _ClassVar[int]
    MEMORY_BYTES_FIELD_NUMBER: _ClassVar[int]
    LOOP_DELAY_MS_FIELD_NUMBER: _ClassVar[int]
    MODELS_FIELD_NUMBER: _ClassVar[int]
    STORED_BYTES_FIELD_NUMBER: _ClassVar[int]
    at: str
    seconds: float
    operations: _containers.RepeatedCompositeFieldContainer[OperationMetrics]
    queues: _containers.RepeatedCompositeFieldContainer[QueueMetrics]
    memory_bytes: float
    loop_delay_ms: float
    models: _containers.RepeatedCompositeFieldContainer[ModelMetrics]
    stored_bytes: float
    def __init__(self, at: _Optional[str] = ..., seconds: _Optional[float] = ..., operations: _Optional[_Iterable[_Union[OperationMetrics, _Mapping]]] = ..., queues: _Optional[_Iterable[_Union[QueueMetrics, _Mapping]]] = ..., memory_bytes: _Optional[float] = ..., loop_delay_ms: _Optional[float] = ..., models: _Optional[_Iterable[_Union[ModelMetrics, _Mapping]]] = ..., stored_bytes: _Optional[float] = ...) -> None: ...

class ListMembersRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListMembersResponse(_message.Message):
    __slots__ = ("members", "hand_overs")
    MEMBERS_FIELD_NUMBER: _ClassVar[int]
    HAND_OVERS_FIELD_NUMBER: _ClassVar[int]
    members: _containers.RepeatedCompositeFieldContainer[ClusterMember]
    hand_overs: _containers.RepeatedCompositeFieldContainer[HandOver]
    def __init__(self, members: _Optional[_Iterable[_Union[ClusterMember, _Mapping]]] = ..., hand_overs: _Optional[_Iterable[_Union[HandOver, _Mapping]]] = ...) -> None: ...

class HandOver(_message.Message):
    __slots__ = ("account", "to", "state", "reason")
    ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    FROM_FIELD_NUMBER: _ClassVar[int]
    TO_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    account: str
    to: int
    state: str
    reason: str
    def __init__(self, account: _Optional[str] = ..., to: _Optional[int] = ..., state: _Optional[str] = ..., reason: _Optional[str] = ..., **kwargs) -> None: ...

class DrainMemberRequest(_message.Message):
    __slots__ = ("number", "cancel")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    CANCEL_FIELD_NUMBER: _ClassVar[int]
    number: int
    cancel: bool
    def __init__(self, number: _Optional[int] = ..., cancel: _Optional[bool] = ...) -> None: ...

class DrainMemberResponse(_message.Message):
    __slots__ = ("member",)
    MEMBER_FIELD_NUMBER: _ClassVar[int]
    member: ClusterMember
    def __init__(self, member: _Optional[_Union[ClusterMember, _Mapping]] = ...) -> None: ...

class MoveAccountRequest(_message.Message):
    __slots__ = ("number", "account_id")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    ACCOUNT_ID_FIELD_NUMBER: _ClassVar[int]
    number: int
    account_id: str
    def __init__(self, number: _Optional[int] = ..., account_id: _Optional[str] = ...) -> None: ...

class MoveAccountResponse(_message.Message):
    __slots__ = ("is_there",)
    IS_THERE_FIELD_NUMBER: _ClassVar[int]
    is_there: bool
    def __init__(self, is_there: _Optional[bool] = ...) -> None: ...

class ClusterMember(_message.Message):
    __slots__ = ("number", "url", "is_answering", "lease_seconds", "account_count", "accounts", "is_draining")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    URL_FIELD_NUMBER: _ClassVar[int]
    IS_ANSWERING_FIELD_NUMBER: _ClassVar[int]
    LEASE_SECONDS_FIELD_NUMBER: _ClassVar[int]
    ACCOUNT_COUNT_FIELD_NUMBER: _ClassVar[int]
    ACCOUNTS_FIELD_NUMBER: _ClassVar[int]
    IS_DRAINING_FIELD_NUMBER: _ClassVar[int]
    number: int
    url: str
    is_answering: bool
    lease_seconds: float
    account_count: int
    accounts: _containers.RepeatedScalarFieldContainer[str]
    is_draining: bool
    def __init__(self, number: _Optional[int] = ..., url: _Optional[str] = ..., is_answering: _Optional[bool] = ..., lease_seconds: _Optional[float] = ..., account_count: _Optional[int] = ..., accounts: _Optional[_Iterable[str]] = ..., is_draining: _Optional[bool] = ...) -> None: ...

class ListDeadLettersRequest(_message.Message):
    __slots__ = ("limit", "cursor")
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    limit: int
    cursor: str
    def __init__(self, limit: _Optional[int] = ..., cursor: _Optional[str] = ...) -> None: ...

class ListDeadLettersResponse(_message.Message):
    __slots__ = ("dead_letters", "next_cursor")
    DEAD_LETTERS_FIELD_NUMBER: _ClassVar[int]
    NEXT_CURSOR_FIELD_NUMBER: _ClassVar[int]
    dead_letters: _containers.RepeatedCompositeFieldContainer[DeadLetter]
    next_cursor: str
    def __init__(self, dead_letters: _Optional[_Iterable[_Union[DeadLetter, _Mapping]]] = ..., next_cursor: _Optional[str] = ...) -> None: ...

class DeadLetter(_message.Message):
    __slots__ = ("id", "queue", "kind", "reason", "at", "attempts", "retryable")
    ID_FIELD_NUMBER: _ClassVar[int]
    QUEUE_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    AT_FIELD_NUMBER: _ClassVar[int]
    ATTEMPTS_FIELD_NUMBER: _ClassVar[int]
    RETRYABLE_FIELD_NUMBER: _ClassVar[int]
    id: str
    queue: str
    kind: str
    reason: str
    at: str
    attempts: int
    retryable: bool
    def __init__(self, id: _Optional[str] = ..., queue: _Optional[str] = ..., kind: _Optional[str] = ..., reason: _Optional[str] = ..., at: _Optional[str] = ..., attempts: _Optional[int] = ..., retryable: _Optional[bool] = ...) -> None: ...

class RetryDeadLetterRequest(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class RetryDeadLetterResponse(_message.Message):
    __slots__ = ("id", "queue")
    ID_FIELD_NUMBER: _ClassVar[int]
    QUEUE_FIELD_NUMBER: _ClassVar[int]
    id: str
    queue: str
    def __init__(self, id: _Optional[str] = ..., queue: _Optional[str] = ...) -> None: ...

class ListAuditRequest(_message.Message):
    __slots__ = ("limit", "cursor")
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    limit: int
    cursor: str
    def __init__(self, limit: _Optional[int] = ..., cursor: _Optional[str] = ...) -> None: ...

class ListAuditResponse(_message.Message):
    __slots__ = ("entries", "next_cursor")
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    NEXT_CURSOR_FIELD_NUMBER: _ClassVar[int]
    entries: _containers.RepeatedCompositeFieldContainer[AuditEntry]
    next_cursor: str
    def __init__(self, entries: _Optional[_Iterable[_Union[AuditEntry, _Mapping]]] = ..., next_cursor: _Optional[str] = ...) -> None: ...

class AuditEntry(_message.Message):
    __slots__ = ("at", "operation", "wire", "code", "request_id", "peer", "account", "user", "role", "subject")
    AT_FIELD_NUMBER: _ClassVar[int]
    OPERATION_FIELD_NUMBER: _ClassVar[int]
    WIRE_FIELD_NUMBER: _ClassVar[int]
    CODE_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    PEER_FIELD_NUMBER: _ClassVar[int]
    ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    USER_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    at: str
    operation: str
    wire: str
    code: str
    request_id: str
    peer: str
    account: str
    user: str
    role: str
    subject: str
    def __init__(self, at: _Optional[str] = ..., operation: _Optional[str] = ..., wire: _Optional[str] = ..., code: _Optional[str] = ..., request_id: _Optional[str] = ..., peer: _Optional[str] = ..., account: _Optional[str] = ..., user: _Optional[str] = ..., role: _Optional[str] = ..., subject: _Optional[str] = ...) -> None: ...

class OperationMetrics(_message.Message):
    __slots__ = ("operation", "requests", "errors", "p50_ms", "p99_ms")
    OPERATION_FIELD_NUMBER: _ClassVar[int]
    REQUESTS_FIELD_NUMBER: _ClassVar[int]
    ERRORS_FIELD_NUMBER: _ClassVar[int]
    P50_MS_FIELD_NUMBER: _ClassVar[int]
    P99_MS_FIELD_NUMBER: _ClassVar[int]
    operation: str
    requests: int
    errors: int
    p50_ms: float
    p99_ms: float
    def __init__(self, operation: _Optional[str] = ..., requests: _Optional[int] = ..., errors: _Optional[int] = ..., p50_ms: _Optional[float] = ..., p99_ms: _Optional[float] = ...) -> None: ...

class QueueMetrics(_message.Message):
    __slots__ = ("queue", "pending", "in_progress")
    QUEUE_FIELD_NUMBER: _ClassVar[int]
    PENDING_FIELD_NUMBER: _ClassVar[int]
    IN_PROGRESS_FIELD_NUMBER: _ClassVar[int]
    queue: str
    pending: int
    in_progress: int
    def __init__(self, queue: _Optional[str] = ..., pending: _Optional[int] = ..., in_progress: _Optional[int] = ...) -> None: ...

class ModelMetrics(_message.Message):
    __slots__ = ("provider", "model", "prompt", "completion")
    PROVIDER_FIELD_NUMBER: _ClassVar[int]
    MODEL_FIELD_NUMBER: _ClassVar[int]
    PROMPT_FIELD_NUMBER: _ClassVar[int]
    COMPLETION_FIELD_NUMBER: _ClassVar[int]
    provider: str
    model: str
    prompt: float
    completion: float
    def __init__(self, provider: _Optional[str] = ..., model: _Optional[str] = ..., prompt: _Optional[float] = ..., completion: _Optional[float] = ...) -> None: ...
