import type { Caller } from "../../domain/caller.ts";
import { checkAccountAdmin, checkKeyHolder, checkRoot } from "../../domain/permission.ts";

type Rule = (caller: Caller, accountId: string, userId: string) => void;

/**
 * Who may call which account operation (permission matrix); throws PERMISSION_DENIED. Every operation checks
 * its rule first. The wires check it again before they read a body or repeat an answer that contains a key.
 */
export const ACCOUNT_RULES = {
  createAccount: checkRoot,
  listAccounts: checkRoot,
  deleteAccount: checkRoot,
  setUserRole: checkRoot,
  registerUser: checkAccountAdmin,
  listUsers: checkAccountAdmin,
  removeUser: checkAccountAdmin,
  regenerateUserKey: checkAccountAdmin,
  createKey: checkKeyHolder,
  listKeys: checkKeyHolder,
  revokeKey: checkKeyHolder,
} as const satisfies Record<string, Rule>;
