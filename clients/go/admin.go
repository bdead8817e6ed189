package ctxdb

import (
	"context"

	pb "github.com/ctxdb/ctxdb/clients/go/ctxdbv1"
)

// Admin keeps workspaces (accounts), their users and keys; for ROOT, and for ADMIN in the own account.
type Admin struct {
	caller *caller
	stub   pb.AccountServiceClient
}

// CreateAccount creates a workspace and its first ADMIN, whose key is shown here and never again. ROOT only.
func (a *Admin) CreateAccount(ctx context.Context, account, adminUser string) (*pb.CreateAccountResponse, error) {
	return write(ctx, a.caller, &pb.CreateAccountRequest{AccountId: account, AdminUserId: adminUser}, a.stub.CreateAccount)
}

// ListAccounts gives all workspaces, by id. ROOT only.
func (a *Admin) ListAccounts(ctx context.Context) (*pb.ListAccountsResponse, error) {
	return read(ctx, a.caller, &pb.ListAccountsRequest{}, a.stub.ListAccounts)
}

// DeleteAccount deletes a workspace with all it holds, for ever. ROOT only.
func (a *Admin) DeleteAccount(ctx context.Context, account string) (*pb.DeleteAccountResponse, error) {
	return write(ctx, a.caller, &pb.DeleteAccountRequest{AccountId: account}, a.stub.DeleteAccount)
}

// RegisterUser adds a user, "admin" or "user" (the default), whose key is shown here and never again.
func (a *Admin) RegisterUser(ctx context.Context, request *pb.RegisterUserRequest) (*pb.RegisterUserResponse, error) {
	return write(ctx, a.caller, request, a.stub.RegisterUser)
}

// ListUsers gives the users of a workspace, by id.
func (a *Admin) ListUsers(ctx context.Context, account string) (*pb.ListUsersResponse, error) {
	return read(ctx, a.caller, &pb.ListUsersRequest{AccountId: account}, a.stub.ListUsers)
}

// RemoveUser removes a user with its spaces; its key is invalid at once.
func (a *Admin) RemoveUser(ctx context.Context, account, user string) (*pb.RemoveUserResponse, error) {
	return write(ctx, a.caller, &pb.RemoveUserRequest{AccountId: account, UserId: user}, a.stub.RemoveUser)
}

// SetUserRole makes a user "admin" or "user". ROOT only.
func (a *Admin) SetUserRole(ctx context.Context, account, user, role string) (*pb.SetUserRoleResponse, error) {
	return write(ctx, a.caller, &pb.SetUserRoleRequest{AccountId: account, UserId: user, Role: role}, a.stub.SetUserRole)
}

// RegenerateUserKey issues a new key; the old one is invalid at once.
func (a *Admin) RegenerateUserKey(ctx context.Context, account, user string) (*pb.RegenerateUserKeyResponse, error) {
	return write(ctx, a.caller, &pb.RegenerateUserKeyRequest{AccountId: account, UserId: user}, a.stub.RegenerateUserKey)
}
