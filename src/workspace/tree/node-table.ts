import {
  AGENTS,
  FIRST_FREE_NODE,
  NO_NODE,
  type NodeId,
  nodeId,
  RESOURCES,
  ROOT,
  SESSIONS,
  SKILLS,
  TRASH,
  USERS,
} from "../../domain/node.ts";
import type { Columns } from "../../index/columns.ts";
import { HeldTags, TagTable } from "./tag-table.ts";

const GONE = -2;
const DIRECTORY = 1;
const HIDDEN = 2;
const CODE = 1;
const GROWTH = 2;
/** Maximum number of cached masks; one per frequent caller or target. */
const MAX_MASKS = 16;

/** Columns of the table in a checkpoint file. */
export const NODE_COLUMNS = {
  parent: "i32",
  generation: "u32",
  isDirectory: "u8",
  isCode: "u8",
  source: "u32",
  updatedAt: "f64",
  activeCount: "u32",
  hidden: "u8",
  below: "u32",
  children: "u32",
} as const;

/** Columns of a node; argument of `put`. */
export interface NodeFacts {
  readonly node: NodeId;
  readonly directory: NodeId;
  readonly isDirectory: boolean;
  readonly isHidden: boolean;
  readonly isCode: boolean;
  /** The file that the node is derived from; NO_NODE if none. */
  readonly source: NodeId;
  readonly generation: number;
  /** Unix time in ms. */
  readonly updatedAt: number;
}

/** Restricts a mask to parts of the tree below its roots. */
export interface MaskLimits {
  /** Nodes included with everything below, except below `unreadable` ones. */
  readonly readable: readonly NodeId[];
  readonly unreadable: readonly NodeId[];
  /** Nodes excluded individually; nodes below may be included. */
  readonly single: readonly NodeId[];
}

/**
 * The tree of a workspace in memory, as typed arrays by node id (about 35 bytes per node), derived from the
 * journal. Reachability decides what exists: a node whose ancestors do not lead to the root does not exist,
 * even if it still has records.
 */
export class NodeTable {
  size: number = FIRST_FREE_NODE;
  /** Increases with every change; the key of cached masks and child lists. */
  sequence = 0;
  parent = new Int32Array(64).fill(GONE);
  generation = new Uint32Array(64);
  isDirectory = new Uint8Array(64);
  isCode = new Uint8Array(64);
  updatedAt = new Float64Array(64);
  activeCount = new Uint32Array(64);
  #hidden = new Uint8Array(64);
  #below = new Uint32Array(64);
  #children = new Uint32Array(64);
  #source = new Uint32Array(64);
  readonly #tags = new TagTable();
  readonly #masks = new Map<string, Uint8Array>();
  #masked = 0;

  constructor() {
    for (const node of [ROOT, RESOURCES, SKILLS, USERS, AGENTS, SESSIONS]) {
      this.parent[node] = node === ROOT ? -1 : ROOT;
      this.isDirectory[node] = DIRECTORY;
    }
  }

  /** Memory in bytes. */
  get bytes(): number {
    const columns = Object.values(this.#columns());
    return columns.reduce((sum, column) => sum + column.byteLength, this.#tags.bytes);
  }

  /** A copy of the table. */
  snapshot(): Columns<typeof NODE_COLUMNS> {
    const entries = Object.entries(this.#columns()).map(([name, column]) => [
      name,
      column.slice(0, this.size),
    ]);
    return Object.fromEntries(entries) as Columns<typeof NODE_COLUMNS>;
  }

  /** Restores a `snapshot` into the empty table. */
  restore(columns: Columns<typeof NODE_COLUMNS>): void {
    this.size = columns.parent.length;
    this.parent = columns.parent;
    this.generation = columns.generation;
    this.isDirectory = columns.isDirectory;
    this.isCode = columns.isCode;
    this.updatedAt = columns.updatedAt;
    this.activeCount = columns.activeCount;
    this.#hidden = columns.hidden;
    this.#below = columns.below;
    this.#children = columns.children;
    this.#source = columns.source;
    this.sequence++;
  }

  #columns(): Columns<typeof NODE_COLUMNS> {
    const { parent, generation, isDirectory, isCode, updatedAt, activeCount } = this;
    return {
      parent,
      generation,
      isDirectory,
      isCode,
      updatedAt,
      activeCount,
      hidden: this.#hidden,
      below: this.#below,
      children: this.#children,
      source: this.#source,
    };
  }

