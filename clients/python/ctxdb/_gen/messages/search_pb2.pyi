from google.protobuf import struct_pb2 as _struct_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class FindRequest(_message.Message):
    __slots__ = ("query", "target_uri", "limit", "score_threshold", "filter", "explain", "as_of", "since", "until", "exclude_origins")
    QUERY_FIELD_NUMBER: _ClassVar[int]
    TARGET_URI_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    SCORE_THRESHOLD_FIELD_NUMBER: _ClassVar[int]
    FILTER_FIELD_NUMBER: _ClassVar[int]
    EXPLAIN_FIELD_NUMBER: _ClassVar[int]
    AS_OF_FIELD_NUMBER: _ClassVar[int]
    SINCE_FIELD_NUMBER: _ClassVar[int]
    UNTIL_FIELD_NUMBER: _ClassVar[int]
    EXCLUDE_ORIGINS_FIELD_NUMBER: _ClassVar[int]
    query: str
    target_uri: _struct_pb2.Value
    limit: int
    score_threshold: float
    filter: _struct_pb2.Struct
    explain: bool
    as_of: str
    since: str
    until: str
    exclude_origins: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, query: _Optional[str] = ..., target_uri: _Optional[_Union[_struct_pb2.Value, _Mapping]] = ..., limit: _Optional[int] = ..., score_threshold: _Optional[float] = ..., filter: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., explain: _Optional[bool] = ..., as_of: _Optional[str] = ..., since: _Optional[str] = ..., until: _Optional[str] = ..., exclude_origins: _Optional[_Iterable[str]] = ...) -> None: ...

class FindResponse(_message.Message):
    __slots__ = ("memories", "resources", "skills", "total", "explain")
    MEMORIES_FIELD_NUMBER: _ClassVar[int]
    RESOURCES_FIELD_NUMBER: _ClassVar[int]
    SKILLS_FIELD_NUMBER: _ClassVar[int]
    TOTAL_FIELD_NUMBER: _ClassVar[int]
    EXPLAIN_FIELD_NUMBER: _ClassVar[int]
    memories: _containers.RepeatedCompositeFieldContainer[MatchedContext]
    resources: _containers.RepeatedCompositeFieldContainer[MatchedContext]
    skills: _containers.RepeatedCompositeFieldContainer[MatchedContext]
    total: int
    explain: SearchExplanation
    def __init__(self, memories: _Optional[_Iterable[_Union[MatchedContext, _Mapping]]] = ..., resources: _Optional[_Iterable[_Union[MatchedContext, _Mapping]]] = ..., skills: _Optional[_Iterable[_Union[MatchedContext, _Mapping]]] = ..., total: _Optional[int] = ..., explain: _Optional[_Union[SearchExplanation, _Mapping]] = ...) -> None: ...

class MatchedContext(_message.Message):
    __slots__ = ("uri", "context_type", "level", "abstract", "overview", "score", "match_reason", "match", "category", "relations", "source", "explain", "tags")
    URI_FIELD_NUMBER: _ClassVar[int]
    CONTEXT_TYPE_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    ABSTRACT_FIELD_NUMBER: _ClassVar[int]
    OVERVIEW_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    MATCH_REASON_FIELD_NUMBER: _ClassVar[int]
    MATCH_FIELD_NUMBER: _ClassVar[int]
    CATEGORY_FIELD_NUMBER: _ClassVar[int]
    RELATIONS_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    EXPLAIN_FIELD_NUMBER: _ClassVar[int]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    uri: str
    context_type: str
    level: int
    abstract: str
    overview: str
    score: float
    match_reason: str
    match: str
    category: str
    relations: _containers.RepeatedCompositeFieldContainer[RelatedContext]
    source: str
    explain: HitExplanation
    tags: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, uri: _Optional[str] = ..., context_type: _Optional[str] = ..., level: _Optional[int] = ..., abstract: _Optional[str] = ..., overview: _Optional[str] = ..., score: _Optional[float] = ..., match_reason: _Optional[str] = ..., match: _Optional[str] = ..., category: _Optional[str] = ..., relations: _Optional[_Iterable[_Union[RelatedContext, _Mapping]]] = ..., source: _Optional[str] = ..., explain: _Optional[_Union[HitExplanation, _Mapping]] = ..., tags: _Optional[_Iterable[str]] = ...) -> None: ...

