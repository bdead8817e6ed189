import { blended, hotness } from "../../src/domain/score.ts";
import type { Api } from "../bench/harness/api.ts";
import { ask, type Root, ranking } from "./answers.ts";
import type { TestSet, Text } from "./test-set.ts";

const DAY_MS = 86_400_000;
export const AGES = [0, 30] as const;
export const THRESHOLDS = [0.2, 0.3, 0.4, 0.5, 0.6] as const;
/** Number of questions about a set, and of questions about another set. */
const MAX_ASKED = 200;

/** What remains of answers with ten hits under a `score_threshold`, as shares of 1. */
export interface Left {
  /** Share of the relevant hits that remain. */
  readonly kept: number;
  /** Share of the remaining hits that are relevant. */
  readonly precise: number;
  /** Share of the foreign questions that are answered at all. */
  readonly misled: number;
}

interface Scored {
  readonly semantic: number;
  readonly answers: boolean;
}

const spread = (queries: readonly Text[]): readonly Text[] => {
  const step = Math.max(1, Math.floor(queries.length / MAX_ASKED));
  return queries.filter((_, i) => i % step === 0).slice(0, MAX_ASKED);
};

/**
 * Measures what thresholds on the shown score leave of the answers to a set's own questions and to `foreign`
 * ones, by age in days, then by threshold. All documents have the same age and have never been used, so that
 * age does not change the order of hits.
 */
export async function thresholds(
  api: Api,
  set: TestSet,
  roots: ReadonlyMap<string, Root>,
  foreign: readonly Text[],
): Promise<ReadonlyMap<number, readonly Left[]>> {
  const own: Scored[] = [];
  for (const { id, text, ns = "" } of spread(set.queries)) {
    const root = roots.get(ns)!;
    const hits = await ask(api, text, root, true);
    const ids = ranking(hits, root);
    const relevant = set.relevant.get(id)!;
    for (const [i, { explain }] of hits.entries())
      own.push({ semantic: explain!.semantic, answers: ids[i] !== undefined && relevant.has(ids[i]) });
  }
  const misled: number[] = [];
  const [root] = roots.values();
  for (const { text } of spread(foreign))
    misled.push((await ask(api, text, root!, true))[0]?.explain?.semantic ?? 0);
  return new Map(AGES.map((age) => [age, THRESHOLDS.map((threshold) => left(own, misled, threshold, age))]));
}

function left(own: readonly Scored[], misled: readonly number[], threshold: number, age: number): Left {
  const isShown = (semantic: number) => blended(semantic, hotness(0, 0, age * DAY_MS)) > threshold;
  const shown = own.filter(({ semantic }) => isShown(semantic));
  const answering = shown.filter(({ answers }) => answers).length;
  return {
    kept: answering / own.filter(({ answers }) => answers).length,
    precise: answering / shown.length,
    misled: misled.filter(isShown).length / misled.length,
  };
}
