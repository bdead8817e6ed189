import type { Caller } from "./caller.ts";
import { permissionDenied } from "./errors.ts";

const NO_ROOT_KEY = "administration needs a root key: set CTXDB_ROOT_API_KEY";

function checkKeyed(caller: Caller): void {
  if (caller.keyless) throw permissionDenied("administration", NO_ROOT_KEY);
}

/** Operations on all workspaces (permission matrix, first row and roles): ROOT alone. */
export function checkRoot(caller: Caller): void {
  checkKeyed(caller);
  if (caller.role !== "root")
    throw permissionDenied("administration", "only ROOT may do this: use the root key");
}

/** Operations on the server itself: ROOT, which is the local caller of a server without keys. */
export function checkOperator(caller: Caller): void {
  if (caller.role !== "root")
    throw permissionDenied("administration", "only ROOT may do this: use the root key");
}

/**
 * Operations on the users of one workspace: ROOT, and ADMIN in its own. A missing account gets the same
 * answer as a foreign one.
 */
export function checkAccountAdmin(caller: Caller, account: string): void {
  checkKeyed(caller);
  if (caller.role === "root" || (caller.role === "admin" && caller.account === account)) return;
  throw permissionDenied(`account ${account}`, "only ROOT and the administrators of the account may do this");
}

/**
 * Operations on the API keys of a user: ROOT, ADMIN of the account, and the user; none of them with a further
 * key, which could make one that outlives it.
 */
export function checkKeyHolder(caller: Caller, account: string, user: string): void {
  checkKeyed(caller);
  if (caller.key)
    throw permissionDenied(
      `API key ${caller.key.name}`,
      "only the main key of a user makes and revokes keys",
    );
  if (caller.account === account && caller.user === user) return;
  checkAccountAdmin(caller, account);
}
