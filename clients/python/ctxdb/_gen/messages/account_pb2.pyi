from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class CreateAccountRequest(_message.Message):
    __slots__ = ("account_id", "admin_user_id")
    ACCOUNT_ID_FIELD_NUMBER: _ClassVar[int]
    ADMIN_USER_ID_FIELD_NUMBER: _ClassVar[int]
    account_id: str
    admin_user_id: str
    def __init__(self, account_id: _Optional[str] = ..., admin_user_id: _Optional[str] = ...) -> None: ...

class CreateAccountResponse(_message.Message):
    __slots__ = ("account_id", "admin_user_id", "user_key")
    ACCOUNT_ID_FIELD_NUMBER: _ClassVar[int]
    ADMIN_USER_ID_FIELD_NUMBER: _ClassVar[int]
    USER_KEY_FIELD_NUMBER: _ClassVar[int]
    account_id: str
    admin_user_id: str
    user_key: str
    def __init__(self, account_id: _Optional[str] = ..., admin_user_id: _Optional[str] = ..., user_key: _Optional[str] = ...) -> None: ...

class ListAccountsRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListAccountsResponse(_message.Message):
    __slots__ = ("accounts",)
    ACCOUNTS_FIELD_NUMBER: _ClassVar[int]
    accounts: _containers.RepeatedCompositeFieldContainer[Account]
    def __init__(self, accounts: _Optional[_Iterable[_Union[Account, _Mapping]]] = ...) -> None: ...

class Account(_message.Message):
    __slots__ = ("account_id", "created_at", "user_count")
    ACCOUNT_ID_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    USER_COUNT_FIELD_NUMBER: _ClassVar[int]
    account_id: str
    created_at: str
    user_count: int
    def __init__(self, account_id: _Optional[str] = ..., created_at: _Optional[str] = ..., user_count: _Optional[int] = ...) -> None: ...

class DeleteAccountRequest(_message.Message):
    __slots__ = ("account_id",)
    ACCOUNT_ID_FIELD_NUMBER: _ClassVar[int]
    account_id: str
    def __init__(self, account_id: _Optional[str] = ...) -> None: ...

class DeleteAccountResponse(_message.Message):
    __slots__ = ("deleted",)
    DELETED_FIELD_NUMBER: _ClassVar[int]
    deleted: bool
    def __init__(self, deleted: _Optional[bool] = ...) -> None: ...

class SetQuotasRequest(_message.Message):
    __slots__ = ("account_id", "stored_bytes", "nodes", "chunks", "requests_per_minute", "model_tokens_per_day", "version_days", "trash_days", "task_days", "session_days", "audit_days")
    ACCOUNT_ID_FIELD_NUMBER: _ClassVar[int]
    STORED_BYTES_FIELD_NUMBER: _ClassVar[int]
    NODES_FIELD_NUMBER: _ClassVar[int]
    CHUNKS_FIELD_NUMBER: _ClassVar[int]
    REQUESTS_PER_MINUTE_FIELD_NUMBER: _ClassVar[int]
    MODEL_TOKENS_PER_DAY_FIELD_NUMBER: _ClassVar[int]
    VERSION_DAYS_FIELD_NUMBER: _ClassVar[int]
    TRASH_DAYS_FIELD_NUMBER: _ClassVar[int]
    TASK_DAYS_FIELD_NUMBER: _ClassVar[int]
    SESSION_DAYS_FIELD_NUMBER: _ClassVar[int]
    AUDIT_DAYS_FIELD_NUMBER: _ClassVar[int]
    account_id: str
    stored_bytes: float
    nodes: float
    chunks: float
    requests_per_minute: float
    model_tokens_per_day: float
    version_days: float
    trash_days: float
    task_days: float
    session_days: float
    audit_days: float
    def __init__(self, account_id: _Optional[str] = ..., stored_bytes: _Optional[float] = ..., nodes: _Optional[float] = ..., chunks: _Optional[float] = ..., requests_per_minute: _Optional[float] = ..., model_tokens_per_day: _Optional[float] = ..., version_days: _Optional[float] = ..., trash_days: _Optional[float] = ..., task_days: _Optional[float] = ..., session_days: _Optional[float] = ..., audit_days: _Optional[float] = ...) -> None: ...