class HitExplanation(_message.Message):
    __slots__ = ("level", "passage", "quoted", "lexical", "dense", "own", "semantic", "hotness", "score", "relevance", "sources")
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    PASSAGE_FIELD_NUMBER: _ClassVar[int]
    QUOTED_FIELD_NUMBER: _ClassVar[int]
    LEXICAL_FIELD_NUMBER: _ClassVar[int]
    DENSE_FIELD_NUMBER: _ClassVar[int]
    OWN_FIELD_NUMBER: _ClassVar[int]
    SEMANTIC_FIELD_NUMBER: _ClassVar[int]
    HOTNESS_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    RELEVANCE_FIELD_NUMBER: _ClassVar[int]
    SOURCES_FIELD_NUMBER: _ClassVar[int]
    level: str
    passage: TextSpan
    quoted: bool
    lexical: float
    dense: float
    own: float
    semantic: float
    hotness: float
    score: float
    relevance: float
    sources: _containers.RepeatedCompositeFieldContainer[MemorySource]
    def __init__(self, level: _Optional[str] = ..., passage: _Optional[_Union[TextSpan, _Mapping]] = ..., quoted: _Optional[bool] = ..., lexical: _Optional[float] = ..., dense: _Optional[float] = ..., own: _Optional[float] = ..., semantic: _Optional[float] = ..., hotness: _Optional[float] = ..., score: _Optional[float] = ..., relevance: _Optional[float] = ..., sources: _Optional[_Iterable[_Union[MemorySource, _Mapping]]] = ...) -> None: ...

class TextSpan(_message.Message):
    __slots__ = ("start", "end")
    START_FIELD_NUMBER: _ClassVar[int]
    END_FIELD_NUMBER: _ClassVar[int]
    start: int
    end: int
    def __init__(self, start: _Optional[int] = ..., end: _Optional[int] = ...) -> None: ...

class MemorySource(_message.Message):
    __slots__ = ("session", "archive", "messages", "fact")
    SESSION_FIELD_NUMBER: _ClassVar[int]
    ARCHIVE_FIELD_NUMBER: _ClassVar[int]
    MESSAGES_FIELD_NUMBER: _ClassVar[int]
    FACT_FIELD_NUMBER: _ClassVar[int]
    session: str
    archive: int
    messages: _containers.RepeatedScalarFieldContainer[str]
    fact: str
    def __init__(self, session: _Optional[str] = ..., archive: _Optional[int] = ..., messages: _Optional[_Iterable[str]] = ..., fact: _Optional[str] = ...) -> None: ...

