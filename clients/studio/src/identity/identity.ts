import { useSyncExternalStore } from "react";

/** The identity with which calls are made. */
export interface Identity {
  /** API key; absent if the server has no keys. */
  readonly key?: string;
  /** Workspace to act in; only for ROOT, and for servers without keys. */
  readonly account?: string;
  /** User to act as; only for ROOT, and for servers without keys. */
  readonly user?: string;
  /** Agent whose spaces are used. */
  readonly agent?: string;
}

/** Session storage key: the identity is limited to this tab and ends with it. */
const STORE_KEY = "ctxdb.identity";

const listeners = new Set<() => void>();
const resets = new Set<() => void>();
let current = stored();
/** Why the sign-in page is shown again. */
let notice = "";

function stored(): Identity {
  try {
    return JSON.parse(sessionStorage.getItem(STORE_KEY) ?? "{}") as Identity;
  } catch {
    return {};
  }
}

export function signIn(identity: Identity): void {
  sessionStorage.setItem(STORE_KEY, JSON.stringify(identity));
  become(identity, "");
}

/**
 * Signs out. Clears what the tab has stored, unless the server ended the session (`why`), so that the user
 * can sign in again and continue.
 */
export function signOut(why = ""): void {
  if (why === "") sessionStorage.clear();
  else sessionStorage.removeItem(STORE_KEY);
  become({}, why);
}

function become(identity: Identity, why: string): void {
  current = identity;
  notice = why;
  for (const reset of resets) reset();
  for (const listener of listeners) listener();
}

/** Registers a function that removes the previous user's data before another user sees anything. */
export const onOtherCaller = (reset: () => void): void => void resets.add(reset);

export const identityNow = (): Identity => current;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useIdentity = (): Identity => useSyncExternalStore(subscribe, identityNow);
export const useSignOutNotice = (): string => useSyncExternalStore(subscribe, () => notice);
