import { find, search } from "../../api/search.ts";
import { nodeOf, visible } from "../../text/uri.ts";
import { hitsOf } from "../search/hits.ts";
import { requestOf, type Settings } from "../search/settings.ts";
import { type Outcome, outcomeOf, type Question, type Summary, summaryOf } from "./measures.ts";

/** One run of all questions with the same settings. */
export interface Run {
  /** ISO 8601. */
  readonly at: string;
  readonly settings: Settings;
  readonly outcomes: readonly Outcome[];
  readonly summary: Summary;
}

interface Watched {
  readonly signal: AbortSignal;
  readonly onProgress: (share: number) => void;
}

/** Runs the questions one at a time, so that an evaluation does not slow down agents. */
export async function runAll(
  questions: readonly Question[],
  settings: Settings,
  { signal, onProgress }: Watched,
): Promise<Run> {
  const outcomes: Outcome[] = [];
  for (const question of questions) {
    signal.throwIfAborted();
    outcomes.push(await ask(question, settings, signal));
    onProgress(outcomes.length / questions.length);
  }
  signal.throwIfAborted();
  return { at: new Date().toISOString(), settings, outcomes, summary: summaryOf(outcomes) };
}

async function ask(question: Question, settings: Settings, signal: AbortSignal): Promise<Outcome> {
  const { explain: _, ...request } = requestOf({ ...settings, query: question.query });
  const answer = await (settings.mode === "find" ? find : search)(request, signal);
  const hits = hitsOf(answer).map(({ uri, source }) => ({ uri: nodeOf(uri), source }));
  return outcomeOf(question, hits, settings.limit);
}

/** The settings in words, to distinguish runs. */
export function tellSettings({ mode, target, limit, threshold, filter, sessionId }: Settings): string {
  return [
    mode,
    `k = ${limit}`,
    ...(target.trim() === "" ? [] : [`in ${visible(target.trim())}`]),
    ...(threshold.trim() === "" ? [] : [`score above ${threshold}`]),
    ...(filter.trim() === "" ? [] : [`filter ${visible(filter.trim())}`]),
    ...(mode === "search" && sessionId.trim() !== "" ? [`session ${visible(sessionId.trim())}`] : []),
  ].join(" · ");
}
