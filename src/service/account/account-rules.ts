import type { Caller } from "../../domain/caller.ts";
import { checkAccountAdmin, checkKeyHolder, checkRoot } from "../../domain/permission.ts";

type Rule = (caller: Caller, accountId: string, userId: string) => void;

/**
 * Access rules of the account operations; they throw PERMISSION_DENIED. Every operation checks its rule
 * first. Rules are also checked before a request body is read, and before a stored answer that contains a key
 * is returned again.
 */
export const ACCOUNT_RULES = {
  createAccount: checkRoot,
  listAccounts: checkRoot,
  deleteAccount: checkRoot,
  setUserRole: checkRoot,
  setQuotas: checkRoot,
  registerUser: checkAccountAdmin,
  listUsers: checkAccountAdmin,
  removeUser: checkAccountAdmin,
  regenerateUserKey: checkAccountAdmin,
  createKey: checkKeyHolder,
  listKeys: checkKeyHolder,
  revokeKey: checkKeyHolder,
} as const satisfies Record<string, Rule>;
