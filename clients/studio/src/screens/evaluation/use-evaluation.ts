import { useRef, useState } from "react";
import { find } from "../../api/search.ts";
import { nodeOf } from "../../text/uri.ts";
import { hitsOf } from "../search/hits.ts";
import { type Outcome, outcomeOf, type Summary, summaryOf } from "./measures.ts";
import type { Question } from "./question-set.ts";

/** All questions asked once. */
export interface Run {
  /** ISO 8601. */
  readonly at: string;
  readonly k: number;
  readonly outcomes: readonly Outcome[];
  readonly summary: Summary;
}

/** Runs that are kept for comparison. */
const MAX_RUNS = 10;

export function useEvaluation() {
  const [runs, setRuns] = useState<readonly Run[]>([]);
  const [progress, setProgress] = useState<number>();
  const [error, setError] = useState<unknown>(null);
  const cancelled = useRef(false);

  const run = async (questions: readonly Question[], k: number) => {
    cancelled.current = false;
    setError(null);
    setProgress(0);
    const outcomes: Outcome[] = [];
    try {
      // one after the other: an evaluation must not crowd out agents
      for (const question of questions) {
        if (cancelled.current) return;
        const hits = hitsOf(await find({ query: question.query, limit: k }));
        outcomes.push(
          outcomeOf(
            question,
            hits.map(({ uri }) => nodeOf(uri)),
          ),
        );
        setProgress(outcomes.length / questions.length);
      }
      const done = { at: new Date().toISOString(), k, outcomes, summary: summaryOf(outcomes) };
      setRuns((before) => [done, ...before].slice(0, MAX_RUNS));
    } catch (thrown) {
      setError(thrown);
    } finally {
      setProgress(undefined);
    }
  };

  return {
    runs,
    progress,
    error,
    run,
    cancel: () => {
      cancelled.current = true;
    },
  };
}
