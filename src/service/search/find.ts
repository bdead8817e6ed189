import { analyseQuery } from "../../domain/analyse.ts";
import { invalidArgument } from "../../domain/errors.ts";
import { parseFilter } from "../../domain/filter.ts";
import { eventsOf, factsOf } from "../../remember/memory-nodes.ts";
import { askNeighbours } from "../../retrieve/ask-neighbours.ts";
import { find } from "../../retrieve/find.ts";
import { hydrate, type MatchedContext } from "../../retrieve/hydrate.ts";
import type { QueryVectors } from "../../retrieve/query-vectors.ts";
import type { SearchView } from "../../retrieve/view.ts";
import type { IndexPart } from "../../storage/partition.ts";
import type { ServiceCall } from "../call.ts";
import type { Tenants } from "../tenants.ts";
import { admit } from "./admit.ts";
import { searchScope } from "./scope.ts";

const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 1000;

export interface FindInput {
  readonly query: string;
  readonly targetUris: readonly string[];
  readonly limit?: number | undefined;
  readonly scoreThreshold?: number | undefined;
  readonly filter?: unknown;
}

export interface FindResult {
  memories: MatchedContext[];
  resources: MatchedContext[];
  skills: MatchedContext[];
  total: number;
}

export interface FindDeps {
  readonly tenants: Tenants;
  readonly queryVectors: QueryVectors;
  readonly clock: () => number;
}

/** POST search/find: terms and vectors together, explored along the tree (docs/retrieval.md). */
export async function findContexts(deps: FindDeps, call: ServiceCall, input: FindInput): Promise<FindResult> {
  const limit = input.limit ?? DEFAULT_LIMIT;
  if (limit < 1 || limit > MAX_LIMIT) throw invalidArgument("limit", `must be 1 to ${MAX_LIMIT}`);
  if (input.query.trim() === "") throw invalidArgument("query", "must not be empty");
  const threshold = input.scoreThreshold;
  if (threshold !== undefined && !(threshold >= 0 && threshold <= 1)) throw invalidArgument("score_threshold", "must be between 0 and 1");
  const filter = input.filter === undefined ? undefined : parseFilter(input.filter);
  const tenant = await deps.tenants.reading(call.caller);
  const { workspace, owner } = tenant;
  const { roots, targets } = searchScope(tenant, call, input.targetUris);
  if (roots.length === 0) return { memories: [], resources: [], skills: [], total: 0 };
  const visible = workspace.index.visibleTo(owner.user);
  const admitted = filter && (await admit(workspace, workspace.table.mask(roots), filter, JSON.stringify(input.filter)));
  let loaded: readonly IndexPart[] = await workspace.index.load(visible);
  const held = new Set(loaded.flatMap(({ vectors }) => [...vectors.keys()]));
  const query = { terms: analyseQuery(input.query), ...(await deps.queryVectors.of(input.query, held, call.signal)) };
  const nearest = await askNeighbours(loaded, query, {
    nodes: workspace.table,
    scope: () => workspace.table.mask(roots),
    limit,
    isFiltered: filter !== undefined,
  });
  // what was in memory may have left it meanwhile
  if (!workspace.index.ready(visible)) loaded = await workspace.index.load(visible);
  // in one moment with the mask: what was indexed meanwhile may be in further pieces
  const partitions = workspace.index.ready(visible) ?? loaded;
  const scope = workspace.table.mask(roots);
  const view: SearchView = {
    nodes: workspace.table,
    scope,
    admitted: admitted ?? [scope, scope, scope],
    targets: [...targets],
    partitions,
    nearest,
    conversations: eventsOf(workspace, owner),
    repeats: factsOf(workspace, owner),
  };
  const found = find(view, query, { limit, now: deps.clock(), ...(threshold !== undefined && { threshold }) });
  const hits = await hydrate(workspace, owner, found.hits, (hit) => partitions[hit.partition]!.span(hit.doc));
  return sorted(hits);
}

/** By kind, best first, equal scores by URI (ruling Q4). */
function sorted(hits: MatchedContext[]): FindResult {
  hits.sort((a, b) => b.score - a.score || (a.uri < b.uri ? -1 : 1));
  const of = (kind: MatchedContext["contextType"]) => hits.filter((hit) => hit.contextType === kind);
  return { memories: of("memory"), resources: of("resource"), skills: of("skill"), total: hits.length };
}
