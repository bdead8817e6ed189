use crate::v1::{account_service_client::AccountServiceClient, backup_service_client::BackupServiceClient, *};

group! {
    /// Accounts, their users and keys, which need a root key on the server; backups of the server.
    Admin
}

operations! { Admin: AccountServiceClient;
    /// Creates an account and its first ADMIN. The answer holds its key, which is shown never again. ROOT only.
    create_account = create_account(CreateAccountRequest) -> CreateAccountResponse;
    /// All accounts, by id. ROOT only.
    list_accounts = list_accounts() -> ListAccountsResponse;
    /// Deletes an account with everything in it, for ever. ROOT only.
    delete_account = delete_account(DeleteAccountRequest) -> DeleteAccountResponse;
    /// Adds a user and issues its key. ROOT, or ADMIN of the account.
    register_user = register_user(RegisterUserRequest) -> RegisterUserResponse;
    /// The users of an account, by id. ROOT, or ADMIN of the account.
    list_users = list_users(ListUsersRequest) -> ListUsersResponse;
    /// Removes a user with its spaces. ROOT, or ADMIN of the account.
    remove_user = remove_user(RemoveUserRequest) -> RemoveUserResponse;
    /// Makes a user ADMIN or USER. ROOT only.
    set_user_role = set_user_role(SetUserRoleRequest) -> SetUserRoleResponse;
    /// Replaces all quotas of an account: an absent one means the server's setting, 0 no limit. ROOT only.
    set_quotas = set_quotas(SetQuotasRequest) -> SetQuotasResponse;
    /// Issues a new main key; the old one is invalid at once. ROOT, or ADMIN of the account.
    regenerate_user_key = regenerate_user_key(RegenerateUserKeyRequest) -> RegenerateUserKeyResponse;
    /// Issues an additional key of a user, for an application or an agent. The response has it;
    /// it is never shown again. ROOT, ADMIN of the account, or the user with the main key.
    create_key = create_key(CreateKeyRequest) -> CreateKeyResponse;
    /// The keys of a user without the keys themselves: the main key, then the additional keys by name.
    list_keys = list_keys(ListKeysRequest) -> ListKeysResponse;
    /// Revokes an additional key of a user: what it began ends.
    revoke_key = revoke_key(RevokeKeyRequest) -> RevokeKeyResponse;
}

operations! { Admin: BackupServiceClient;
    /// Writes a backup of the whole server while it serves, and answers when it is complete. ROOT only.
    create_backup = create_backup(CreateBackupRequest) -> CreateBackupResponse;
    /// All backups, the newest first. ROOT only.
    list_backups = list_backups() -> ListBackupsResponse;
    /// Reads all of a backup; what is damaged is stored again by the next one. ROOT only.
    verify_backup = verify_backup(VerifyBackupRequest) -> VerifyBackupResponse;
    /// Deletes a backup and what only it needed. ROOT only.
    delete_backup = delete_backup(DeleteBackupRequest) -> DeleteBackupResponse;
}