class SearchExplanation(_message.Message):
    __slots__ = ("query", "filtered", "reranked", "documents", "candidates", "seeds", "explored", "rounds", "converged", "meaning", "spaces", "missed", "quotes", "filled", "steps")
    QUERY_FIELD_NUMBER: _ClassVar[int]
    FILTERED_FIELD_NUMBER: _ClassVar[int]
    RERANKED_FIELD_NUMBER: _ClassVar[int]
    DOCUMENTS_FIELD_NUMBER: _ClassVar[int]
    CANDIDATES_FIELD_NUMBER: _ClassVar[int]
    SEEDS_FIELD_NUMBER: _ClassVar[int]
    EXPLORED_FIELD_NUMBER: _ClassVar[int]
    ROUNDS_FIELD_NUMBER: _ClassVar[int]
    CONVERGED_FIELD_NUMBER: _ClassVar[int]
    MEANING_FIELD_NUMBER: _ClassVar[int]
    SPACES_FIELD_NUMBER: _ClassVar[int]
    MISSED_FIELD_NUMBER: _ClassVar[int]
    QUOTES_FIELD_NUMBER: _ClassVar[int]
    FILLED_FIELD_NUMBER: _ClassVar[int]
    STEPS_FIELD_NUMBER: _ClassVar[int]
    query: str
    filtered: bool
    reranked: int
    documents: int
    candidates: CandidateCounts
    seeds: _containers.RepeatedScalarFieldContainer[str]
    explored: _containers.RepeatedScalarFieldContainer[str]
    rounds: int
    converged: bool
    meaning: MeaningShares
    spaces: _containers.RepeatedScalarFieldContainer[str]
    missed: _containers.RepeatedScalarFieldContainer[str]
    quotes: int
    filled: int
    steps: _containers.RepeatedCompositeFieldContainer[ExplorationStep]
    def __init__(self, query: _Optional[str] = ..., filtered: _Optional[bool] = ..., reranked: _Optional[int] = ..., documents: _Optional[int] = ..., candidates: _Optional[_Union[CandidateCounts, _Mapping]] = ..., seeds: _Optional[_Iterable[str]] = ..., explored: _Optional[_Iterable[str]] = ..., rounds: _Optional[int] = ..., converged: _Optional[bool] = ..., meaning: _Optional[_Union[MeaningShares, _Mapping]] = ..., spaces: _Optional[_Iterable[str]] = ..., missed: _Optional[_Iterable[str]] = ..., quotes: _Optional[int] = ..., filled: _Optional[int] = ..., steps: _Optional[_Iterable[_Union[ExplorationStep, _Mapping]]] = ...) -> None: ...

class ExplorationStep(_message.Message):
    __slots__ = ("uri", "score", "waiting", "changed")
    URI_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    WAITING_FIELD_NUMBER: _ClassVar[int]
    CHANGED_FIELD_NUMBER: _ClassVar[int]
    uri: str
    score: float
    waiting: int
    changed: bool
    def __init__(self, uri: _Optional[str] = ..., score: _Optional[float] = ..., waiting: _Optional[int] = ..., changed: _Optional[bool] = ...) -> None: ...

class CandidateCounts(_message.Message):
    __slots__ = ("lexical", "dense", "nodes")
    LEXICAL_FIELD_NUMBER: _ClassVar[int]
    DENSE_FIELD_NUMBER: _ClassVar[int]
    NODES_FIELD_NUMBER: _ClassVar[int]
    lexical: int
    dense: int
    nodes: int
    def __init__(self, lexical: _Optional[int] = ..., dense: _Optional[int] = ..., nodes: _Optional[int] = ...) -> None: ...

class MeaningShares(_message.Message):
    __slots__ = ("documents", "code")
    DOCUMENTS_FIELD_NUMBER: _ClassVar[int]
    CODE_FIELD_NUMBER: _ClassVar[int]
    documents: float
    code: float
    def __init__(self, documents: _Optional[float] = ..., code: _Optional[float] = ...) -> None: ...

class RelatedContext(_message.Message):
    __slots__ = ("uri", "abstract")
    URI_FIELD_NUMBER: _ClassVar[int]
    ABSTRACT_FIELD_NUMBER: _ClassVar[int]
    uri: str
    abstract: str
    def __init__(self, uri: _Optional[str] = ..., abstract: _Optional[str] = ...) -> None: ...

class SearchRequest(_message.Message):
    __slots__ = ("query", "target_uri", "limit", "score_threshold", "filter", "session_id", "explain", "as_of", "since", "until", "exclude_origins")
    QUERY_FIELD_NUMBER: _ClassVar[int]
    TARGET_URI_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    SCORE_THRESHOLD_FIELD_NUMBER: _ClassVar[int]
    FILTER_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    EXPLAIN_FIELD_NUMBER: _ClassVar[int]
    AS_OF_FIELD_NUMBER: _ClassVar[int]
    SINCE_FIELD_NUMBER: _ClassVar[int]
    UNTIL_FIELD_NUMBER: _ClassVar[int]
    EXCLUDE_ORIGINS_FIELD_NUMBER: _ClassVar[int]
    query: str
    target_uri: _struct_pb2.Value
    limit: int
    score_threshold: float
    filter: _struct_pb2.Struct
    session_id: str
    explain: bool
    as_of: str
    since: str
    until: str
    exclude_origins: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, query: _Optional[str] = ..., target_uri: _Optional[_Union[_struct_pb2.Value, _Mapping]] = ..., limit: _Optional[int] = ..., score_threshold: _Optional[float] = ..., filter: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., session_id: _Optional[str] = ..., explain: _Optional[bool] = ..., as_of: _Optional[str] = ..., since: _Optional[str] = ..., until: _Optional[str] = ..., exclude_origins: _Optional[_Iterable[str]] = ...) -> None: ...

