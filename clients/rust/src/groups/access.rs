use crate::v1::{access_service_client::AccessServiceClient, *};

group! {
    /// Access: grants on files and folders, and groups of users.
    Access
}

operations! { Access: AccessServiceClient;
    /// Returns the caller's identity and groups.
    who_am_i = who_am_i() -> WhoAmIResponse;
    /// Returns what a user may do at a URI, with the rules that determine it.
    explain = explain_access(ExplainAccessRequest) -> ExplainAccessResponse;
    /// Grants or denies access to a file or folder and everything below it.
    grant = grant_access(GrantAccessRequest) -> GrantAccessResponse;
    /// Removes a grantee's grant on a file or folder.
    revoke = revoke_access(RevokeAccessRequest) -> RevokeAccessResponse;
    /// Returns a page of grants, sorted by URI.
    grants = list_grants(ListGrantsRequest) -> ListGrantsResponse;
    /// Creates a group without members. Requires ROOT, or ADMIN of the account.
    create_group = create_group(CreateGroupRequest) -> CreateGroupResponse;
    /// Returns the groups of an account with their members, sorted by id.
    list_groups = list_groups(ListGroupsRequest) -> ListGroupsResponse;
    /// Deletes a group and all grants to it.
    delete_group = delete_group(DeleteGroupRequest) -> DeleteGroupResponse;
    /// Adds a user to a group.
    add_member = add_group_member(AddGroupMemberRequest) -> AddGroupMemberResponse;
    /// Removes a user from a group.
    remove_member = remove_group_member(RemoveGroupMemberRequest) -> RemoveGroupMemberResponse;
}
