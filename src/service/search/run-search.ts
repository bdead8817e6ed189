import { EventLoopYielder } from "../../base/event-loop.ts";
import { itemAt } from "../../base/expect.ts";
import type { Trace } from "../../base/trace.ts";
import { AGENTS, type Entry, type NodeId, RESOURCES, SKILLS } from "../../domain/node.ts";
import type { ContextType } from "../../domain/scope.ts";
import { analyseQuery, namedWords } from "../../domain/text/analyse.ts";
import { languageOf } from "../../domain/text/languages.ts";
import type { Path } from "../../domain/uri.ts";
import type { SearchableSegment } from "../../index/searchable.ts";
import { eventsDirectoryOf, isFactNode } from "../../memory/memory-nodes.ts";
import type { Adviser } from "../../providers/language.ts";
import type { Reranker } from "../../providers/rerank.ts";
import { askNeighbours, reasonToScanAll } from "../../retrieve/ask-neighbours.ts";
import { askedOfPassage } from "../../retrieve/choose-passage.ts";
import { documentLookup } from "../../retrieve/documents.ts";
import { explainSearch, type SearchExplanation } from "../../retrieve/explain.ts";
import { findHits } from "../../retrieve/find-hits.ts";
import { type Hydrated, hydrate, type MatchedContext, type Showing } from "../../retrieve/hydrate.ts";
import { distinctSteps } from "../../retrieve/near-duplicates.ts";
import type { PassageCache } from "../../retrieve/passage-cache.ts";
import { findPhraseMatches } from "../../retrieve/phrase-matches.ts";
import type { QueryVectors } from "../../retrieve/query-vectors.ts";
import { RERANKED_HITS, rerank } from "../../retrieve/rerank.ts";
import type { Found, SearchScratch, SearchView } from "../../retrieve/view.ts";
import type { Owner } from "../../workspace/tree/locate.ts";
import { ownUri } from "../../workspace/tree/own-path.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenant, Tenants } from "../tenants.ts";
import { type FilterMasks, filterMasksFor } from "./filter-masks.ts";
import type { ParsedQuery } from "./parsed-query.ts";
import type { PatternWorkers } from "./pattern-workers.ts";
import type { SearchScope } from "./scope.ts";
import { bothMasks, type TimeAndOriginLimits, timeAndOriginLimits } from "./time-and-origin-masks.ts";

export interface SearchDeps {
  readonly tenants: Tenants;
  readonly queryVectors: QueryVectors;
  readonly passages: PassageCache;
  readonly searchScratch: SearchScratch;
  readonly clock: () => number;
  readonly trace: Trace;
  /** Plans searches; undefined without a language model. */
  readonly adviser: Adviser | undefined;
  readonly patterns: PatternWorkers;
  /** Undefined if no reranking model is configured. */
  readonly reranker: Reranker | undefined;
}

/** Additional hits that replace near-duplicates. */
const SPARE_HITS = 10;

export interface Searched {
  /** Number of hits before quotas are applied. */
  readonly ranked: number;
  /** Best first; equal scores in any order. */
  readonly hits: MatchedContext[];
  explain(): SearchExplanation;
}

/**
 * Runs one query over a non-empty scope. Statistics cover the whole scope even if only one `type` is
 * searched, so that scores of different types are comparable.
 */
