import type { Caller } from "./caller.ts";
import { permissionDenied } from "./errors.ts";

const NO_ROOT_KEY = "administration needs a root key: set CTXDB_ROOT_API_KEY";

function checkKeyed(caller: Caller): void {
  if (caller.keyless) throw permissionDenied("administration", NO_ROOT_KEY);
}

/** Only ROOT may perform operations on all workspaces. */
export function checkRoot(caller: Caller): void {
  checkKeyed(caller);
  if (caller.role !== "root")
    throw permissionDenied("administration", "only ROOT may do this: use the root key");
}

/** Only ROOT may perform operations on the server itself. Without keys, that is the local caller. */
export function checkOperator(caller: Caller): void {
  if (caller.role !== "root")
    throw permissionDenied("administration", "only ROOT may do this: use the root key");
}

/**
 * Operations on the users of a workspace are for ROOT, and for ADMIN in its own account. A missing account
 * gives the same error as a foreign one.
 */
export function checkAccountAdmin(caller: Caller, account: string): void {
  checkKeyed(caller);
  if (caller.role === "root" || (caller.role === "admin" && caller.account === account)) return;
  throw permissionDenied(`account ${account}`, "only ROOT and the administrators of the account may do this");
}

/** Additional keys must not set up anything that has the user's rights after they have been revoked. */
export function checkMainKey({ key }: Caller, what: string): void {
  if (key)
    throw permissionDenied(
      `API key ${key.name}`,
      `an additional key cannot ${what}: use the user's main key`,
    );
}

/**
 * Operations on the API keys of a user are for ROOT, ADMIN of the account, and the user; not with an
 * additional key.
 */
export function checkKeyHolder(caller: Caller, account: string, user: string): void {
  checkKeyed(caller);
  checkMainKey(caller, "create, list or revoke keys");
  if (caller.account === account && caller.user === user) return;
  checkAccountAdmin(caller, account);
}
