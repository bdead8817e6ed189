import { AccountService } from "../../../gen/ctxdb/v1/account_pb.ts";
import type { KeyUseLog } from "../../accounts/key-uses.ts";
import type { Registry } from "../../accounts/registry.ts";
import type { Clock } from "../../base/clock.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import { ACCOUNT_RULES } from "../../service/account/account-rules.ts";
import { createAccount } from "../../service/account/create-account.ts";
import { createKey } from "../../service/account/create-key.ts";
import { deleteAccount } from "../../service/account/delete-account.ts";
import { listAccounts } from "../../service/account/list-accounts.ts";
import { listKeys } from "../../service/account/list-keys.ts";
import { listUsers } from "../../service/account/list-users.ts";
import { regenerateUserKey } from "../../service/account/regenerate-user-key.ts";
import { registerUser } from "../../service/account/register-user.ts";
import { removeUser } from "../../service/account/remove-user.ts";
import { revokeKey } from "../../service/account/revoke-key.ts";
import { setQuotas } from "../../service/account/set-quotas.ts";
import { setUserRole } from "../../service/account/set-user-role.ts";
import type { Tenants } from "../../service/tenants.ts";
import type { Uploads } from "../../workspace/requests/uploads.ts";
import { type Access, type Operation, unary } from "../operation.ts";

const { method } = AccountService;

/** Applies the operation's rule before the request is read. */
const early =
  (name: keyof typeof ACCOUNT_RULES): Access =>
  (caller, path) =>
    ACCOUNT_RULES[name](caller, path.account_id ?? "", path.user_id ?? "");

export const accountOperations = (deps: {
  registry: Registry;
  keyUses: KeyUseLog;
  clock: Clock;
  tenants: Tenants;
  queue: JobQueue;
  uploads: Uploads;
}): Operation[] => [
  unary(method.createAccount, (call, request) => createAccount(deps, call, request), early("createAccount")),
  unary(
    method.listAccounts,
    async (call) => ({ accounts: await listAccounts(deps, call) }),
    early("listAccounts"),
  ),
  unary(method.deleteAccount, (call, request) => deleteAccount(deps, call, request), early("deleteAccount")),
  unary(method.registerUser, (call, request) => registerUser(deps, call, request), early("registerUser")),
  unary(
    method.listUsers,
    async (call, request) => ({ users: await listUsers(deps, call, request) }),
    early("listUsers"),
  ),
  unary(method.removeUser, (call, request) => removeUser(deps, call, request), early("removeUser")),
  unary(method.setUserRole, (call, request) => setUserRole(deps, call, request), early("setUserRole")),
  unary(method.setQuotas, (call, request) => setQuotas(deps, call, request), early("setQuotas")),
  unary(
    method.regenerateUserKey,
    (call, request) => regenerateUserKey(deps, call, request),
    early("regenerateUserKey"),
  ),
  unary(method.createKey, (call, request) => createKey(deps, call, request), early("createKey")),
  unary(
    method.listKeys,
    async (call, request) => ({ keys: await listKeys(deps, call, request) }),
    early("listKeys"),
  ),
  unary(method.revokeKey, (call, request) => revokeKey(deps, call, request), early("revokeKey")),
];
