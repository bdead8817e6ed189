import { type SearchExplanation, thinkingTrace } from "../../retrieve/explain.ts";
import type { MatchedContext } from "../../retrieve/hydrate.ts";
import { modelPlan } from "../../retrieve/plan/model-plan.ts";
import type { PlannedQuery, QueryPlan } from "../../retrieve/plan/plan.ts";
import type { ServiceCall } from "../service-call.ts";
import { type FindInput, parseQuery } from "./parsed-query.ts";
import { bestFirst, byKind, type FindResult, runSearch, type SearchDeps } from "./run-search.ts";
import { searchScope } from "./scope.ts";
import { historyOf } from "./session-history.ts";

const KINDS = ["resource", "memory", "skill"] as const;

export interface SearchInput extends FindInput {
  readonly sessionId?: string | undefined;
}

/** Result of one planned query. */
export interface QueryResult extends Pick<PlannedQuery, "query" | "contextType"> {
  searchedDirectories: string[];
  matchedContexts: MatchedContext[];
  thinkingTrace: string[];
}

export interface SearchResult extends FindResult {
  queryPlan: QueryPlan;
  queryResults: QueryResult[];
  explain?: { queries: SearchExplanation[] };
}

/**
 * POST search/search: plans queries with the history of a session, searches each in its context types, and
 * merges the results. Does not change the session.
 */
export async function searchContexts(
  deps: SearchDeps,
  call: ServiceCall,
  input: SearchInput,
): Promise<SearchResult> {
  const tenant = await deps.tenants.openOrEmpty(call.caller);
  const wish = await parseQuery(input, () =>
    deps.patterns.begin(tenant.workspace.incarnation, call.signal, "filter"),
  );
  const { sessionId } = input;
  const conversation =
    sessionId === undefined ? undefined : await historyOf(tenant.workspace, call.caller.user, sessionId);
  const scope = await searchScope(tenant, input.targetUris);
  const types = KINDS.filter((kind) => scope.roots.some(({ type }) => type === kind));
  const question = {
    query: wish.query,
    types: types.length > 0 ? types : KINDS,
    conversation,
    now: deps.clock(),
  };
  const asked = { workspace: tenant.workspace.incarnation, signal: call.signal };
  const plan = await modelPlan(scope.roots.length > 0 ? deps.adviser : undefined, question, asked);
  const queryResults: QueryResult[] = [];
  const explanations: SearchExplanation[] = [];
  for (const { query, contextType } of scope.roots.length > 0 ? plan.queries : []) {
    const { hits, explain } = await runSearch(deps, call, tenant, scope, { ...wish, query }, contextType);
    const explanation = explain();
    queryResults.push({
      query,
      contextType,
      searchedDirectories: [...explanation.explored],
      matchedContexts: hits.sort(bestFirst),
      thinkingTrace: thinkingTrace(explanation),
    });
    explanations.push(explanation);
  }
  return {
    ...byKind(best(queryResults, wish.limit)),
    queryPlan: plan,
    queryResults,
    ...(wish.isExplained && { explain: { queries: explanations } }),
  };
}

/** Merges results: each URI once, with its highest score; `limit` bounds the total. */
function best(results: readonly QueryResult[], limit: number): MatchedContext[] {
  const found = new Map<string, MatchedContext>();
  for (const hit of results.flatMap(({ matchedContexts }) => matchedContexts).sort(bestFirst))
    if (!found.has(hit.uri)) found.set(hit.uri, hit);
  return [...found.values()].slice(0, limit);
}