  /** Adds or moves a node, or sets its new generation. */
  put(facts: NodeFacts): void {
    const { node } = facts;
    this.#grow(node);
    const wasAttached = this.parent[node] !== GONE;
    const sameplace =
      wasAttached &&
      this.parent[node] === facts.directory &&
      (this.#hidden[node] === HIDDEN) === facts.isHidden;
    if (wasAttached && !sameplace) this.cut(node);
    this.generation[node] = facts.generation;
    this.updatedAt[node] = facts.updatedAt;
    this.isDirectory[node] = facts.isDirectory ? DIRECTORY : 0;
    this.isCode[node] = facts.isCode ? CODE : 0;
    this.#source[node] = facts.source;
    this.#hidden[node] = facts.isHidden ? HIDDEN : 0;
    if (!sameplace) {
      this.parent[node] = facts.directory;
      this.#grow(facts.directory);
      this.#children[facts.directory] = this.children(facts.directory) + 1;
      this.#count(facts.directory, this.visibleCount(node));
    }
    this.sequence++;
  }

  /** Removes a node from its directory. Its subtree stays attached to it and becomes unreachable. */
  cut(node: NodeId): void {
    const directory = this.parent[node];
    if (directory === undefined || directory === GONE) return;
    this.#children[directory] = this.children(nodeId(directory)) - 1;
    this.#count(directory, -this.visibleCount(node));
    this.parent[node] = GONE;
    this.sequence++;
  }

  setUsage(node: NodeId, activeCount: number): void {
    this.#grow(node);
    this.activeCount[node] = activeCount;
    this.sequence++;
  }

  setTags(node: NodeId, tags: readonly string[]): void {
    this.#tags.set(node, tags);
    this.sequence++;
  }

  /** The node's own tags, sorted. */
  tagsOf(node: NodeId): readonly string[] {
    return this.#tags.of(node);
  }

  /** Tags that apply to a node, sorted: its own and those of the folders above, except `hidden` folders. */
  tagsHeldBy(node: NodeId, hidden?: ReadonlySet<NodeId>): readonly string[] {
    return this.#tags.heldBy(node, this, hidden);
  }

  /** Like tagsHeldBy, for many nodes. */
  heldTags(hidden?: ReadonlySet<NodeId>): HeldTags {
    return new HeldTags(this.#tags, this, hidden);
  }

  /** Number of visible files and directories below a directory. */
  below(node: NodeId): number {
    return this.#below[node] ?? 0;
  }

  /** Number of visible nodes in a subtree, its root included; 0 for a hidden node. */
  visibleCount(node: NodeId): number {
    return this.#hidden[node] ? 0 : 1 + this.below(node);
  }

  /** The directory of a node; 0 or less for the root and for nodes outside the tree. */
  parentOf(node: NodeId): NodeId {
    return nodeId(this.#above(node));
  }

  /** The file that a node is derived from; NO_NODE if none. */
  sourceOf(node: NodeId): NodeId {
    return nodeId(this.#source[node] ?? NO_NODE);
  }

  #above(node: number): number {
    return this.parent[node] ?? GONE;
  }

  /** Number of direct children, including hidden ones. */
  children(node: NodeId): number {
    return this.#children[node] ?? 0;
  }

  /** Whether the node is attached to a directory and has this generation. */
  isCurrent(node: number, generation: number): boolean {
    return (
      this.parent[node] !== undefined && this.parent[node] !== GONE && this.generation[node] === generation
    );
  }

  isReachable(node: NodeId): boolean {
    return this.#topOf(node) === ROOT;
  }

  isInTrash(node: NodeId): boolean {
    return this.#topOf(node) === TRASH;
  }

  /** Whether the node is in the tree or the trash, so that jobs process it. */
  isKept(node: NodeId): boolean {
    const top = this.#topOf(node);
    return top === ROOT || top === TRASH;
  }

  #topOf(node: NodeId): number {
    let at: number = node;
    while (at > ROOT && at !== TRASH) at = this.#above(at);
    return at;
  }

  /**
   * By node: 1 if it is one of `roots` or below one and reachable. Nodes under construction or being purged
   * are 0. `limits` excludes more. Cached, so read-only.
   */
  mask(roots: readonly NodeId[], limits?: MaskLimits): Uint8Array {
    if (this.#masked !== this.sequence) this.#masks.clear();
    this.#masked = this.sequence;
    const key = limits ? JSON.stringify([roots, limits]) : roots.join();
    const known = this.#masks.get(key);
    if (known) return known;
    if (this.#masks.size === MAX_MASKS) this.#masks.clear();
    const made = this.#maskOf(roots);
    if (limits) {
      const within = this.#maskOf(limits.readable, limits.unreadable);
      for (let node = 0; node < made.length; node++) made[node] = (made[node] ?? 0) & (within[node] ?? 0);
      for (const node of limits.single) made[node] = 0;
    }
    this.#masks.set(key, made);
    return made;
  }

  #maskOf(roots: readonly NodeId[], without: readonly NodeId[] = []): Uint8Array {
    const UNKNOWN = 0;
    const IN = 1;
    const OUT = 2;
    const state = new Uint8Array(this.size);
    for (const root of roots) if (root > 0 && this.isReachable(root)) state[root] = IN;
    for (const node of without) if (node > 0 && node < this.size) state[node] = OUT;
    if (state[ROOT] === UNKNOWN) state[ROOT] = OUT;
    for (let node = 1; node < this.size; node++) {
      let at = node;
      while (at > 0 && state[at] === UNKNOWN) at = this.#above(at);
      const found = at > 0 && state[at] === IN ? IN : OUT;
      for (let passed = node; passed > 0 && state[passed] === UNKNOWN; passed = this.#above(passed))
        state[passed] = found;
    }
    for (let node = 0; node < this.size; node++) state[node] = state[node] === IN ? 1 : 0;
    return state;
  }

  #count(directory: number, change: number): void {
    if (change === 0) return;
    let at = directory;
    while (at > 0) {
      this.#below[at] = this.below(nodeId(at)) + change;
      if (this.#hidden[at]) return;
      at = this.#above(at);
    }
  }

  #grow(node: number): void {
    if (node >= this.size) this.size = node + 1;
    if (node < this.parent.length) return;
    const length = Math.max(this.parent.length * GROWTH, node + 1);
    const parent = new Int32Array(length).fill(GONE);
    parent.set(this.parent);
    this.parent = parent;
    this.generation = grown(this.generation, new Uint32Array(length));
    this.isDirectory = grown(this.isDirectory, new Uint8Array(length));
    this.isCode = grown(this.isCode, new Uint8Array(length));
    this.updatedAt = grown(this.updatedAt, new Float64Array(length));
    this.activeCount = grown(this.activeCount, new Uint32Array(length));
    this.#hidden = grown(this.#hidden, new Uint8Array(length));
    this.#below = grown(this.#below, new Uint32Array(length));
    this.#children = grown(this.#children, new Uint32Array(length));
    this.#source = grown(this.#source, new Uint32Array(length));
  }
}

function grown<T extends Uint32Array | Uint8Array | Float64Array>(from: T, to: T): T {
  const numbers: ArrayLike<number> = from;
  to.set(numbers);
  return to;
}
