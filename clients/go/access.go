package ctxdb

import (
	"context"

	pb "github.com/ctxdb/ctxdb/clients/go/ctxdbv1"
)

// Access reads and changes access rights: grants on files and folders, and groups of users.
type Access struct {
	caller *caller
	stub   pb.AccessServiceClient
}

// WhoAmI returns the caller's identity and groups.
func (a *Access) WhoAmI(ctx context.Context) (*pb.WhoAmIResponse, error) {
	return read(ctx, a.caller, &pb.WhoAmIRequest{}, a.stub.WhoAmI)
}

// Explain returns what a user may do at a URI, with the rules that determine it.
func (a *Access) Explain(ctx context.Context, request *pb.ExplainAccessRequest) (*pb.ExplainAccessResponse, error) {
	return read(ctx, a.caller, request, a.stub.ExplainAccess)
}

// Grant grants or denies access to a file or folder and everything below it.
func (a *Access) Grant(ctx context.Context, request *pb.GrantAccessRequest) (*pb.GrantAccessResponse, error) {
	return write(ctx, a.caller, request, a.stub.GrantAccess)
}

// Revoke removes a grantee's grant on a file or folder.
func (a *Access) Revoke(ctx context.Context, request *pb.RevokeAccessRequest) (*pb.RevokeAccessResponse, error) {
	return write(ctx, a.caller, request, a.stub.RevokeAccess)
}

// Grants returns a page of grants, sorted by URI.
func (a *Access) Grants(ctx context.Context, request *pb.ListGrantsRequest) (*pb.ListGrantsResponse, error) {
	return read(ctx, a.caller, request, a.stub.ListGrants)
}

// CreateGroup creates a group without members. Requires ROOT, or ADMIN of the account.
func (a *Access) CreateGroup(ctx context.Context, account, group string) (*pb.CreateGroupResponse, error) {
	return write(ctx, a.caller, &pb.CreateGroupRequest{AccountId: account, GroupId: group}, a.stub.CreateGroup)
}

// ListGroups returns the groups of an account with their members, sorted by id.
func (a *Access) ListGroups(ctx context.Context, account string) (*pb.ListGroupsResponse, error) {
	return read(ctx, a.caller, &pb.ListGroupsRequest{AccountId: account}, a.stub.ListGroups)
}

// DeleteGroup deletes a group and all grants to it.
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
