use crate::v1::{account_service_client::AccountServiceClient, backup_service_client::BackupServiceClient, *};

group! {
    /// Administration of accounts, users and keys (needs a server with a root key), and backups of
    /// the server.
    Admin
}

operations! { Admin: AccountServiceClient;
    /// Creates an account and its first ADMIN. The response contains the ADMIN's key, which is
    /// shown only once. Requires ROOT.
    create_account = create_account(CreateAccountRequest) -> CreateAccountResponse;
    /// Returns all accounts, sorted by id. Requires ROOT.
    list_accounts = list_accounts() -> ListAccountsResponse;
    /// Deletes an account with everything in it. Cannot be undone. Requires ROOT.
    delete_account = delete_account(DeleteAccountRequest) -> DeleteAccountResponse;
    /// Adds a user and issues the user's key. Requires ROOT, or ADMIN of the account.
    register_user = register_user(RegisterUserRequest) -> RegisterUserResponse;
    /// Returns the users of an account, sorted by id. Requires ROOT, or ADMIN of the account.
    list_users = list_users(ListUsersRequest) -> ListUsersResponse;
    /// Removes a user with the user's spaces. Requires ROOT, or ADMIN of the account.
    remove_user = remove_user(RemoveUserRequest) -> RemoveUserResponse;
    /// Changes a user's role to ADMIN or USER. Requires ROOT.
    set_user_role = set_user_role(SetUserRoleRequest) -> SetUserRoleResponse;
    /// Replaces all quotas and the retention of an account. Absent: the server's setting applies;
    /// 0: no limit. Requires ROOT.
    set_quotas = set_quotas(SetQuotasRequest) -> SetQuotasResponse;
    /// Issues a new main key. The old one stops working at once. Requires ROOT, or ADMIN of the
    /// account.
    regenerate_user_key = regenerate_user_key(RegenerateUserKeyRequest) -> RegenerateUserKeyResponse;
    /// Issues an additional key of a user, for an application or an agent. The response contains
    /// the key, which is shown only once. Requires ROOT, ADMIN of the account, or the user's main
    /// key.
    create_key = create_key(CreateKeyRequest) -> CreateKeyResponse;
    /// Returns a user's keys without the keys themselves: the main key, then the additional keys,
    /// sorted by name.
    list_keys = list_keys(ListKeysRequest) -> ListKeysResponse;
    /// Revokes an additional key of a user. Running calls with the key end.
    revoke_key = revoke_key(RevokeKeyRequest) -> RevokeKeyResponse;
}

operations! { Admin: BackupServiceClient;
    /// Writes a backup of the whole server while it keeps serving, and returns when it is complete.
    /// Requires ROOT.
    create_backup = create_backup(CreateBackupRequest) -> CreateBackupResponse;
    /// Returns all backups, newest first. Requires ROOT.
    list_backups = list_backups(ListBackupsRequest) -> ListBackupsResponse;
    /// Reads a whole backup and checks it. The next backup stores damaged parts again. Requires
    /// ROOT.
    verify_backup = verify_backup(VerifyBackupRequest) -> VerifyBackupResponse;
    /// Deletes a backup, and data that no other backup needs. Requires ROOT.
    delete_backup = delete_backup(DeleteBackupRequest) -> DeleteBackupResponse;
}
