from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class WhoAmIRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class WhoAmIResponse(_message.Message):
    __slots__ = ("account_id", "user_id", "role", "agent_id", "groups", "key_name", "access")
    ACCOUNT_ID_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    GROUPS_FIELD_NUMBER: _ClassVar[int]
    KEY_NAME_FIELD_NUMBER: _ClassVar[int]
    ACCESS_FIELD_NUMBER: _ClassVar[int]
    account_id: str
    user_id: str
    role: str
    agent_id: str
    groups: _containers.RepeatedScalarFieldContainer[str]
    key_name: str
    access: str
    def __init__(self, account_id: _Optional[str] = ..., user_id: _Optional[str] = ..., role: _Optional[str] = ..., agent_id: _Optional[str] = ..., groups: _Optional[_Iterable[str]] = ..., key_name: _Optional[str] = ..., access: _Optional[str] = ...) -> None: ...

class ExplainAccessRequest(_message.Message):
    __slots__ = ("uri", "user_id", "agent_id")
    URI_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    uri: str
    user_id: str
    agent_id: str
    def __init__(self, uri: _Optional[str] = ..., user_id: _Optional[str] = ..., agent_id: _Optional[str] = ...) -> None: ...

class ExplainAccessResponse(_message.Message):
    __slots__ = ("uri", "user_id", "agent_id", "level", "steps")
    URI_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    STEPS_FIELD_NUMBER: _ClassVar[int]
    uri: str
    user_id: str
    agent_id: str
    level: str
    steps: _containers.RepeatedCompositeFieldContainer[AccessStep]
    def __init__(self, uri: _Optional[str] = ..., user_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., level: _Optional[str] = ..., steps: _Optional[_Iterable[_Union[AccessStep, _Mapping]]] = ...) -> None: ...

class AccessStep(_message.Message):
    __slots__ = ("uri", "source", "grant", "level")
    URI_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    GRANT_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    uri: str
    source: str
    grant: Grant
    level: str
    def __init__(self, uri: _Optional[str] = ..., source: _Optional[str] = ..., grant: _Optional[_Union[Grant, _Mapping]] = ..., level: _Optional[str] = ...) -> None: ...

class GrantAccessRequest(_message.Message):
    __slots__ = ("uri", "grantee_type", "grantee_id", "level", "effect")
    URI_FIELD_NUMBER: _ClassVar[int]
    GRANTEE_TYPE_FIELD_NUMBER: _ClassVar[int]
    GRANTEE_ID_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    EFFECT_FIELD_NUMBER: _ClassVar[int]
    uri: str
    grantee_type: str
    grantee_id: str
    level: str
    effect: str
    def __init__(self, uri: _Optional[str] = ..., grantee_type: _Optional[str] = ..., grantee_id: _Optional[str] = ..., level: _Optional[str] = ..., effect: _Optional[str] = ...) -> None: ...

class GrantAccessResponse(_message.Message):
    __slots__ = ("grant",)
    GRANT_FIELD_NUMBER: _ClassVar[int]
    grant: Grant
    def __init__(self, grant: _Optional[_Union[Grant, _Mapping]] = ...) -> None: ...

class Grant(_message.Message):
    __slots__ = ("uri", "grantee_type", "grantee_id", "level", "effect", "created_at")
    URI_FIELD_NUMBER: _ClassVar[int]
    GRANTEE_TYPE_FIELD_NUMBER: _ClassVar[int]
    GRANTEE_ID_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    EFFECT_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    uri: str
    grantee_type: str
    grantee_id: str
    level: str
    effect: str
    created_at: str
    def __init__(self, uri: _Optional[str] = ..., grantee_type: _Optional[str] = ..., grantee_id: _Optional[str] = ..., level: _Optional[str] = ..., effect: _Optional[str] = ..., created_at: _Optional[str] = ...) -> None: ...

class RevokeAccessRequest(_message.Message):
    __slots__ = ("uri", "grantee_type", "grantee_id")
    URI_FIELD_NUMBER: _ClassVar[int]
    GRANTEE_TYPE_FIELD_NUMBER: _ClassVar[int]
    GRANTEE_ID_FIELD_NUMBER: _ClassVar[int]
    uri: str
    grantee_type: str
    grantee_id: str
    def __init__(self, uri: _Optional[str] = ..., grantee_type: _Optional[str] = ..., grantee_id: _Optional[str] = ...) -> None: ...

class RevokeAccessResponse(_message.Message):
    __slots__ = ("revoked",)
    REVOKED_FIELD_NUMBER: _ClassVar[int]
    revoked: bool
    def __init__(self, revoked: _Optional[bool] = ...) -> None: ...