class SetQuotasResponse(_message.Message):
    __slots__ = ("account_id", "stored_bytes", "nodes", "chunks", "requests_per_minute", "model_tokens_per_day", "version_days", "trash_days", "task_days", "session_days", "audit_days")
    ACCOUNT_ID_FIELD_NUMBER: _ClassVar[int]
    STORED_BYTES_FIELD_NUMBER: _ClassVar[int]
    NODES_FIELD_NUMBER: _ClassVar[int]
    CHUNKS_FIELD_NUMBER: _ClassVar[int]
    REQUESTS_PER_MINUTE_FIELD_NUMBER: _ClassVar[int]
    MODEL_TOKENS_PER_DAY_FIELD_NUMBER: _ClassVar[int]
    VERSION_DAYS_FIELD_NUMBER: _ClassVar[int]
    TRASH_DAYS_FIELD_NUMBER: _ClassVar[int]
    TASK_DAYS_FIELD_NUMBER: _ClassVar[int]
    SESSION_DAYS_FIELD_NUMBER: _ClassVar[int]
    AUDIT_DAYS_FIELD_NUMBER: _ClassVar[int]
    account_id: str
    stored_bytes: float
    nodes: float
    chunks: float
    requests_per_minute: float
    model_tokens_per_day: float
    version_days: float
    trash_days: float
    task_days: float
    session_days: float
    audit_days: float
    def __init__(self, account_id: _Optional[str] = ..., stored_bytes: _Optional[float] = ..., nodes: _Optional[float] = ..., chunks: _Optional[float] = ..., requests_per_minute: _Optional[float] = ..., model_tokens_per_day: _Optional[float] = ..., version_days: _Optional[float] = ..., trash_days: _Optional[float] = ..., task_days: _Optional[float] = ..., session_days: _Optional[float] = ..., audit_days: _Optional[float] = ...) -> None: ...

class RegisterUserRequest(_message.Message):
    __slots__ = ("account_id", "user_id", "role")
    ACCOUNT_ID_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    account_id: str
    user_id: str
    role: str
    def __init__(self, account_id: _Optional[str] = ..., user_id: _Optional[str] = ..., role: _Optional[str] = ...) -> None: ...

class RegisterUserResponse(_message.Message):
    __slots__ = ("account_id", "user_id", "user_key")
    ACCOUNT_ID_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    USER_KEY_FIELD_NUMBER: _ClassVar[int]
    account_id: str
    user_id: str
    user_key: str
    def __init__(self, account_id: _Optional[str] = ..., user_id: _Optional[str] = ..., user_key: _Optional[str] = ...) -> None: ...

class ListUsersRequest(_message.Message):
    __slots__ = ("account_id",)
    ACCOUNT_ID_FIELD_NUMBER: _ClassVar[int]
    account_id: str
    def __init__(self, account_id: _Optional[str] = ...) -> None: ...

class ListUsersResponse(_message.Message):
    __slots__ = ("users",)
    USERS_FIELD_NUMBER: _ClassVar[int]
    users: _containers.RepeatedCompositeFieldContainer[User]
    def __init__(self, users: _Optional[_Iterable[_Union[User, _Mapping]]] = ...) -> None: ...

class User(_message.Message):
    __slots__ = ("user_id", "role")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    role: str
    def __init__(self, user_id: _Optional[str] = ..., role: _Optional[str] = ...) -> None: ...

class RemoveUserRequest(_message.Message):
    __slots__ = ("account_id", "user_id")
    ACCOUNT_ID_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    account_id: str
    user_id: str
    def __init__(self, account_id: _Optional[str] = ..., user_id: _Optional[str] = ...) -> None: ...

class RemoveUserResponse(_message.Message):
    __slots__ = ("deleted",)
    DELETED_FIELD_NUMBER: _ClassVar[int]
    deleted: bool
    def __init__(self, deleted: _Optional[bool] = ...) -> None: ...

