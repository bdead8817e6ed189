"""Administration of accounts, users and keys, and backups of the server."""

from __future__ import annotations

from ctxdb._gen.messages.account_pb2 import (
    CreateAccountRequest,
    CreateAccountResponse,
    CreateKeyRequest,
    CreateKeyResponse,
    DeleteAccountRequest,
    DeleteAccountResponse,
    ListAccountsRequest,
    ListAccountsResponse,
    ListKeysRequest,
    ListKeysResponse,
    ListUsersRequest,
    ListUsersResponse,
    RegenerateUserKeyRequest,
    RegenerateUserKeyResponse,
    RegisterUserRequest,
    RegisterUserResponse,
    RemoveUserRequest,
    RemoveUserResponse,
    RevokeKeyRequest,
    RevokeKeyResponse,
    SetQuotasRequest,
    SetQuotasResponse,
    SetUserRoleRequest,
    SetUserRoleResponse,
)
from ctxdb._gen.messages.backup_pb2 import (
    CreateBackupRequest,
    CreateBackupResponse,
    DeleteBackupRequest,
    DeleteBackupResponse,
    ListBackupsRequest,
    ListBackupsResponse,
    VerifyBackupRequest,
    VerifyBackupResponse,
)
from ctxdb.aio._calls import Calls