export async function runSearch(
  deps: SearchDeps,
  call: ServiceCall,
  tenant: Tenant,
  scope: SearchScope,
  parsed: ParsedQuery,
  type?: ContextType,
): Promise<Searched> {
  const { workspace, owner } = tenant;
  const { filter } = parsed;
  const { reranker } = deps;
  const language = languageOf(parsed.query);
  // a reranker gets more hits than requested, and the threshold applies to its scores
  const limit = reranker ? Math.max(parsed.limit, RERANKED_HITS) : parsed.limit;
  const threshold = reranker ? undefined : parsed.threshold;
  const all = nodesOf(scope);
  const asked = type === undefined ? all : nodesOf(scope, type);
  const visible = workspace.index.partitionsOf(scope.owners);
  const admission = timeAndOriginLimits(workspace, parsed.conditions);
  const filterMasks = await masksFor(deps, call, tenant, scope, { filter, admission, type });
  const load = (): Promise<readonly SearchableSegment[]> =>
    deps.trace.step("load index", {}, async () => workspace.index.loadSegments(visible));
  const masks = () => {
    const mask = workspace.table.mask(asked, scope.limits);
    return {
      nodes: workspace.table,
      scope: workspace.table.mask(all, scope.limits),
      filterMasks: filterMasks ?? ([mask, mask, mask] as const),
    };
  };
  let loaded = await load();
  const held = new Set(loaded.flatMap(({ vectors }) => [...vectors.keys()]));
  const embedding = deps.trace.step("embed query", {}, () =>
    deps.queryVectors.embedWithinLimit(parsed.query, held, call.signal, workspace.incarnation),
  );
  // read candidates for phrase matches while a model works
  const terms = analyseQuery(parsed.query, { language });
  const matching = deps.trace.step("find phrase matches", {}, () =>
    findPhraseMatches(
      workspace,
      { ...masks(), segments: loaded },
      { text: parsed.query, terms },
      call.signal,
    ),
  );
  const [embedded, phraseMatches] = await Promise.all([embedding, matching]);
  const query = { terms, ...embedded };
  const breadth = {
    nodes: workspace.table,
    scope: () => workspace.table.mask(all, scope.limits),
    limit,
    isFiltered: filterMasks !== undefined || asked.length < all.length,
  };
  const nearest = await deps.trace.step("ask neighbours", {}, () => askNeighbours(loaded, query, breadth));
  // a search has several queries: start each in a new turn of the event loop
  await new EventLoopYielder(workspace.incarnation).yieldIfDue();
  // a segment may have been evicted since it was loaded
  if (!workspace.index.loadedSegments(visible)) loaded = await load();
  // in the same event-loop turn as the masks: later chunks may be in other segments
  const segments = workspace.index.loadedSegments(visible) ?? loaded;
  const view: SearchView = {
    ...masks(),
    targets: [...scope.targets],
    segments,
    nearest,
    isBroad: reasonToScanAll(breadth) === undefined,
    phraseMatches,
    conversations: eventsDirectoryOf(workspace, owner),
    isRepeating: isFactNode(workspace, owner),
    documentOf: documentLookup(workspace),
  };
  const { found, ranked, hydrated } = await deps.trace.step(
    "search",
    { spaces: query.vectors.size, missed: query.missed.length },
    async (span) => {
      const options = {
        limit,
        spare: SPARE_HITS,
        now: deps.clock(),
        scratch: deps.searchScratch,
        ...(threshold !== undefined && { threshold }),
      };
      const best = findHits(view, query, options);
      const found = parsed.quotas ? withinQuotas(best, workspace.table, parsed.quotas) : best;
      span.tell({ documents: found.trace.documents, hits: found.hits.length });
      const spanOf: Showing["spanOf"] = ({ segment, doc }) => itemAt(segments, segment).span(doc);
      const showing = {
        spanOf,
        named: namedWords(parsed.query, { language }),
        asked: askedOfPassage(parsed.query, found.weights),
        passages: deps.passages,
        isExplained: parsed.isExplained,
        narrow: admission && ((path: Path, entry: Entry) => admission.narrow(path, entry)),
      };
      const texts = () => hydrateDistinct(workspace, owner, found, showing, limit);
      return { found, ranked: best.hits.length, hydrated: await deps.trace.step("read hits", {}, texts) };
    },
  );
  const asking = { workspace: workspace.incarnation, signal: call.signal };
  const { hits, reranked } = reranker
    ? await deps.trace.step("rerank", {}, () => rerank(reranker, parsed.query, hydrated, asking))
    : { hits: hydrated.map(({ context }) => context), reranked: 0 };
  const paths = new Map<NodeId, Path>();
  const about = {
    query: parsed.query,
    filtered: filterMasks !== undefined,
    reranked,
    uriOf: (node: NodeId) => ownUri(workspace, owner, node, paths),
  };
  return {
    ranked,
    hits: reranker
      ? hits
          .filter(({ score }) => parsed.threshold === undefined || score > parsed.threshold)
          .slice(0, parsed.limit)
      : hits,
    // not a getter: each would create a hidden class that retains the whole search
    explain: () => explainSearch(found.trace, about),
  };
}

