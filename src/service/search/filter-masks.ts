import { EventLoopYielder } from "../../base/event-loop.ts";
import { type FilterSubject, matches } from "../../domain/filter.ts";
import type { WorkspaceId } from "../../domain/ids.ts";
import { type Entry, type NodeId, nodeId } from "../../domain/node.ts";
import { MAX_STEPS_AT_ONCE } from "../../domain/patterns/regular-expression.ts";
import { contextTypeOf } from "../../domain/scope.ts";
import { type TagVerdict, tagVerdict } from "../../domain/tag-filter.ts";
import type { Path } from "../../domain/uri.ts";
import { categoryOf } from "../../retrieve/hydrate.ts";
import type { HeldTags } from "../../workspace/tree/tag-table.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Tenant } from "../tenants.ts";
import type { WrittenFilter } from "./parsed-query.ts";
import type { PatternTask } from "./pattern-workers.ts";

/** Steps between two calls of `rest`, in instructions × characters. */
const STEPS_BETWEEN_RESTS = 64 * 1024;
/** Steps charged per node. */
const NODE_STEPS = 100;
/** Steps charged per tag in a list that is evaluated for the first time. */
const TAG_STEPS = 20;
/** Characters searched in a typical subject. */
const CHARACTERS_OF_SUBJECT = 200;
/** Number of subjects sent to a worker together. */
const BATCH_SUBJECTS = 500;
const DIRECTORY_LEVELS = [0, 1] as const;
const FILE_LEVELS = [2] as const;
const SUFFIXES = ["/.abstract.md", "/.overview.md", ""] as const;

/**
 * Maximum number of cached filters per scope: pages of a list, and related searches, repeat the same filter.
 */
const MAX_KEPT_FILTERS = 8;

export type FilterMasks = readonly [Uint8Array, Uint8Array, Uint8Array];

/** Masks by scope, which is replaced with every change of the tree, and by the filter's text. */
const known = new WeakMap<Uint8Array, Map<string, FilterMasks>>();

/**
 * Applies a filter to everything in scope before ranking, so that `limit: 10` returns 10 hits if 10 exist.
 * `scope`: a mask of the node table. A worker applies filters that would block the main thread.
 */
export async function filterMasksFor(
  tenant: Tenant,
  scope: Uint8Array,
  filter: WrittenFilter,
  task: PatternTask,
): Promise<FilterMasks> {
  const ofScope = known.get(scope) ?? new Map<string, FilterMasks>();
  known.set(scope, ofScope);
  const before = ofScope.get(filter.written);
  if (before !== undefined) return before;
  const admitted = await admitAll(tenant, scope, filter, task);
  if (ofScope.size >= MAX_KEPT_FILTERS) ofScope.clear();
  ofScope.set(filter.written, admitted);
  return admitted;
}

async function admitAll(
  { workspace, owner }: Tenant,
  scope: Uint8Array,
  filter: WrittenFilter,
  task: PatternTask,
): Promise<FilterMasks> {
  const { table } = workspace;
  const hidden = owner.access?.passed;
  const admitted: FilterMasks = [
    new Uint8Array(scope.length),
    new Uint8Array(scope.length),
    new Uint8Array(scope.length),
  ];
  const paths = new Map<NodeId, Path>();
  const gauge = new Gauge(filter, task, workspace.incarnation);
  const batch = new Batch(filter, task, admitted);
  const byTags = filter.fields.has("tags")
    ? new TagVerdicts(filter, table.heldTags(hidden), gauge)
    : undefined;
  // await only the work of a worker
  const check = (subject: Subject): Promise<void> | undefined => {
    if (!gauge.isForHere(subject)) return gauge.without(batch.add(subject));
    if (matches(filter.conditions, subject)) admitted[subject.level][subject.node] = 1;
    return undefined;
  };
  for (let at = 1; at < scope.length; at++) {
    if (!scope[at]) continue;
    const node = nodeId(at);
    const levels = table.isDirectory[node] ? DIRECTORY_LEVELS : FILE_LEVELS;
    const verdict = byTags?.of(node) ?? "open";
    if (verdict === "yes") for (const level of levels) admitted[level][node] = 1;
    if (verdict === "open") {
      for (const level of levels) {
        const elsewhere = check(new Subject({ workspace, paths, hidden }, node, level));
        if (elsewhere) await elsewhere;
      }
    }
    if (gauge.isDue) await gauge.rest();
  }
  await batch.flush();
  return admitted;
}

/** Evaluates a filter by tags alone, once per distinct list of tags. */
class TagVerdicts {
  readonly #filter: WrittenFilter;
  readonly #held: HeldTags;
  readonly #gauge: Gauge;
  readonly #known: (TagVerdict | undefined)[] = [];

  constructor(filter: WrittenFilter, held: HeldTags, gauge: Gauge) {
    this.#filter = filter;
    this.#held = held;
    this.#gauge = gauge;
  }

