import { AccountService } from "../../../gen/ctxdb/v1/account_pb.ts";
import type { Registry } from "../../accounts/registry.ts";
import { checkAccountAdmin, checkRoot } from "../../domain/permission.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import { createAccount } from "../../service/account/create-account.ts";
import { deleteAccount } from "../../service/account/delete-account.ts";
import { listAccounts } from "../../service/account/list-accounts.ts";
import { listUsers } from "../../service/account/list-users.ts";
import { regenerateUserKey } from "../../service/account/regenerate-user-key.ts";
import { registerUser } from "../../service/account/register-user.ts";
import { removeUser } from "../../service/account/remove-user.ts";
import { setUserRole } from "../../service/account/set-user-role.ts";
import type { Tenants } from "../../service/tenants.ts";
import type { Uploads } from "../../workspace/uploads.ts";
import { type Access, type Operation, unary } from "../operation.ts";

const { method } = AccountService;

const root: Access = (caller) => checkRoot(caller);
const accountAdmin: Access = (caller, path) => checkAccountAdmin(caller, path.account_id ?? "");

export const accountOperations = (deps: { registry: Registry; tenants: Tenants; queue: JobQueue; uploads: Uploads }): Operation[] => [
  unary(method.createAccount, (_, request) => createAccount(deps, request), root),
  unary(method.listAccounts, async () => ({ accounts: await listAccounts(deps) }), root),
  unary(method.deleteAccount, (_, request) => deleteAccount(deps, request), root),
  unary(method.registerUser, (_, request) => registerUser(deps, request), accountAdmin),
  unary(method.listUsers, async (_, request) => ({ users: await listUsers(deps, request) }), accountAdmin),
  unary(method.removeUser, (_, request) => removeUser(deps, request), accountAdmin),
  unary(method.setUserRole, (_, request) => setUserRole(deps, request), root),
  unary(method.regenerateUserKey, (_, request) => regenerateUserKey(deps, request), accountAdmin),
];