class SetUserRoleRequest(_message.Message):
    __slots__ = ("account_id", "user_id", "role")
    ACCOUNT_ID_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    account_id: str
    user_id: str
    role: str
    def __init__(self, account_id: _Optional[str] = ..., user_id: _Optional[str] = ..., role: _Optional[str] = ...) -> None: ...

class SetUserRoleResponse(_message.Message):
    __slots__ = ("account_id", "user_id", "role")
    ACCOUNT_ID_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    account_id: str
    user_id: str
    role: str
    def __init__(self, account_id: _Optional[str] = ..., user_id: _Optional[str] = ..., role: _Optional[str] = ...) -> None: ...

class RegenerateUserKeyRequest(_message.Message):
    __slots__ = ("account_id", "user_id")
    ACCOUNT_ID_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    account_id: str
    user_id: str
    def __init__(self, account_id: _Optional[str] = ..., user_id: _Optional[str] = ...) -> None: ...

class RegenerateUserKeyResponse(_message.Message):
    __slots__ = ("user_key",)
    USER_KEY_FIELD_NUMBER: _ClassVar[int]
    user_key: str
    def __init__(self, user_key: _Optional[str] = ...) -> None: ...

class CreateKeyRequest(_message.Message):
    __slots__ = ("account_id", "user_id", "name", "access", "agent_id", "expires_at")
    ACCOUNT_ID_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    ACCESS_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    account_id: str
    user_id: str
    name: str
    access: str
    agent_id: str
    expires_at: str
    def __init__(self, account_id: _Optional[str] = ..., user_id: _Optional[str] = ..., name: _Optional[str] = ..., access: _Optional[str] = ..., agent_id: _Optional[str] = ..., expires_at: _Optional[str] = ...) -> None: ...

class CreateKeyResponse(_message.Message):
    __slots__ = ("user_key", "key")
    USER_KEY_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    user_key: str
    key: ApiKey
    def __init__(self, user_key: _Optional[str] = ..., key: _Optional[_Union[ApiKey, _Mapping]] = ...) -> None: ...

class ApiKey(_message.Message):
    __slots__ = ("name", "access", "agent_id", "created_at", "expires_at", "last_used_at")
    NAME_FIELD_NUMBER: _ClassVar[int]
    ACCESS_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    LAST_USED_AT_FIELD_NUMBER: _ClassVar[int]
    name: str
    access: str
    agent_id: str
    created_at: str
    expires_at: str
    last_used_at: str
    def __init__(self, name: _Optional[str] = ..., access: _Optional[str] = ..., agent_id: _Optional[str] = ..., created_at: _Optional[str] = ..., expires_at: _Optional[str] = ..., last_used_at: _Optional[str] = ...) -> None: ...

class ListKeysRequest(_message.Message):
    __slots__ = ("account_id", "user_id")
    ACCOUNT_ID_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    account_id: str
    user_id: str
    def __init__(self, account_id: _Optional[str] = ..., user_id: _Optional[str] = ...) -> None: ...

class ListKeysResponse(_message.Message):
    __slots__ = ("keys",)
    KEYS_FIELD_NUMBER: _ClassVar[int]
    keys: _containers.RepeatedCompositeFieldContainer[ApiKey]
    def __init__(self, keys: _Optional[_Iterable[_Union[ApiKey, _Mapping]]] = ...) -> None: ...

class RevokeKeyRequest(_message.Message):
    __slots__ = ("account_id", "user_id", "name")
    ACCOUNT_ID_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    account_id: str
    user_id: str
    name: str
    def __init__(self, account_id: _Optional[str] = ..., user_id: _Optional[str] = ..., name: _Optional[str] = ...) -> None: ...

class RevokeKeyResponse(_message.Message):
    __slots__ = ("revoked",)
    REVOKED_FIELD_NUMBER: _ClassVar[int]
    revoked: bool
    def __init__(self, revoked: _Optional[bool] = ...) -> None: ...
