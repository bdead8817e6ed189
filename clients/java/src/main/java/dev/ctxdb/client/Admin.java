package dev.ctxdb.client;

import dev.ctxdb.v1.AccountServiceGrpc;
import dev.ctxdb.v1.BackupServiceGrpc;
import dev.ctxdb.v1.CreateAccountRequest;
import dev.ctxdb.v1.CreateAccountResponse;
import dev.ctxdb.v1.CreateBackupRequest;
import dev.ctxdb.v1.CreateBackupResponse;
import dev.ctxdb.v1.CreateKeyRequest;
import dev.ctxdb.v1.CreateKeyResponse;
import dev.ctxdb.v1.DeleteAccountRequest;
import dev.ctxdb.v1.DeleteAccountResponse;
import dev.ctxdb.v1.DeleteBackupRequest;
import dev.ctxdb.v1.DeleteBackupResponse;
import dev.ctxdb.v1.ListAccountsRequest;
import dev.ctxdb.v1.ListAccountsResponse;
import dev.ctxdb.v1.ListBackupsRequest;
import dev.ctxdb.v1.ListBackupsResponse;
import dev.ctxdb.v1.ListKeysRequest;
import dev.ctxdb.v1.ListKeysResponse;
import dev.ctxdb.v1.ListUsersRequest;
import dev.ctxdb.v1.ListUsersResponse;
import dev.ctxdb.v1.RegenerateUserKeyRequest;
import dev.ctxdb.v1.RegenerateUserKeyResponse;
import dev.ctxdb.v1.RegisterUserRequest;
import dev.ctxdb.v1.RegisterUserResponse;
import dev.ctxdb.v1.RemoveUserRequest;
import dev.ctxdb.v1.RemoveUserResponse;
import dev.ctxdb.v1.RevokeKeyRequest;
import dev.ctxdb.v1.RevokeKeyResponse;
import dev.ctxdb.v1.SetQuotasRequest;
import dev.ctxdb.v1.SetQuotasResponse;
import dev.ctxdb.v1.SetUserRoleRequest;
import dev.ctxdb.v1.SetUserRoleResponse;
import dev.ctxdb.v1.VerifyBackupRequest;
import dev.ctxdb.v1.VerifyBackupResponse;

/** Accounts, their users and keys, which need a root key on the server; backups of the server. */
public final class Admin {
  private final Caller caller;

  Admin(Caller caller) {
    this.caller = caller;
  }

  /** Creates an account and its first ADMIN. The answer holds its key, which is shown never again. ROOT only. */
  public CreateAccountResponse createAccount(CreateAccountRequest request) {
    return caller.write(AccountServiceGrpc.getCreateAccountMethod(), request);
  }

  /** All accounts, by id. ROOT only. */
  public ListAccountsResponse listAccounts() {
    return caller.read(AccountServiceGrpc.getListAccountsMethod(), ListAccountsRequest.getDefaultInstance());
  }

  /** Deletes an account with everything in it, for ever. ROOT only. */
  public DeleteAccountResponse deleteAccount(DeleteAccountRequest request) {
    return caller.write(AccountServiceGrpc.getDeleteAccountMethod(), request);
  }

  /** Deletes an account with everything in it, for ever. ROOT only. */
  public DeleteAccountResponse deleteAccount(String accountId) {
    return deleteAccount(DeleteAccountRequest.newBuilder().setAccountId(accountId).build());
  }

  /** Adds a user and issues its key. ROOT, or ADMIN of the account. */
  public RegisterUserResponse registerUser(RegisterUserRequest request) {
    return caller.write(AccountServiceGrpc.getRegisterUserMethod(), request);
  }

  /** The users of an account, by id. ROOT, or ADMIN of the account. */
  public ListUsersResponse listUsers(ListUsersRequest request) {
    return caller.read(AccountServiceGrpc.getListUsersMethod(), request);
  }

  /** The users of an account, by id. ROOT, or ADMIN of the account. */
  public ListUsersResponse listUsers(String accountId) {
    return listUsers(ListUsersRequest.newBuilder().setAccountId(accountId).build());
  }

  /** Removes a user with its spaces. ROOT, or ADMIN of the account. */
  public RemoveUserResponse removeUser(RemoveUserRequest request) {
    return caller.write(AccountServiceGrpc.getRemoveUserMethod(), request);
  }

  /** Makes a user ADMIN or USER. ROOT only. */
  public SetUserRoleResponse setUserRole(SetUserRoleRequest request) {
    return caller.write(AccountServiceGrpc.getSetUserRoleMethod(), request);
  }

  /** Replaces all quotas of an account: an absent one means the server's setting, 0 no limit. ROOT only. */
  public SetQuotasResponse setQuotas(SetQuotasRequest request) {
    return caller.write(AccountServiceGrpc.getSetQuotasMethod(), request);
  }

  /** Issues a new main key; the old one is invalid at once. ROOT, or ADMIN of the account. */
  public RegenerateUserKeyResponse regenerateUserKey(RegenerateUserKeyRequest request) {
    return caller.write(AccountServiceGrpc.getRegenerateUserKeyMethod(), request);
  }

  /**
   * Issues an additional key of a user, for an application or an agent; it is shown here and never again. ROOT,
   * ADMIN of the account, or the user with the main key.
   */
  public CreateKeyResponse createKey(CreateKeyRequest request) {
    return caller.write(AccountServiceGrpc.getCreateKeyMethod(), request);
  }

  /** The keys of a user without the keys themselves: the main key, then the additional keys by name. */
  public ListKeysResponse listKeys(ListKeysRequest request) {
    return caller.read(AccountServiceGrpc.getListKeysMethod(), request);
  }

  /** Revokes an additional key of a user: what it began ends. */
  public RevokeKeyResponse revokeKey(RevokeKeyRequest request) {
    return caller.write(AccountServiceGrpc.getRevokeKeyMethod(), request);
  }

  /** Writes a backup of the whole server while it serves, and answers when it is complete. ROOT only. */
  public CreateBackupResponse createBackup(CreateBackupRequest request) {
    return caller.write(BackupServiceGrpc.getCreateBackupMethod(), request);
  }

  /** All backups, the newest first. ROOT only. */
  public ListBackupsResponse listBackups() {
    return caller.read(BackupServiceGrpc.getListBackupsMethod(), ListBackupsRequest.getDefaultInstance());
  }

  /** Reads all of a backup; what is damaged is stored again by the next one. ROOT only. */
  public VerifyBackupResponse verifyBackup(VerifyBackupRequest request) {
    return caller.write(BackupServiceGrpc.getVerifyBackupMethod(), request);
  }

  /** Deletes a backup and what only it needed. ROOT only. */
  public DeleteBackupResponse deleteBackup(DeleteBackupRequest request) {
    return caller.write(BackupServiceGrpc.getDeleteBackupMethod(), request);
  }
}