class SearchResponse(_message.Message):
    __slots__ = ("memories", "resources", "skills", "query_plan", "query_results", "total", "explain")
    MEMORIES_FIELD_NUMBER: _ClassVar[int]
    RESOURCES_FIELD_NUMBER: _ClassVar[int]
    SKILLS_FIELD_NUMBER: _ClassVar[int]
    QUERY_PLAN_FIELD_NUMBER: _ClassVar[int]
    QUERY_RESULTS_FIELD_NUMBER: _ClassVar[int]
    TOTAL_FIELD_NUMBER: _ClassVar[int]
    EXPLAIN_FIELD_NUMBER: _ClassVar[int]
    memories: _containers.RepeatedCompositeFieldContainer[MatchedContext]
    resources: _containers.RepeatedCompositeFieldContainer[MatchedContext]
    skills: _containers.RepeatedCompositeFieldContainer[MatchedContext]
    query_plan: QueryPlan
    query_results: _containers.RepeatedCompositeFieldContainer[QueryResult]
    total: int
    explain: PlanExplanation
    def __init__(self, memories: _Optional[_Iterable[_Union[MatchedContext, _Mapping]]] = ..., resources: _Optional[_Iterable[_Union[MatchedContext, _Mapping]]] = ..., skills: _Optional[_Iterable[_Union[MatchedContext, _Mapping]]] = ..., query_plan: _Optional[_Union[QueryPlan, _Mapping]] = ..., query_results: _Optional[_Iterable[_Union[QueryResult, _Mapping]]] = ..., total: _Optional[int] = ..., explain: _Optional[_Union[PlanExplanation, _Mapping]] = ...) -> None: ...

class PlanExplanation(_message.Message):
    __slots__ = ("queries",)
    QUERIES_FIELD_NUMBER: _ClassVar[int]
    queries: _containers.RepeatedCompositeFieldContainer[SearchExplanation]
    def __init__(self, queries: _Optional[_Iterable[_Union[SearchExplanation, _Mapping]]] = ...) -> None: ...

class QueryPlan(_message.Message):
    __slots__ = ("queries", "reasoning", "session_context")
    QUERIES_FIELD_NUMBER: _ClassVar[int]
    REASONING_FIELD_NUMBER: _ClassVar[int]
    SESSION_CONTEXT_FIELD_NUMBER: _ClassVar[int]
    queries: _containers.RepeatedCompositeFieldContainer[PlannedQuery]
    reasoning: str
    session_context: str
    def __init__(self, queries: _Optional[_Iterable[_Union[PlannedQuery, _Mapping]]] = ..., reasoning: _Optional[str] = ..., session_context: _Optional[str] = ...) -> None: ...

class PlannedQuery(_message.Message):
    __slots__ = ("query", "context_type", "intent", "priority")
    QUERY_FIELD_NUMBER: _ClassVar[int]
    CONTEXT_TYPE_FIELD_NUMBER: _ClassVar[int]
    INTENT_FIELD_NUMBER: _ClassVar[int]
    PRIORITY_FIELD_NUMBER: _ClassVar[int]
    query: str
    context_type: str
    intent: str
    priority: int
    def __init__(self, query: _Optional[str] = ..., context_type: _Optional[str] = ..., intent: _Optional[str] = ..., priority: _Optional[int] = ...) -> None: ...

