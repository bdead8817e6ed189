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

/** Takes along what the tab keeps of the caller, but not where the server ended it: who signs in again goes on. */
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

/** Called before anything is shown to another caller, who must see nothing of the one before. */
export const onOtherCaller = (reset: () => void): void => void resets.add(reset);

export const identityNow = (): Identity => current;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useIdentity = (): Identity => useSyncExternalStore(subscribe, identityNow);
export const useSignOutNotice = (): string => useSyncExternalStore(subscribe, () => notice);
