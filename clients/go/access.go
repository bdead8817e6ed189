package ctxdb

import (
	"context"

	pb "github.com/ctxdb/ctxdb/clients/go/ctxdbv1"
)

// Access tells and changes who may do what: grants on files and folders, and groups of users.
type Access struct {
	caller *caller
	stub   pb.AccessServiceClient
}

// WhoAmI gives the caller as the server knows it, with its groups.
func (a *Access) WhoAmI(ctx context.Context) (*pb.WhoAmIResponse, error) {
	return read(ctx, a.caller, &pb.WhoAmIRequest{}, a.stub.WhoAmI)
}

// Explain gives what a user may do at a URI, and the rules that say so.
func (a *Access) Explain(ctx context.Context, request *pb.ExplainAccessRequest) (*pb.ExplainAccessResponse, error) {
	return read(ctx, a.caller, request, a.stub.ExplainAccess)
}

// Grant grants or denies access to a file or folder with everything below it.
func (a *Access) Grant(ctx context.Context, request *pb.GrantAccessRequest) (*pb.GrantAccessResponse, error) {
	return write(ctx, a.caller, request, a.stub.GrantAccess)
}

// Revoke removes the grant to a grantee on a node.
func (a *Access) Revoke(ctx context.Context, request *pb.RevokeAccessRequest) (*pb.RevokeAccessResponse, error) {
	return write(ctx, a.caller, request, a.stub.RevokeAccess)
}

// Grants gives a page of grants, by URI.
func (a *Access) Grants(ctx context.Context, request *pb.ListGrantsRequest) (*pb.ListGrantsResponse, error) {
	return read(ctx, a.caller, request, a.stub.ListGrants)
}

// CreateGroup creates a group without members. ROOT, or ADMIN of the account.
func (a *Access) CreateGroup(ctx context.Context, account, group string) (*pb.CreateGroupResponse, error) {
	return write(ctx, a.caller, &pb.CreateGroupRequest{AccountId: account, GroupId: group}, a.stub.CreateGroup)
}

// ListGroups gives the groups of a workspace with their members, by id.
func (a *Access) ListGroups(ctx context.Context, account string) (*pb.ListGroupsResponse, error) {
	return read(ctx, a.caller, &pb.ListGroupsRequest{AccountId: account}, a.stub.ListGroups)
}

// DeleteGroup deletes a group with the grants to it.
func (a *Access) DeleteGroup(ctx context.Context, account, group string) (*pb.DeleteGroupResponse, error) {
	return write(ctx, a.caller, &pb.DeleteGroupRequest{AccountId: account, GroupId: group}, a.stub.DeleteGroup)
}

// AddMember adds a user to a group.
func (a *Access) AddMember(ctx context.Context, account, group, user string) (*pb.AddGroupMemberResponse, error) {
	request := &pb.AddGroupMemberRequest{AccountId: account, GroupId: group, UserId: user}
	return write(ctx, a.caller, request, a.stub.AddGroupMember)
}

// RemoveMember removes a user from a group.
func (a *Access) RemoveMember(ctx context.Context, account, group, user string) (*pb.RemoveGroupMemberResponse, error) {
	request := &pb.RemoveGroupMemberRequest{AccountId: account, GroupId: group, UserId: user}
	return write(ctx, a.caller, request, a.stub.RemoveGroupMember)
}
