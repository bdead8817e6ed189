import { useSyncExternalStore } from "react";
import { identityNow } from "../../identity/identity.ts";

/** A question and the URIs that should answer it. */
export interface Question {
  readonly query: string;
  readonly expected: readonly string[];
}

/** Questions of one set at most: the browser keeps it. */
export const MAX_QUESTIONS = 2_000;

const listeners = new Set<() => void>();
let shown: readonly Question[] = [];
let shownFor: string | undefined;

/** Sets of different workspaces and users stay apart. They live as long as the tab, as the key does. */
function storeKey(): string {
  const { account = "", user = "", key } = identityNow();
  return `ctxdb.questions ${account} ${user} ${key === undefined ? "" : "signed in"}`;
}

function load(): readonly Question[] {
  const store = storeKey();
  if (shownFor !== store) {
    shownFor = store;
    try {
      shown = JSON.parse(sessionStorage.getItem(store) ?? "[]") as Question[];
    } catch {
      shown = [];
    }
  }
  return shown;
}

export function setQuestions(questions: readonly Question[]): void {
  shown = questions.slice(0, MAX_QUESTIONS);
  shownFor = storeKey();
  sessionStorage.setItem(shownFor, JSON.stringify(shown));
  for (const listener of listeners) listener();
}

/** Notes that a question should find a URI. */
export function addExpected(query: string, uri: string): void {
  const before = load();
  const known = before.find((question) => question.query === query);
  const next = { query, expected: [...new Set([...(known?.expected ?? []), uri])] };
  setQuestions([...before.filter((question) => question !== known), next]);
}

export const useQuestions = (): readonly Question[] =>
  useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, load);
