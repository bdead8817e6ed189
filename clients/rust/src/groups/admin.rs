use crate::v1::{account_service_client::AccountServiceClient, *};

group! {
    /// Accounts, their users and keys. Every operation needs a root key on the server.
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
    /// Issues a new key; the old one is invalid at once. ROOT, or ADMIN of the account.
    regenerate_user_key = regenerate_user_key(RegenerateUserKeyRequest) -> RegenerateUserKeyResponse;
}
