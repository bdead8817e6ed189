import type { Filter, FilterSubject } from "../../domain/filter.ts";
import { matches } from "../../domain/filter.ts";
import type { NodeId } from "../../domain/node.ts";
import { contextTypeOf } from "../../domain/scope.ts";
import type { Path } from "../../domain/uri.ts";
import { categoryOf } from "../../retrieve/hydrate.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** Nodes looked at between two turns of the event loop. */
const NODES_PER_TURN = 500;
const SUFFIXES = ["/.abstract.md", "/.overview.md", ""] as const;

/** Filters kept for a scope: pages of one list and searches for one purpose ask with the same one. */
const MAX_KEPT_FILTERS = 8;

export type Admitted = readonly [Uint8Array, Uint8Array, Uint8Array];

/** By scope, which another one takes the place of with every change of the tree, then by the filter as it was written. */
const known = new WeakMap<Uint8Array, Map<string, Admitted>>();

/**
 * Applies a filter to everything in scope before anything is ranked, so that `limit: 10` brings 10 where 10 exist. `scope` is a mask of the node table, `written`
 * the filter in text.
 */
export async function admit(workspace: Workspace, scope: Uint8Array, filter: Filter, written: string): Promise<Admitted> {
  const ofScope = known.get(scope) ?? new Map<string, Admitted>();
  known.set(scope, ofScope);
  const before = ofScope.get(written);
  if (before !== undefined) return before;
  const admitted = await admitAll(workspace, scope, filter);
  if (ofScope.size >= MAX_KEPT_FILTERS) ofScope.clear();
  ofScope.set(written, admitted);
  return admitted;
}

async function admitAll(workspace: Workspace, scope: Uint8Array, filter: Filter): Promise<Admitted> {
  const admitted: Admitted = [new Uint8Array(scope.length), new Uint8Array(scope.length), new Uint8Array(scope.length)];
  const paths = new Map<NodeId, Path>();
  let looked = 0;
  for (let node = 1; node < scope.length; node++) {
    if (!scope[node]) continue;
    if (++looked % NODES_PER_TURN === 0) await new Promise((resolve) => setImmediate(resolve));
    const levels = workspace.table.isDirectory[node] ? ([0, 1] as const) : ([2] as const);
    for (const level of levels) if (matches(filter, subjectOf(workspace, node, level, paths))) admitted[level][node] = 1;
  }
  return admitted;
}

/** What a filter asks of a node, read where it asks. */
function subjectOf(workspace: Workspace, node: NodeId, level: 0 | 1 | 2, paths: Map<NodeId, Path>): FilterSubject {
  const entry = lazily(() => workspace.entryOf(node)?.entry);
  const path = (): Path => workspace.pathOf(node, paths) ?? [];
  return {
    level,
    tags: [],
    active_count: workspace.table.activeCount[node] ?? 0,
    updated_at: workspace.table.updatedAt[node] ?? 0,
    get uri() {
      return `${workspace.uris.format(path())}${SUFFIXES[level]}`;
    },
    get name() {
      return path().at(-1) ?? "";
    },
    get context_type() {
      return contextTypeOf(path());
    },
    get category() {
      return categoryOf(path());
    },
    get created_at() {
      return entry()?.created ?? 0;
    },
    get mime() {
      return entry()?.mime ?? "";
    },
  };
}

function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
