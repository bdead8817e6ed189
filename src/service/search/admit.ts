import { Stretch } from "../../base/stretch.ts";
import type { Filter, FilterSubject } from "../../domain/filter.ts";
import { hasPattern, matches } from "../../domain/filter.ts";
import type { Entry, NodeId } from "../../domain/node.ts";
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
  // patterns take so long that the turns are counted by time
  const stretch = hasPattern(filter) ? new Stretch() : undefined;
  let looked = 0;
  for (let node = 1; node < scope.length; node++) {
    if (!scope[node]) continue;
    if (stretch) await stretch.rest();
    else if (++looked % NODES_PER_TURN === 0) await new Promise((resolve) => setImmediate(resolve));
    const levels = workspace.table.isDirectory[node] ? ([0, 1] as const) : ([2] as const);
    for (const level of levels) if (matches(filter, new Subject(workspace, node, level, paths))) admitted[level][node] = 1;
  }
  return admitted;
}

/** What a filter asks of a node, read where it asks. */
class Subject implements FilterSubject {
  readonly level: 0 | 1 | 2;
  readonly tags: readonly string[] = [];
  readonly active_count: number;
  readonly updated_at: number;
  readonly #workspace: Workspace;
  readonly #node: NodeId;
  readonly #paths: Map<NodeId, Path>;
  #entry: { readonly found: Entry | undefined } | undefined;

  /** `paths` keeps what was worked out for other nodes. */
  constructor(workspace: Workspace, node: NodeId, level: 0 | 1 | 2, paths: Map<NodeId, Path>) {
    this.level = level;
    this.active_count = workspace.table.activeCount[node] ?? 0;
    this.updated_at = workspace.table.updatedAt[node] ?? 0;
    this.#workspace = workspace;
    this.#node = node;
    this.#paths = paths;
  }

  get uri(): string {
    return `${this.#workspace.uris.format(this.#path())}${SUFFIXES[this.level]}`;
  }

  get name(): string {
    return this.#path().at(-1) ?? "";
  }

  get context_type(): string {
    return contextTypeOf(this.#path());
  }

  get category(): string {
    return categoryOf(this.#path());
  }

  get created_at(): number {
    return this.#read()?.created ?? 0;
  }

  get mime(): string {
    return this.#read()?.mime ?? "";
  }

  #path(): Path {
    return this.#workspace.pathOf(this.#node, this.#paths) ?? [];
  }

  #read(): Entry | undefined {
    this.#entry ??= { found: this.#workspace.entryOf(this.#node)?.entry };
    return this.#entry.found;
  }
}