  of(node: NodeId): TagVerdict {
    const number = this.#held.of(node);
    const known = this.#known[number];
    this.#gauge.spend(1);
    if (known !== undefined) return known;
    const tags = this.#held.list(number);
    this.#gauge.spend(NODE_STEPS + tags.length * TAG_STEPS);
    const verdict = tagVerdict(this.#filter.conditions, tags);
    this.#known[number] = verdict;
    return verdict;
  }
}

/** Decides which subjects are filtered on the main thread, and when to yield. */
class Gauge {
  readonly #filter: WrittenFilter;
  readonly #task: PatternTask;
  readonly #yielder: EventLoopYielder;
  #began = performance.now();
  #steps = 0;
  #subjects = 0;

  constructor(filter: WrittenFilter, task: PatternTask, workspace: WorkspaceId) {
    this.#filter = filter;
    this.#task = task;
    this.#yielder = new EventLoopYielder(workspace);
  }

  isForHere(subject: FilterSubject): boolean {
    this.#subjects++;
    const isHere = this.#filter.isReady && !this.#task.isSlow;
    const cost = isHere ? this.#filter.costOf(subject) : 0;
    this.#steps += cost + NODE_STEPS;
    return isHere && cost <= MAX_STEPS_AT_ONCE;
  }

  spend(steps: number): void {
    this.#steps += steps;
  }

  /** Awaits a worker without counting its time. */
  async without(work: Promise<void>): Promise<void> {
    const before = performance.now();
    await work;
    this.#began += performance.now() - before;
  }

  get isDue(): boolean {
    return this.#steps >= STEPS_BETWEEN_RESTS;
  }

  async rest(): Promise<void> {
    this.#task.tookHere(performance.now() - this.#began, this.#subjects * CHARACTERS_OF_SUBJECT);
    this.#steps = 0;
    this.#subjects = 0;
    await this.#yielder.yieldIfDue();
    this.#began = performance.now();
  }
}

/** Subjects to send to a worker. */
class Batch {
  readonly #filter: WrittenFilter;
  readonly #task: PatternTask;
  readonly #admitted: FilterMasks;
  #waiting: { readonly node: NodeId; readonly level: 0 | 1 | 2; readonly plain: Partial<FilterSubject> }[] =
    [];

  constructor(filter: WrittenFilter, task: PatternTask, admitted: FilterMasks) {
    this.#filter = filter;
    this.#task = task;
    this.#admitted = admitted;
  }

  async add(subject: Subject): Promise<void> {
    const plain = Object.fromEntries([...this.#filter.fields].map((field) => [field, subject[field]]));
    this.#waiting.push({ node: subject.node, level: subject.level, plain });
    if (this.#waiting.length === BATCH_SUBJECTS) await this.flush();
  }

  async flush(): Promise<void> {
    if (this.#waiting.length === 0) return;
    const asked = this.#waiting;
    this.#waiting = [];
    const passes = await this.#task.passes(
      this.#filter.written,
      asked.map(({ plain }) => plain),
    );
    for (const [i, { node, level }] of asked.entries()) if (passes[i]) this.#admitted[level][node] = 1;
  }
}

/** Context shared by all subjects of a filter. */
interface Subjects {
  readonly workspace: Workspace;
  /** Cached paths by node. */
  readonly paths: Map<NodeId, Path>;
  /** Folders whose tags the caller may not see. */
  readonly hidden: ReadonlySet<NodeId> | undefined;
}

/** The fields of a node, loaded when the filter reads them. */
class Subject implements FilterSubject {
  readonly node: NodeId;
  readonly level: 0 | 1 | 2;
  readonly active_count: number;
  readonly updated_at: number;
  readonly #workspace: Workspace;
  readonly #paths: Map<NodeId, Path>;
  readonly #hidden: ReadonlySet<NodeId> | undefined;
  #uri: string | undefined;
  #entry: { readonly found: Entry | undefined } | undefined;

  constructor({ workspace, paths, hidden }: Subjects, node: NodeId, level: 0 | 1 | 2) {
    this.node = node;
    this.level = level;
    this.active_count = workspace.table.activeCount[node] ?? 0;
    this.updated_at = workspace.table.updatedAt[node] ?? 0;
    this.#workspace = workspace;
    this.#paths = paths;
    this.#hidden = hidden;
  }

  get uri(): string {
    this.#uri ??= `${this.#workspace.uris.format(this.#path())}${SUFFIXES[this.level]}`;
    return this.#uri;
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

  get tags(): readonly string[] {
    return this.#workspace.table.tagsHeldBy(this.node, this.#hidden);
  }

  get created_at(): number {
    return this.#read()?.created ?? 0;
  }

  get mime(): string {
    return this.#read()?.mime ?? "";
  }

  #path(): Path {
    return this.#workspace.pathOf(this.node, this.#paths) ?? [];
  }

  #read(): Entry | undefined {
    this.#entry ??= { found: this.#workspace.entryOf(this.node)?.entry };
    return this.#entry.found;
  }
}
