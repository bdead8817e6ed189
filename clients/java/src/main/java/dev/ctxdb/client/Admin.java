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

/**
 * Administration of accounts, users and keys (needs a server with a root key), and backups of the
 * server.
 */
public final class Admin {
  private final Caller caller;

  Admin(Caller caller) {
    this.caller = caller;
  }

  /**
   * Creates an account and its first ADMIN. The response contains the ADMIN's key, which is shown
   * only once. Requires ROOT.
   */
  public CreateAccountResponse createAccount(CreateAccountRequest request) {
    return caller.write(AccountServiceGrpc.getCreateAccountMethod(), request);
  }

  /** Returns all accounts, sorted by id. Requires ROOT. */
  public ListAccountsResponse listAccounts() {
    return caller.read(AccountServiceGrpc.getListAccountsMethod(), ListAccountsRequest.getDefaultInstance());
  }

  /** Deletes an account with everything in it. Cannot be undone. Requires ROOT. */
  public DeleteAccountResponse deleteAccount(DeleteAccountRequest request) {
    return caller.write(AccountServiceGrpc.getDeleteAccountMethod(), request);
  }

  /** Deletes an account with everything in it. Cannot be undone. Requires ROOT. */
  public DeleteAccountResponse deleteAccount(String accountId) {
    return deleteAccount(DeleteAccountRequest.newBuilder().setAccountId(accountId).build());
  }

  /** Adds a user and issues the user's key. Requires ROOT, or ADMIN of the account. */
  public RegisterUserResponse registerUser(RegisterUserRequest request) {
    return caller.write(AccountServiceGrpc.getRegisterUserMethod(), request);
  }

  /** Returns the users of an account, sorted by id. Requires ROOT, or ADMIN of the account. */
  public ListUsersResponse listUsers(ListUsersRequest request) {
    return caller.read(AccountServiceGrpc.getListUsersMethod(), request);
  }

  /** Returns the users of an account, sorted by id. Requires ROOT, or ADMIN of the account. */
  public ListUsersResponse listUsers(String accountId) {
    return listUsers(ListUsersRequest.newBuilder().setAccountId(accountId).build());
  }

  /** Removes a user with the user's spaces. Requires ROOT, or ADMIN of the account. */
  public RemoveUserResponse removeUser(RemoveUserRequest request) {
    return caller.write(AccountServiceGrpc.getRemoveUserMethod(), request);
  }

  /** Changes a user's role to ADMIN or USER. Requires ROOT. */
  public SetUserRoleResponse setUserRole(SetUserRoleRequest request) {
    return caller.write(AccountServiceGrpc.getSetUserRoleMethod(), request);
  }

  /**
   * Replaces all quotas and the retention of an account. Absent: the server's setting applies; 0: no
   * limit. Requires ROOT.
   */
  public SetQuotasResponse setQuotas(SetQuotasRequest request) {
    return caller.write(AccountServiceGrpc.getSetQuotasMethod(), request);
  }

  /**
   * Issues a new main key. The old one stops working at once. Requires ROOT, or ADMIN of the
   * account.
   */
  public RegenerateUserKeyResponse regenerateUserKey(RegenerateUserKeyRequest request) {
    return caller.write(AccountServiceGrpc.getRegenerateUserKeyMethod(), request);
  }

  /**
   * Issues an additional key of a user, for an application or an agent. The key is shown only once.
   * Requires ROOT, ADMIN of the account, or the user's main key.
   */
  public CreateKeyResponse createKey(CreateKeyRequest request) {
    return caller.write(AccountServiceGrpc.getCreateKeyMethod(), request);
  }

  /**
   * Returns a user's keys without the keys themselves: the main key, then the additional keys,
   * sorted by name.
   */
  public ListKeysResponse listKeys(ListKeysRequest request) {
    return caller.read(AccountServiceGrpc.getListKeysMethod(), request);
  }

  /** Revokes an additional key of a user. Running calls with the key end. */
  public RevokeKeyResponse revokeKey(RevokeKeyRequest request) {
    return caller.write(AccountServiceGrpc.getRevokeKeyMethod(), request);
  }

  /**
   * Writes a backup of the whole server while it keeps serving, and returns when it is complete.
   * Requires ROOT.
   */
  public CreateBackupResponse createBackup(CreateBackupRequest request) {
    return caller.write(BackupServiceGrpc.getCreateBackupMethod(), request);
  }

  /** Returns all backups, newest first. Requires ROOT. */
  public ListBackupsResponse listBackups(ListBackupsRequest request) {
    return caller.read(BackupServiceGrpc.getListBackupsMethod(), request);
  }

  /**
   * Reads a whole backup and checks it. The next backup stores damaged parts again. Requires ROOT.
   */
  public VerifyBackupResponse verifyBackup(VerifyBackupRequest request) {
    return caller.write(BackupServiceGrpc.getVerifyBackupMethod(), request);
  }

  /** Deletes a backup, and data that no other backup needs. Requires ROOT. */
  public DeleteBackupResponse deleteBackup(DeleteBackupRequest request) {
    return caller.write(BackupServiceGrpc.getDeleteBackupMethod(), request);
  }
}
