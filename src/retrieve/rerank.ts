import { itemAt, lastOf } from "../base/expect.ts";
import { blended } from "../domain/score.ts";
import type { CallScope } from "../providers/language.ts";
import type { Reranker } from "../providers/rerank.ts";
import type { Hydrated, MatchedContext } from "./hydrate.ts";

/** Number of hits sent to a model, even if fewer are requested. */
export const RERANKED_HITS = 50;
/** Maximum characters of a hit that the model reads. */
const MAX_READ = 1400;

export interface Reranked {
  /** In the original order if the model gave no answer. */
  readonly hits: MatchedContext[];
  readonly reranked: number;
}

/** Replaces the semantic part of the score by the model's relevance; without an answer, nothing changes. */
export async function rerank(
  reranker: Reranker,
  query: string,
  hydrated: readonly Hydrated[],
  asked: Pick<CallScope, "workspace" | "signal">,
): Promise<Reranked> {
  const best = hydrated.slice(0, RERANKED_HITS);
  const relevance = best.length > 1 ? await reranker.relevance(query, best.map(textOf), asked) : undefined;
  if (!relevance) return { hits: hydrated.map(({ context }) => context), reranked: 0 };
  const hits = best.map(({ hit, context }, i) => {
    const score = blended(itemAt(relevance, i), hit.hotness);
    const explain = context.explain && { ...context.explain, relevance: itemAt(relevance, i), score };
    const matchReason = `${context.matchReason}; a model ordered it anew`;
    return { ...context, score, matchReason, ...(explain && { explain }) };
  });
  hits.sort((a, b) => b.score - a.score);
  // hits that the model has not read come last
  const least = lastOf(hits).score;
  const rest = hydrated
    .slice(best.length)
    .map(({ context }) => ({ ...context, score: Math.min(context.score, least) }));
  return { hits: [...hits, ...rest], reranked: best.length };
}

function textOf({ context: { abstract, match } }: Hydrated): string {
  const text = match.startsWith(abstract) || abstract === "" ? match : `${abstract}\n${match}`;
  return text.slice(0, MAX_READ).toWellFormed();
}
