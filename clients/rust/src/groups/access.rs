use crate::v1::{access_service_client::AccessServiceClient, *};

group! {
    /// Who may do what: grants on files and folders, and groups of users.
    Access
}

operations! { Access: AccessServiceClient;
    /// The caller as the server knows it, with its groups.
    who_am_i = who_am_i() -> WhoAmIResponse;
    /// What a user may do at a URI, and the rules that say so.
    explain = explain_access(ExplainAccessRequest) -> ExplainAccessResponse;
    /// Grants or denies access to a file or folder with everything below it.
    grant = grant_access(GrantAccessRequest) -> GrantAccessResponse;
    /// Removes the grant to a grantee on a node.
    revoke = revoke_access(RevokeAccessRequest) -> RevokeAccessResponse;
    /// A page of grants, by URI.
    grants = list_grants(ListGrantsRequest) -> ListGrantsResponse;
    /// Creates a group without members. ROOT, or ADMIN of the account.
    create_group = create_group(CreateGroupRequest) -> CreateGroupResponse;
    /// The groups of an account with their members, by id.
    list_groups = list_groups(ListGroupsRequest) -> ListGroupsResponse;
    /// Deletes a group with the grants to it.
    delete_group = delete_group(DeleteGroupRequest) -> DeleteGroupResponse;
    /// Adds a user to a group.
    add_member = add_group_member(AddGroupMemberRequest) -> AddGroupMemberResponse;
    /// Removes a user from a group.
    remove_member = remove_group_member(RemoveGroupMemberRequest) -> RemoveGroupMemberResponse;
}
