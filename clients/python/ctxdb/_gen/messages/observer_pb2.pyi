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
    __slots__ = ("at", "seconds", "operations", "queues", "memory_bytes", "loop_delay_ms", "models")
    AT_FIELD_NUMBER: _ClassVar[int]
    SECONDS_FIELD_NUMBER: _ClassVar[int]
    OPERATIONS_FIELD_NUMBER: _ClassVar[int]
    QUEUES_FIELD_NUMBER: _ClassVar[int]
    MEMORY_BYTES_FIELD_NUMBER: _ClassVar[int]
    LOOP_DELAY_MS_FIELD_NUMBER: _ClassVar[int]
    MODELS_FIELD_NUMBER: _ClassVar[int]
    at: str
    seconds: float
    operations: _containers.RepeatedCompositeFieldContainer[OperationMetrics]
    queues: _containers.RepeatedCompositeFieldContainer[QueueMetrics]
    memory_bytes: float
    loop_delay_ms: float
    models: _containers.RepeatedCompositeFieldContainer[ModelMetrics]
    def __init__(self, at: _Optional[str] = ..., seconds: _Optional[float] = ..., operations: _Optional[_Iterable[_Union[OperationMetrics, _Mapping]]] = ..., queues: _Optional[_Iterable[_Union[QueueMetrics, _Mapping]]] = ..., memory_bytes: _Optional[float] = ..., loop_delay_ms: _Optional[float] = ..., models: _Optional[_Iterable[_Union[ModelMetrics, _Mapping]]] = ...) -> None: ...

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
