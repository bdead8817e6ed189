import type { Caller } from "../caller.ts";
import type { Fields } from "../fields.ts";
import {
  type Account,
  AccountService,
  type ApiKey,
  type CreateAccountRequest,
  type CreateAccountResponse,
  type CreateKeyRequest,
  type CreateKeyResponse,
  type DeleteAccountRequest,
  type ListKeysRequest,
  type ListUsersRequest,
  type RegenerateUserKeyRequest,
  type RegisterUserRequest,
  type RegisterUserResponse,
  type RemoveUserRequest,
  type RevokeKeyRequest,
  type SetQuotasRequest,
  type SetQuotasResponse,
  type SetUserRoleRequest,
  type SetUserRoleResponse,
  type User,
} from "../gen/ctxdb/v1/account_pb.ts";
import {
  type Backup,
  BackupService,
  type CreateBackupRequest,
  type CreateBackupResponse,
  type DeleteBackupRequest,
  type DeleteBackupResponse,
  type ListBackupsRequest,
  type VerifyBackupRequest,
  type VerifyBackupResponse,
} from "../gen/ctxdb/v1/backup_pb.ts";
import type { CallOptions } from "../options.ts";

/** Administration: accounts, their users and API keys (each key is shown once), and backups of the server. */
export class Admin {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  async createAccount(
    request: Fields<CreateAccountRequest, "accountId" | "adminUserId">,
    options?: CallOptions,
  ): Promise<CreateAccountResponse> {
    return (await this.#caller.write(AccountService.method.createAccount, request, options)).message;
  }

  /** Returns all accounts, sorted by id. */
  async listAccounts(options?: CallOptions): Promise<Account[]> {
    return (await this.#caller.read(AccountService.method.listAccounts, {}, options)).message.accounts;
  }

  /** Deletes an account with its users, keys, content and vectors. Cannot be undone. */
  async deleteAccount(
    request: Fields<DeleteAccountRequest, "accountId">,
    options?: CallOptions,
  ): Promise<void> {
    await this.#caller.write(AccountService.method.deleteAccount, request, options);
  }

  async registerUser(
    request: Fields<RegisterUserRequest, "accountId" | "userId">,
    options?: CallOptions,
  ): Promise<RegisterUserResponse> {
    return (await this.#caller.write(AccountService.method.registerUser, request, options)).message;
  }

  /** Returns the users of an account, sorted by id. */
  async listUsers(request: Fields<ListUsersRequest, "accountId">, options?: CallOptions): Promise<User[]> {
    return (await this.#caller.read(AccountService.method.listUsers, request, options)).message.users;
  }

  /**
   * Removes a user with the user's memories, agent spaces and sessions. The user's keys stop working at once.
   */
  async removeUser(
    request: Fields<RemoveUserRequest, "accountId" | "userId">,
    options?: CallOptions,
  ): Promise<void> {
    await this.#caller.write(AccountService.method.removeUser, request, options);
  }

  async setUserRole(
    request: Fields<SetUserRoleRequest, "accountId" | "userId" | "role">,
    options?: CallOptions,
  ): Promise<SetUserRoleResponse> {
    return (await this.#caller.write(AccountService.method.setUserRole, request, options)).message;
  }

  /** Replaces all quotas and the retention of an account. Absent: the server's setting applies; 0: no limit. */
  async setQuotas(
    request: Fields<SetQuotasRequest, "accountId">,
    options?: CallOptions,
  ): Promise<SetQuotasResponse> {
    return (await this.#caller.write(AccountService.method.setQuotas, request, options)).message;
  }

  /** Replaces the main key of a user and returns the new one. The old key stops working at once. */
  async regenerateUserKey(
    request: Fields<RegenerateUserKeyRequest, "accountId" | "userId">,
    options?: CallOptions,
  ): Promise<string> {
    return (await this.#caller.write(AccountService.method.regenerateUserKey, request, options)).message
      .userKey;
  }

  /**
   * Creates an additional key of a user, for an application or an agent. Users may create their own with
   * their main key.
   */
  async createKey(
    request: Fields<CreateKeyRequest, "accountId" | "userId" | "name">,
    options?: CallOptions,
  ): Promise<CreateKeyResponse> {
    return (await this.#caller.write(AccountService.method.createKey, request, options)).message;
  }

  /** Returns the main key, then the additional keys by name, without the keys themselves. */
  async listKeys(
    request: Fields<ListKeysRequest, "accountId" | "userId">,
    options?: CallOptions,
  ): Promise<ApiKey[]> {
    return (await this.#caller.read(AccountService.method.listKeys, request, options)).message.keys;
  }

  /** Revokes an additional key. Running calls with the key end. */
  async revokeKey(
    request: Fields<RevokeKeyRequest, "accountId" | "userId" | "name">,
    options?: CallOptions,
  ): Promise<void> {
    await this.#caller.write(AccountService.method.revokeKey, request, options);
  }

  /** Writes a backup of the whole server while it keeps serving. By default, waits until it is complete. */
  async createBackup(
    request: Fields<CreateBackupRequest> = {},
    options?: CallOptions,
  ): Promise<CreateBackupResponse> {
    return (await this.#caller.write(BackupService.method.createBackup, request, options)).message;
  }

  /** Returns all backups, newest first. */
  async listBackups(request: Fields<ListBackupsRequest> = {}, options?: CallOptions): Promise<Backup[]> {
    return (await this.#caller.read(BackupService.method.listBackups, request, options)).message.backups;
  }

  /** Reads a whole backup and checks it. The next backup stores damaged parts again. */
  async verifyBackup(
    request: Fields<VerifyBackupRequest, "name">,
    options?: CallOptions,
  ): Promise<VerifyBackupResponse> {
    return (await this.#caller.write(BackupService.method.verifyBackup, request, options)).message;
  }

  /** Deletes a backup, and data that no other backup needs. */
  async deleteBackup(
    request: Fields<DeleteBackupRequest, "name">,
    options?: CallOptions,
  ): Promise<DeleteBackupResponse> {
    return (await this.#caller.write(BackupService.method.deleteBackup, request, options)).message;
  }
}