class Admin:
    """For ROOT, and for ADMIN in its own account. Needs a server with a root key."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def create_account(self, account_id: str, admin_user_id: str, *, deadline: float | None = None) -> CreateAccountResponse:
        """Creates an account and its first ADMIN, whose key is shown only once. Requires ROOT."""
        request = CreateAccountRequest(account_id=account_id, admin_user_id=admin_user_id)
        return await self._calls.write("AccountService/CreateAccount", request, CreateAccountResponse, deadline)

    async def list_accounts(self, *, deadline: float | None = None) -> ListAccountsResponse:
        """Returns all accounts, sorted by id. Requires ROOT."""
        return await self._calls.read("AccountService/ListAccounts", ListAccountsRequest(), ListAccountsResponse, deadline)

    async def delete_account(self, account_id: str, *, deadline: float | None = None) -> DeleteAccountResponse:
        """Deletes an account with everything in it. Cannot be undone. Requires ROOT."""
        request = DeleteAccountRequest(account_id=account_id)
        return await self._calls.write("AccountService/DeleteAccount", request, DeleteAccountResponse, deadline)

    async def register_user(
        self, account_id: str, user_id: str, *, role: str | None = None, deadline: float | None = None
    ) -> RegisterUserResponse:
        """Adds a user with the role "admin" or "user" (default). The user's key is shown only once."""
        request = RegisterUserRequest(account_id=account_id, user_id=user_id, role=role)
        return await self._calls.write("AccountService/RegisterUser", request, RegisterUserResponse, deadline)

    async def list_users(self, account_id: str, *, deadline: float | None = None) -> ListUsersResponse:
        """Returns the users of an account, sorted by id."""
        request = ListUsersRequest(account_id=account_id)
        return await self._calls.read("AccountService/ListUsers", request, ListUsersResponse, deadline)

    async def remove_user(self, account_id: str, user_id: str, *, deadline: float | None = None) -> RemoveUserResponse:
        """Removes a user with the user's spaces. The user's keys stop working at once."""
        request = RemoveUserRequest(account_id=account_id, user_id=user_id)
        return await self._calls.write("AccountService/RemoveUser", request, RemoveUserResponse, deadline)

    async def set_user_role(self, account_id: str, user_id: str, role: str, *, deadline: float | None = None) -> SetUserRoleResponse:
        """Changes a user's role to "admin" or "user". Requires ROOT."""
        request = SetUserRoleRequest(account_id=account_id, user_id=user_id, role=role)
        return await self._calls.write("AccountService/SetUserRole", request, SetUserRoleResponse, deadline)

    async def set_quotas(
        self,
        account_id: str,
        *,
        stored_bytes: int | None = None,
        nodes: int | None = None,
        chunks: int | None = None,
        requests_per_minute: int | None = None,
        model_tokens_per_day: int | None = None,
        version_days: int | None = None,
        trash_days: int | None = None,
        task_days: int | None = None,
        session_days: int | None = None,
        audit_days: int | None = None,
        deadline: float | None = None,
    ) -> SetQuotasResponse:
        """Replaces all quotas and the retention of an account. None: the server's setting; 0: no limit."""
        request = SetQuotasRequest(
            account_id=account_id,
            stored_bytes=stored_bytes,
            nodes=nodes,
            chunks=chunks,
            requests_per_minute=requests_per_minute,
            model_tokens_per_day=model_tokens_per_day,
            version_days=version_days,
            trash_days=trash_days,
            task_days=task_days,
            session_days=session_days,
            audit_days=audit_days,
        )
        return await self._calls.write("AccountService/SetQuotas", request, SetQuotasResponse, deadline)

    async def regenerate_user_key(self, account_id: str, user_id: str, *, deadline: float | None = None) -> RegenerateUserKeyResponse:
        """Issues a new main key. The old one stops working at once."""
        request = RegenerateUserKeyRequest(account_id=account_id, user_id=user_id)
        return await self._calls.write("AccountService/RegenerateUserKey", request, RegenerateUserKeyResponse, deadline)

    async def create_key(
        self,
        account_id: str,
        user_id: str,
        name: str,
        *,
        access: str | None = None,
        agent_id: str | None = None,
        expires_at: str | None = None,
        deadline: float | None = None,
    ) -> CreateKeyResponse:
        """Issues an additional key for a user, which is shown only once. Users may create their own with their main key."""
        request = CreateKeyRequest(
            account_id=account_id, user_id=user_id, name=name, access=access, agent_id=agent_id, expires_at=expires_at
        )
        return await self._calls.write("AccountService/CreateKey", request, CreateKeyResponse, deadline)

    async def list_keys(self, account_id: str, user_id: str, *, deadline: float | None = None) -> ListKeysResponse:
        """Returns a user's keys without the keys themselves: the main key, then the additional keys, sorted by name."""
        request = ListKeysRequest(account_id=account_id, user_id=user_id)
        return await self._calls.read("AccountService/ListKeys", request, ListKeysResponse, deadline)

    async def revoke_key(self, account_id: str, user_id: str, name: str, *, deadline: float | None = None) -> RevokeKeyResponse:
        """Revokes an additional key of a user. Running calls with the key end."""
        request = RevokeKeyRequest(account_id=account_id, user_id=user_id, name=name)
        return await self._calls.write("AccountService/RevokeKey", request, RevokeKeyResponse, deadline)

    async def create_backup(
        self,
        name: str | None = None,
        *,
        wait: bool | None = None,
        location: str | None = None,
        deadline: float | None = None,
    ) -> CreateBackupResponse:
        """Writes a backup of the whole server while it keeps serving. Returns when it is complete, or at once
        without ``wait``. Requires ROOT.
        """
        request = CreateBackupRequest(name=name, wait=wait, location=location)
        return await self._calls.write("BackupService/CreateBackup", request, CreateBackupResponse, deadline)

    async def list_backups(self, *, location: str | None = None, deadline: float | None = None) -> ListBackupsResponse:
        """Returns all backups, newest first. Requires ROOT."""
        request = ListBackupsRequest(location=location)
        return await self._calls.read("BackupService/ListBackups", request, ListBackupsResponse, deadline)

    async def verify_backup(self, name: str, *, location: str | None = None, deadline: float | None = None) -> VerifyBackupResponse:
        """Reads a whole backup and checks it. The next backup stores damaged parts again. Requires ROOT."""
        request = VerifyBackupRequest(name=name, location=location)
        return await self._calls.write("BackupService/VerifyBackup", request, VerifyBackupResponse, deadline)

    async def delete_backup(self, name: str, *, location: str | None = None, deadline: float | None = None) -> DeleteBackupResponse:
        """Deletes a backup, and data that no other backup needs. Requires ROOT."""
        request = DeleteBackupRequest(name=name, location=location)
        return await self._calls.write("BackupService/DeleteBackup", request, DeleteBackupResponse, deadline)