class QueryResult(_message.Message):
    __slots__ = ("query", "context_type", "searched_directories", "matched_contexts", "thinking_trace")
    QUERY_FIELD_NUMBER: _ClassVar[int]
    CONTEXT_TYPE_FIELD_NUMBER: _ClassVar[int]
    SEARCHED_DIRECTORIES_FIELD_NUMBER: _ClassVar[int]
    MATCHED_CONTEXTS_FIELD_NUMBER: _ClassVar[int]
    THINKING_TRACE_FIELD_NUMBER: _ClassVar[int]
    query: str
    context_type: str
    searched_directories: _containers.RepeatedScalarFieldContainer[str]
    matched_contexts: _containers.RepeatedCompositeFieldContainer[MatchedContext]
    thinking_trace: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, query: _Optional[str] = ..., context_type: _Optional[str] = ..., searched_directories: _Optional[_Iterable[str]] = ..., matched_contexts: _Optional[_Iterable[_Union[MatchedContext, _Mapping]]] = ..., thinking_trace: _Optional[_Iterable[str]] = ...) -> None: ...

class RecallRequest(_message.Message):
    __slots__ = ("query", "session_id", "token_budget", "block_token_budget", "character_budget", "target_uri", "project", "max_memories", "max_resources", "max_skills", "without_profile", "score_threshold", "since", "until", "filter", "restart", "as_of", "exclude_origins")
    QUERY_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    TOKEN_BUDGET_FIELD_NUMBER: _ClassVar[int]
    BLOCK_TOKEN_BUDGET_FIELD_NUMBER: _ClassVar[int]
    CHARACTER_BUDGET_FIELD_NUMBER: _ClassVar[int]
    TARGET_URI_FIELD_NUMBER: _ClassVar[int]
    PROJECT_FIELD_NUMBER: _ClassVar[int]
    MAX_MEMORIES_FIELD_NUMBER: _ClassVar[int]
    MAX_RESOURCES_FIELD_NUMBER: _ClassVar[int]
    MAX_SKILLS_FIELD_NUMBER: _ClassVar[int]
    WITHOUT_PROFILE_FIELD_NUMBER: _ClassVar[int]
    SCORE_THRESHOLD_FIELD_NUMBER: _ClassVar[int]
    SINCE_FIELD_NUMBER: _ClassVar[int]
    UNTIL_FIELD_NUMBER: _ClassVar[int]
    FILTER_FIELD_NUMBER: _ClassVar[int]
    RESTART_FIELD_NUMBER: _ClassVar[int]
    AS_OF_FIELD_NUMBER: _ClassVar[int]
    EXCLUDE_ORIGINS_FIELD_NUMBER: _ClassVar[int]
    query: str
    session_id: str
    token_budget: int
    block_token_budget: int
    character_budget: int
    target_uri: _struct_pb2.Value
    project: str
    max_memories: int
    max_resources: int
    max_skills: int
    without_profile: bool
    score_threshold: float
    since: str
    until: str
    filter: _struct_pb2.Struct
    restart: bool
    as_of: str
    exclude_origins: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, query: _Optional[str] = ..., session_id: _Optional[str] = ..., token_budget: _Optional[int] = ..., block_token_budget: _Optional[int] = ..., character_budget: _Optional[int] = ..., target_uri: _Optional[_Union[_struct_pb2.Value, _Mapping]] = ..., project: _Optional[str] = ..., max_memories: _Optional[int] = ..., max_resources: _Optional[int] = ..., max_skills: _Optional[int] = ..., without_profile: _Optional[bool] = ..., score_threshold: _Optional[float] = ..., since: _Optional[str] = ..., until: _Optional[str] = ..., filter: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., restart: _Optional[bool] = ..., as_of: _Optional[str] = ..., exclude_origins: _Optional[_Iterable[str]] = ...) -> None: ...

class RecallResponse(_message.Message):
    __slots__ = ("text", "added", "parts", "tokens", "left_out")
    TEXT_FIELD_NUMBER: _ClassVar[int]
    ADDED_FIELD_NUMBER: _ClassVar[int]
    PARTS_FIELD_NUMBER: _ClassVar[int]
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    LEFT_OUT_FIELD_NUMBER: _ClassVar[int]
    text: str
    added: str
    parts: _containers.RepeatedCompositeFieldContainer[RecalledPart]
    tokens: int
    left_out: int
    def __init__(self, text: _Optional[str] = ..., added: _Optional[str] = ..., parts: _Optional[_Iterable[_Union[RecalledPart, _Mapping]]] = ..., tokens: _Optional[int] = ..., left_out: _Optional[int] = ...) -> None: ...

