package ctxdb

import (
	"context"

	pb "github.com/ctxdb/ctxdb/clients/go/ctxdbv1"
)

// Admin keeps workspaces (accounts), their users and keys, for ROOT, and for ADMIN in the own account; and backups of the server, for ROOT.
type Admin struct {
	caller  *caller
	stub    pb.AccountServiceClient
	backups pb.BackupServiceClient
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

// SetQuotas replaces all quotas of a workspace: an absent one means the server's setting, 0 no limit. ROOT only.
func (a *Admin) SetQuotas(ctx context.Context, request *pb.SetQuotasRequest) (*pb.SetQuotasResponse, error) {
	return write(ctx, a.caller, request, a.stub.SetQuotas)
}

// RegenerateUserKey issues a new main key; the old one is invalid at once.
func (a *Admin) RegenerateUserKey(ctx context.Context, account, user string) (*pb.RegenerateUserKeyResponse, error) {
	return write(ctx, a.caller, &pb.RegenerateUserKeyRequest{AccountId: account, UserId: user}, a.stub.RegenerateUserKey)
}

// CreateKey issues an additional key of a user, for an application or an agent; it is shown here and never again. Users may ask for themselves, with the main key.
func (a *Admin) CreateKey(ctx context.Context, request *pb.CreateKeyRequest) (*pb.CreateKeyResponse, error) {
	return write(ctx, a.caller, request, a.stub.CreateKey)
}

// ListKeys gives the keys of a user without the keys themselves: the main key, then the additional keys by name.
func (a *Admin) ListKeys(ctx context.Context, account, user string) (*pb.ListKeysResponse, error) {
	return read(ctx, a.caller, &pb.ListKeysRequest{AccountId: account, UserId: user}, a.stub.ListKeys)
}

// RevokeKey revokes an additional key of a user: what it began ends.
func (a *Admin) RevokeKey(ctx context.Context, account, user, name string) (*pb.RevokeKeyResponse, error) {
	return write(ctx, a.caller, &pb.RevokeKeyRequest{AccountId: account, UserId: user, Name: name}, a.stub.RevokeKey)
}

// CreateBackup writes a backup of the whole server while it serves, and answers when it is complete. ROOT only.
func (a *Admin) CreateBackup(ctx context.Context, request *pb.CreateBackupRequest) (*pb.CreateBackupResponse, error) {
	return write(ctx, a.caller, request, a.backups.CreateBackup)
}

// ListBackups gives all backups, the newest first. ROOT only.
func (a *Admin) ListBackups(ctx context.Context) (*pb.ListBackupsResponse, error) {
	return read(ctx, a.caller, &pb.ListBackupsRequest{}, a.backups.ListBackups)
}

// VerifyBackup reads all of a backup; what is damaged is stored again by the next one. ROOT only.
func (a *Admin) VerifyBackup(ctx context.Context, name string) (*pb.VerifyBackupResponse, error) {
	return write(ctx, a.caller, &pb.VerifyBackupRequest{Name: name}, a.backups.VerifyBackup)
}

// DeleteBackup deletes a backup and what only it needed. ROOT only.
func (a *Admin) DeleteBackup(ctx context.Context, name string) (*pb.DeleteBackupResponse, error) {
	return write(ctx, a.caller, &pb.DeleteBackupRequest{Name: name}, a.backups.DeleteBackup)
}