/** Masks for filter and conditions, applied before the ranking; undefined without either. */
async function masksFor(
  deps: SearchDeps,
  call: ServiceCall,
  tenant: Tenant,
  scope: SearchScope,
  {
    filter,
    admission,
    type,
  }: Pick<ParsedQuery, "filter"> & {
    readonly admission: TimeAndOriginLimits | undefined;
    readonly type: ContextType | undefined;
  },
): Promise<FilterMasks | undefined> {
  if (!filter && !admission) return undefined;
  const { table, incarnation } = tenant.workspace;
  const mask = table.mask(nodesOf(scope, type), scope.limits);
  const admitted =
    admission && (await admission.masks(mask, table.mask(nodesOf(scope, "memory"), scope.limits)));
  if (!filter) return admitted;
  const task = deps.patterns.begin(incarnation, call.signal, "filter");
  const filtered = await filterMasksFor(tenant, mask, filter, task);
  return admitted ? bothMasks(filtered, admitted) : filtered;
}

/**
 * Loads the texts of the best hits and merges near-duplicates; spare hits are loaded only if some are merged.
 */
async function hydrateDistinct(
  workspace: Workspace,
  owner: Owner,
  found: Pick<Found, "hits" | "spare">,
  showing: Showing,
  limit: number,
): Promise<Hydrated[]> {
  const yielder = new EventLoopYielder(workspace.incarnation);
  const best = await hydrate(workspace, owner, found.hits, showing);
  const { distinct, repeating } = await yielder.through(distinctSteps(best, limit));
  if (found.spare.length === 0 || repeating.length === 0) return [...distinct, ...repeating];
  const spare = await hydrate(workspace, owner, found.spare, showing);
  const all = await yielder.through(distinctSteps([...best, ...spare], limit));
  return [...all.distinct, ...all.repeating].slice(0, limit);
}

/** The best hits of each kind within its quota. */
function withinQuotas(
  found: Found,
  { parent }: { readonly parent: Int32Array },
  quotas: Readonly<Record<ContextType, number>>,
): Found {
  const left = { ...quotas };
  const kindOf = (node: NodeId): ContextType => {
    let at: number = node;
    while (at > AGENTS) at = parent[at] ?? 0;
    if (at === RESOURCES) return "resource";
    return at === SKILLS ? "skill" : "memory";
  };
  return { ...found, hits: found.hits.filter(({ node }) => left[kindOf(node)]-- > 0), spare: [] };
}

const nodesOf = ({ roots }: SearchScope, type?: ContextType): NodeId[] =>
  roots.filter((root) => type === undefined || root.type === type).map(({ node }) => node);

export interface FindResult {
  memories: MatchedContext[];
  resources: MatchedContext[];
  skills: MatchedContext[];
  total: number;
}

/** Groups hits by kind, best first; equal scores by URI. */
export function byKind(hits: readonly MatchedContext[]): FindResult {
  const ordered = [...hits].sort(bestFirst);
  const of = (kind: ContextType) => ordered.filter((hit) => hit.contextType === kind);
  return { memories: of("memory"), resources: of("resource"), skills: of("skill"), total: ordered.length };
}

export const bestFirst = (a: MatchedContext, b: MatchedContext): number =>
  b.score - a.score || (a.uri < b.uri ? -1 : 1);