class RecalledPart(_message.Message):
    __slots__ = ("kind", "uri", "category", "score", "text", "tokens", "also_in", "is_new")
    KIND_FIELD_NUMBER: _ClassVar[int]
    URI_FIELD_NUMBER: _ClassVar[int]
    CATEGORY_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    ALSO_IN_FIELD_NUMBER: _ClassVar[int]
    IS_NEW_FIELD_NUMBER: _ClassVar[int]
    kind: str
    uri: str
    category: str
    score: float
    text: str
    tokens: int
    also_in: _containers.RepeatedScalarFieldContainer[str]
    is_new: bool
    def __init__(self, kind: _Optional[str] = ..., uri: _Optional[str] = ..., category: _Optional[str] = ..., score: _Optional[float] = ..., text: _Optional[str] = ..., tokens: _Optional[int] = ..., also_in: _Optional[_Iterable[str]] = ..., is_new: _Optional[bool] = ...) -> None: ...

class GrepRequest(_message.Message):
    __slots__ = ("uri", "pattern", "case_insensitive", "node_limit", "cursor")
    URI_FIELD_NUMBER: _ClassVar[int]
    PATTERN_FIELD_NUMBER: _ClassVar[int]
    CASE_INSENSITIVE_FIELD_NUMBER: _ClassVar[int]
    NODE_LIMIT_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    uri: str
    pattern: str
    case_insensitive: bool
    node_limit: int
    cursor: str
    def __init__(self, uri: _Optional[str] = ..., pattern: _Optional[str] = ..., case_insensitive: _Optional[bool] = ..., node_limit: _Optional[int] = ..., cursor: _Optional[str] = ...) -> None: ...

class GrepResponse(_message.Message):
    __slots__ = ("matches", "count", "next_cursor")
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    NEXT_CURSOR_FIELD_NUMBER: _ClassVar[int]
    matches: _containers.RepeatedCompositeFieldContainer[GrepMatch]
    count: int
    next_cursor: str
    def __init__(self, matches: _Optional[_Iterable[_Union[GrepMatch, _Mapping]]] = ..., count: _Optional[int] = ..., next_cursor: _Optional[str] = ...) -> None: ...

class GrepMatch(_message.Message):
    __slots__ = ("uri", "line", "content")
    URI_FIELD_NUMBER: _ClassVar[int]
    LINE_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    uri: str
    line: int
    content: str
    def __init__(self, uri: _Optional[str] = ..., line: _Optional[int] = ..., content: _Optional[str] = ...) -> None: ...

class GlobRequest(_message.Message):
    __slots__ = ("pattern", "uri", "node_limit", "cursor", "hide_sections", "tags")
    PATTERN_FIELD_NUMBER: _ClassVar[int]
    URI_FIELD_NUMBER: _ClassVar[int]
    NODE_LIMIT_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    HIDE_SECTIONS_FIELD_NUMBER: _ClassVar[int]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    pattern: str
    uri: str
    node_limit: int
    cursor: str
    hide_sections: bool
    tags: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, pattern: _Optional[str] = ..., uri: _Optional[str] = ..., node_limit: _Optional[int] = ..., cursor: _Optional[str] = ..., hide_sections: _Optional[bool] = ..., tags: _Optional[_Iterable[str]] = ...) -> None: ...

class GlobResponse(_message.Message):
    __slots__ = ("matches", "count", "next_cursor")
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    NEXT_CURSOR_FIELD_NUMBER: _ClassVar[int]
    matches: _containers.RepeatedScalarFieldContainer[str]
    count: int
    next_cursor: str
    def __init__(self, matches: _Optional[_Iterable[str]] = ..., count: _Optional[int] = ..., next_cursor: _Optional[str] = ...) -> None: ...