class ListGrantsRequest(_message.Message):
    __slots__ = ("uri", "limit", "cursor")
    URI_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    uri: str
    limit: int
    cursor: str
    def __init__(self, uri: _Optional[str] = ..., limit: _Optional[int] = ..., cursor: _Optional[str] = ...) -> None: ...

class ListGrantsResponse(_message.Message):
    __slots__ = ("grants", "next_cursor")
    GRANTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_CURSOR_FIELD_NUMBER: _ClassVar[int]
    grants: _containers.RepeatedCompositeFieldContainer[Grant]
    next_cursor: str
    def __init__(self, grants: _Optional[_Iterable[_Union[Grant, _Mapping]]] = ..., next_cursor: _Optional[str] = ...) -> None: ...

class CreateGroupRequest(_message.Message):
    __slots__ = ("account_id", "group_id")
    ACCOUNT_ID_FIELD_NUMBER: _ClassVar[int]
    GROUP_ID_FIELD_NUMBER: _ClassVar[int]
    account_id: str
    group_id: str
    def __init__(self, account_id: _Optional[str] = ..., group_id: _Optional[str] = ...) -> None: ...

class CreateGroupResponse(_message.Message):
    __slots__ = ("group",)
    GROUP_FIELD_NUMBER: _ClassVar[int]
    group: Group
    def __init__(self, group: _Optional[_Union[Group, _Mapping]] = ...) -> None: ...

class Group(_message.Message):
    __slots__ = ("group_id", "created_at", "members")
    GROUP_ID_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    MEMBERS_FIELD_NUMBER: _ClassVar[int]
    group_id: str
    created_at: str
    members: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, group_id: _Optional[str] = ..., created_at: _Optional[str] = ..., members: _Optional[_Iterable[str]] = ...) -> None: ...

class ListGroupsRequest(_message.Message):
    __slots__ = ("account_id",)
    ACCOUNT_ID_FIELD_NUMBER: _ClassVar[int]
    account_id: str
    def __init__(self, account_id: _Optional[str] = ...) -> None: ...

class ListGroupsResponse(_message.Message):
    __slots__ = ("groups",)
    GROUPS_FIELD_NUMBER: _ClassVar[int]
    groups: _containers.RepeatedCompositeFieldContainer[Group]
    def __init__(self, groups: _Optional[_Iterable[_Union[Group, _Mapping]]] = ...) -> None: ...

class DeleteGroupRequest(_message.Message):
    __slots__ = ("account_id", "group_id")
    ACCOUNT_ID_FIELD_NUMBER: _ClassVar[int]
    GROUP_ID_FIELD_NUMBER: _ClassVar[int]
    account_id: str
    group_id: str
    def __init__(self, account_id: _Optional[str] = ..., group_id: _Optional[str] = ...) -> None: ...

class DeleteGroupResponse(_message.Message):
    __slots__ = ("deleted",)
    DELETED_FIELD_NUMBER: _ClassVar[int]
    deleted: bool
    def __init__(self, deleted: _Optional[bool] = ...) -> None: ...

class AddGroupMemberRequest(_message.Message):
    __slots__ = ("account_id", "group_id", "user_id")
    ACCOUNT_ID_FIELD_NUMBER: _ClassVar[int]
    GROUP_ID_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    account_id: str
    group_id: str
    user_id: str
    def __init__(self, account_id: _Optional[str] = ..., group_id: _Optional[str] = ..., user_id: _Optional[str] = ...) -> None: ...

class AddGroupMemberResponse(_message.Message):
    __slots__ = ("group",)
    GROUP_FIELD_NUMBER: _ClassVar[int]
    group: Group
    def __init__(self, group: _Optional[_Union[Group, _Mapping]] = ...) -> None: ...

class RemoveGroupMemberRequest(_message.Message):
    __slots__ = ("account_id", "group_id", "user_id")
    ACCOUNT_ID_FIELD_NUMBER: _ClassVar[int]
    GROUP_ID_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    account_id: str
    group_id: str
    user_id: str
    def __init__(self, account_id: _Optional[str] = ..., group_id: _Optional[str] = ..., user_id: _Optional[str] = ...) -> None: ...

class RemoveGroupMemberResponse(_message.Message):
    __slots__ = ("group",)
    GROUP_FIELD_NUMBER: _ClassVar[int]
    group: Group
    def __init__(self, group: _Optional[_Union[Group, _Mapping]] = ...) -> None: ...
