package ctxdb

import (
	"context"

	pb "github.com/ctxdb/ctxdb/clients/go/ctxdbv1"
)

// Admin manages accounts, their users and keys, for ROOT, and for ADMIN in its own account; and backups of the
// server, for ROOT.
type Admin struct {
	caller  *caller
	stub    pb.AccountServiceClient
	backups pb.BackupServiceClient
}

// CreateAccount creates an account and its first ADMIN, whose key is shown only once. Requires ROOT.
func (a *Admin) CreateAccount(ctx context.Context, account, adminUser string) (*pb.CreateAccountResponse, error) {
	return write(ctx, a.caller, &pb.CreateAccountRequest{AccountId: account, AdminUserId: adminUser}, a.stub.CreateAccount)
}

// ListAccounts returns all accounts, sorted by id. Requires ROOT.
func (a *Admin) ListAccounts(ctx context.Context) (*pb.ListAccountsResponse, error) {
	return read(ctx, a.caller, &pb.ListAccountsRequest{}, a.stub.ListAccounts)
}

// DeleteAccount deletes an account with everything in it. Cannot be undone. Requires ROOT.
func (a *Admin) DeleteAccount(ctx context.Context, account string) (*pb.DeleteAccountResponse, error) {
	return write(ctx, a.caller, &pb.DeleteAccountRequest{AccountId: account}, a.stub.DeleteAccount)
}

// RegisterUser adds a user with the role "admin" or "user" (the default). The user's key is shown only once.
func (a *Admin) RegisterUser(ctx context.Context, request *pb.RegisterUserRequest) (*pb.RegisterUserResponse, error) {
	return write(ctx, a.caller, request, a.stub.RegisterUser)
}

// ListUsers returns the users of an account, sorted by id.
func (a *Admin) ListUsers(ctx context.Context, account string) (*pb.ListUsersResponse, error) {
	return read(ctx, a.caller, &pb.ListUsersRequest{AccountId: account}, a.stub.ListUsers)
}

// RemoveUser removes a user with the user's spaces. The user's keys stop working at once.
func (a *Admin) RemoveUser(ctx context.Context, account, user string) (*pb.RemoveUserResponse, error) {
	return write(ctx, a.caller, &pb.RemoveUserRequest{AccountId: account, UserId: user}, a.stub.RemoveUser)
}

// SetUserRole changes a user's role to "admin" or "user". Requires ROOT.
func (a *Admin) SetUserRole(ctx context.Context, account, user, role string) (*pb.SetUserRoleResponse, error) {
	return write(ctx, a.caller, &pb.SetUserRoleRequest{AccountId: account, UserId: user, Role: role}, a.stub.SetUserRole)
}

// SetQuotas replaces all quotas and the retention of an account. Absent: the server's setting applies; 0: no
// limit. Requires ROOT.
func (a *Admin) SetQuotas(ctx context.Context, request *pb.SetQuotasRequest) (*pb.SetQuotasResponse, error) {
	return write(ctx, a.caller, request, a.stub.SetQuotas)
}

// RegenerateUserKey issues a new main key. The old one stops working at once.
func (a *Admin) RegenerateUserKey(ctx context.Context, account, user string) (*pb.RegenerateUserKeyResponse, error) {
	return write(ctx, a.caller, &pb.RegenerateUserKeyRequest{AccountId: account, UserId: user}, a.stub.RegenerateUserKey)
}

// CreateKey issues an additional key for a user, for an application or an agent; it is shown only once. Users
// may create their own with their main key.
func (a *Admin) CreateKey(ctx context.Context, request *pb.CreateKeyRequest) (*pb.CreateKeyResponse, error) {
	return write(ctx, a.caller, request, a.stub.CreateKey)
}

// ListKeys returns a user's keys without the keys themselves: the main key, then the additional keys, sorted by
// name.
func (a *Admin) ListKeys(ctx context.Context, account, user string) (*pb.ListKeysResponse, error) {
	return read(ctx, a.caller, &pb.ListKeysRequest{AccountId: account, UserId: user}, a.stub.ListKeys)
}

// RevokeKey revokes an additional key of a user. Running calls with the key end.
func (a *Admin) RevokeKey(ctx context.Context, account, user, name string) (*pb.RevokeKeyResponse, error) {
	return write(ctx, a.caller, &pb.RevokeKeyRequest{AccountId: account, UserId: user, Name: name}, a.stub.RevokeKey)
}

// CreateBackup writes a backup of the whole server while it keeps serving, and returns when it is complete.
// Requires ROOT.
func (a *Admin) CreateBackup(ctx context.Context, request *pb.CreateBackupRequest) (*pb.CreateBackupResponse, error) {
	return write(ctx, a.caller, request, a.backups.CreateBackup)
}

// ListBackups returns all backups, newest first. Requires ROOT.
func (a *Admin) ListBackups(ctx context.Context, request *pb.ListBackupsRequest) (*pb.ListBackupsResponse, error) {
	return read(ctx, a.caller, request, a.backups.ListBackups)
}

// VerifyBackup reads a whole backup and checks it. The next backup stores damaged parts again. Requires ROOT.
func (a *Admin) VerifyBackup(ctx context.Context, request *pb.VerifyBackupRequest) (*pb.VerifyBackupResponse, error) {
	return write(ctx, a.caller, request, a.backups.VerifyBackup)
}

// DeleteBackup deletes a backup, and data that no other backup needs. Requires ROOT.
func (a *Admin) DeleteBackup(ctx context.Context, request *pb.DeleteBackupRequest) (*pb.DeleteBackupResponse, error) {
	return write(ctx, a.caller, request, a.backups.DeleteBackup)
}
