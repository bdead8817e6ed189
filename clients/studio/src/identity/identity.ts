import { useSyncExternalStore } from "react";

/** Who calls the server. */
export interface Identity {
  /** API key; absent on a server without keys. */
  readonly key?: string;
  /** The workspace to act in; obeyed for ROOT and by servers without keys. */
  readonly account?: string;
  /** The user to act as; obeyed for ROOT and by servers without keys. */
  readonly user?: string;
  /** The agent whose spaces are meant. */
  readonly agent?: string;
}

/** Gone with the tab, and in no other tab. */
const STORE_KEY = "ctxdb.identity";

const listeners = new Set<() => void>();
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
  current = identity;
  notice = "";
  sessionStorage.setItem(STORE_KEY, JSON.stringify(identity));
  for (const listener of listeners) listener();
}

export function signOut(why = ""): void {
  current = {};
  notice = why;
  sessionStorage.removeItem(STORE_KEY);
  for (const listener of listeners) listener();
}

export const identityNow = (): Identity => current;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useIdentity = (): Identity => useSyncExternalStore(subscribe, identityNow);
export const useSignOutNotice = (): string => useSyncExternalStore(subscribe, () => notice);
