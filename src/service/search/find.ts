import type { SearchExplanation } from "../../retrieve/explain.ts";
import type { ServiceCall } from "../service-call.ts";
import { type FindInput, parseQuery } from "./parsed-query.ts";
import { byKind, type FindResult, runSearch, type SearchDeps } from "./run-search.ts";
import { searchScope } from "./scope.ts";

/** POST search/find: a search with terms and vectors, explored along the tree (docs/retrieval.md). */
export async function findContexts(
  deps: SearchDeps,
  call: ServiceCall,
  input: FindInput,
): Promise<FindResult & { explain?: SearchExplanation }> {
  const tenant = await deps.tenants.openOrEmpty(call.caller);
  const wish = await parseQuery(input, () =>
    deps.patterns.begin(tenant.workspace.incarnation, call.signal, "filter"),
  );
  const scope = await searchScope(tenant, input.targetUris);
  if (scope.roots.length === 0) return byKind([]);
  const found = await runSearch(deps, call, tenant, scope, wish);
  return { ...byKind(found.hits), ...(wish.isExplained && { explain: found.explain() }) };
}
