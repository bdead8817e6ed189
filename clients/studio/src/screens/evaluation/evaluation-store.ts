import { useSyncExternalStore } from "react";
import { useCaller } from "../../api/system.ts";
import { onOtherCaller } from "../../identity/identity.ts";
import { EMPTY, type Settings } from "../search/settings.ts";
import type { Question } from "./measures.ts";
import { type Run, runAll } from "./run.ts";

/** Maximum number of questions in a set, which the browser stores. */
export const MAX_QUESTIONS = 2_000;
/** Maximum number of runs stored for comparison. */
const MAX_RUNS = 10;

/**
 * The question set of a user, and the results of its runs. Kept when the screen closes; ends with the tab.
 */
interface Evaluation {
  readonly questions: readonly Question[];
  readonly settings: Settings;
  /** Latest first. */
  readonly runs: readonly Run[];
  /** Progress of the current run, 0 to 1. */
  readonly progress?: number;
  readonly error?: unknown;
}

const NOTHING: Evaluation = { questions: [], settings: EMPTY, runs: [] };

const listeners = new Set<() => void>();
let owner: string | undefined;
let state = NOTHING;
let running: AbortController | undefined;

const storeKey = (caller: string): string => `ctxdb.evaluation ${caller}`;

onOtherCaller(() => {
  running?.abort();
  owner = undefined;
  state = NOTHING;
});

function stored(caller: string): Partial<Evaluation> {
  try {
    return JSON.parse(sessionStorage.getItem(storeKey(caller)) ?? "{}") as Partial<Evaluation>;
  } catch {
    return {};
  }
}

function stateOf(caller: string | undefined): Evaluation {
  if (caller !== undefined && caller !== owner) {
    owner = caller;
    state = { ...NOTHING, ...stored(caller) };
  }
  return state;
}

function change(some: Partial<Evaluation>): void {
  state = { ...state, ...some };
  const { questions, settings, runs } = state;
  try {
    if (owner !== undefined)
      sessionStorage.setItem(storeKey(owner), JSON.stringify({ questions, settings, runs }));
  } catch {
    // ignore the error: beyond the browser's storage quota, the data only lives in memory
  }
  for (const listener of listeners) listener();
}

/** Adds questions to the set; URIs of existing questions are merged. */
export function addQuestions(added: readonly Question[]): void {
  const byQuery = new Map(state.questions.map(({ query, expected }) => [query, expected]));
  for (const { query, expected } of added)
    byQuery.set(query, [...new Set([...(byQuery.get(query) ?? []), ...expected])]);
  const questions = [...byQuery].map(([query, expected]) => ({ query, expected }));
  change({ questions: questions.slice(0, MAX_QUESTIONS) });
}

export const removeQuestion = (gone: Question): void =>
  change({ questions: state.questions.filter(({ query }) => query !== gone.query) });

/** Removes all questions and their runs. */
export const clearEvaluation = (): void => change({ questions: [], runs: [] });

export const setSettings = (settings: Settings): void => change({ settings });

/** Runs all questions with the settings; continues while other screens are open. */
export async function startRun(): Promise<void> {
  running?.abort();
  running = new AbortController();
  const { signal } = running;
  change({ progress: 0, error: undefined });
  const onProgress = (progress: number) => !signal.aborted && change({ progress });
  try {
    const run = await runAll(state.questions, state.settings, { signal, onProgress });
    change({ runs: [run, ...state.runs].slice(0, MAX_RUNS), progress: undefined });
  } catch (error) {
    if (!signal.aborted) change({ error, progress: undefined });
  }
}

export function stopRun(): void {
  running?.abort();
  change({ progress: undefined });
}

export function useEvaluation(): Evaluation {
  const caller = useCaller();
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => stateOf(caller),
  );
}

/** Whether a URI is an expected answer to a question, and a function to change that. */
export function useExpectedAnswer(query: string, uri: string) {
  const question = useEvaluation().questions.find((one) => one.query === query);
  const isExpected = question?.expected.includes(uri) ?? false;
  const toggle = () => {
    if (!isExpected || question === undefined) return addQuestions([{ query, expected: [uri] }]);
    const expected = question.expected.filter((other) => other !== uri);
    removeQuestion(question);
    if (expected.length > 0) addQuestions([{ query, expected }]);
  };
  return { isExpected, toggle };
}
