# Made from ctxdb/aio/access.py by tools/blocking.py: change that and run generate.sh.
"""Access: grants on files and folders, and groups of users."""

from __future__ import annotations

from ctxdb._gen.messages.access_pb2 import (
    AddGroupMemberRequest,
    AddGroupMemberResponse,
    CreateGroupRequest,
    CreateGroupResponse,
    DeleteGroupRequest,
    DeleteGroupResponse,
    ExplainAccessRequest,
    ExplainAccessResponse,
    GrantAccessRequest,
    GrantAccessResponse,
    ListGrantsRequest,
    ListGrantsResponse,
    ListGroupsRequest,
    ListGroupsResponse,
    RemoveGroupMemberRequest,
    RemoveGroupMemberResponse,
    RevokeAccessRequest,
    RevokeAccessResponse,
    WhoAmIRequest,
    WhoAmIResponse,
)
from ctxdb._calls import Calls


class Access:
    """Without grants the scope of a node decides: shared scopes are writable for all users, and a user's own
    spaces are private.
    """

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def who_am_i(self, *, deadline: float | None = None) -> WhoAmIResponse:
        """Returns the caller's identity and groups."""
        return self._calls.read("AccessService/WhoAmI", WhoAmIRequest(), WhoAmIResponse, deadline)

    def explain(
        self, uri: str, *, user_id: str | None = None, agent_id: str | None = None, deadline: float | None = None
    ) -> ExplainAccessResponse:
        """Returns what a user may do at a URI, with the rules that determine it."""
        request = ExplainAccessRequest(uri=uri, user_id=user_id, agent_id=agent_id)
        return self._calls.read("AccessService/ExplainAccess", request, ExplainAccessResponse, deadline)

    def grant(
        self,
        uri: str,
        grantee_type: str,
        level: str,
        *,
        grantee_id: str = "",
        effect: str | None = None,
        deadline: float | None = None,
    ) -> GrantAccessResponse:
        """Grants or denies "read", "write" or "admin" to a "user", "group", "agent" or "everyone"."""
        request = GrantAccessRequest(uri=uri, grantee_type=grantee_type, grantee_id=grantee_id, level=level, effect=effect)
        return self._calls.write("AccessService/GrantAccess", request, GrantAccessResponse, deadline)

    def revoke(self, uri: str, grantee_type: str, *, grantee_id: str = "", deadline: float | None = None) -> RevokeAccessResponse:
        """Removes a grantee's grant on a file or folder."""
        request = RevokeAccessRequest(uri=uri, grantee_type=grantee_type, grantee_id=grantee_id)
        return self._calls.write("AccessService/RevokeAccess", request, RevokeAccessResponse, deadline)

    def grants(
        self, uri: str | None = None, *, limit: int | None = None, cursor: str | None = None, deadline: float | None = None
    ) -> ListGrantsResponse:
        """Returns a page of grants, sorted by URI: those on a file or folder and above it, or all that the
        caller may change or that concern the caller.
        """
        request = ListGrantsRequest(uri=uri, limit=limit, cursor=cursor)
        return self._calls.read("AccessService/ListGrants", request, ListGrantsResponse, deadline)

    def create_group(self, account_id: str, group_id: str, *, deadline: float | None = None) -> CreateGroupResponse:
        """Creates a group without members. Requires ROOT, or ADMIN of the account."""
        request = CreateGroupRequest(account_id=account_id, group_id=group_id)
        return self._calls.write("AccessService/CreateGroup", request, CreateGroupResponse, deadline)

    def list_groups(self, account_id: str, *, deadline: float | None = None) -> ListGroupsResponse:
        """Returns the groups of an account with their members, sorted by id."""
        request = ListGroupsRequest(account_id=account_id)
        return self._calls.read("AccessService/ListGroups", request, ListGroupsResponse, deadline)

    def delete_group(self, account_id: str, group_id: str, *, deadline: float | None = None) -> DeleteGroupResponse:
        """Deletes a group and all grants to it."""
        request = DeleteGroupRequest(account_id=account_id, group_id=group_id)
        return self._calls.write("AccessService/DeleteGroup", request, DeleteGroupResponse, deadline)

    def add_member(self, account_id: str, group_id: str, user_id: str, *, deadline: float | None = None) -> AddGroupMemberResponse:
        """Adds a user to a group."""
        request = AddGroupMemberRequest(account_id=account_id, group_id=group_id, user_id=user_id)
        return self._calls.write("AccessService/AddGroupMember", request, AddGroupMemberResponse, deadline)

    def remove_member(self, account_id: str, group_id: str, user_id: str, *, deadline: float | None = None) -> RemoveGroupMemberResponse:
        """Removes a user from a group."""
        request = RemoveGroupMemberRequest(account_id=account_id, group_id=group_id, user_id=user_id)
        return self._calls.write("AccessService/RemoveGroupMember", request, RemoveGroupMemberResponse, deadline)
