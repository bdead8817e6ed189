import { EventLoopYielder } from "../../base/event-loop.ts";
import { type Entry, type NodeId, nodeId } from "../../domain/node.ts";
import { contextTypeOf } from "../../domain/scope.ts";
import type { Path } from "../../domain/uri.ts";
import { episodeMeta, timesOfEpisode } from "../../memory/episodes/episode-meta.ts";
import { dated, factLayers, type KnownFact, MAX_EDITED_BYTES } from "../../memory/facts/fact-file.ts";
import {
  isAdmitted,
  type MemoryConditions,
  type MemoryTimes,
  timesOfFact,
  wasWithin,
} from "../../memory/facts/validity.ts";
import { categoryAt, factsIn, type MemoryFile } from "../../memory/memory-files.ts";
import type { Narrowed } from "../../retrieve/hydrate.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { isLimiting } from "../time-and-origin.ts";
import type { FilterMasks } from "./filter-masks.ts";

/** Maximum number of cached masks per scope. */
const MAX_KEPT_MASKS = 8;
/** Maximum number of memory files of an account whose times are cached; each takes about 200 bytes. */
const MAX_KEPT_FILES = 50_000;

/** Number of nodes between two checks whether to yield, if no file is read for them. */
const NODES_AT_ONCE = 1024;

/** Masks by scope, which is replaced with every change of the tree, and by conditions. */
const knownMasks = new WeakMap<Uint8Array, Map<string, FilterMasks>>();
/** Times by the unguarded handle of a workspace, of which there is only one. */
const knownTimes = new WeakMap<Workspace, Map<NodeId, KnownTimes>>();

interface KnownTimes {
  /** Content version and path that the times were read from. */
  readonly version: string;
  readonly times: readonly MemoryTimes[] | undefined;
}

/**
 * Restricts a search by time and origin. Memories are judged individually: a fact file is found only by
 * matching facts, and shows no others. Folders of memories are excluded, because their layers summarise all
 * memories. Other files and folders are judged by their modification time.
 */
export class TimeAndOriginLimits {
  readonly #workspace: Workspace;
  readonly #conditions: MemoryConditions;
  readonly #paths = new Map<NodeId, Path>();

  constructor(workspace: Workspace, conditions: MemoryConditions) {
    this.#workspace = workspace;
    this.#conditions = conditions;
  }

  /** The nodes of `scope` that may be hits. `memories`: nodes of the scope that are memories. */
  async masks(scope: Uint8Array, memories: Uint8Array): Promise<FilterMasks> {
    const ofScope = knownMasks.get(scope) ?? new Map<string, FilterMasks>();
    knownMasks.set(scope, ofScope);
    const key = JSON.stringify(this.#conditions);
    const known = ofScope.get(key);
    if (known) return known;
    const made = await this.#masksOf(scope, memories);
    if (ofScope.size >= MAX_KEPT_MASKS) ofScope.clear();
    ofScope.set(key, made);
    return made;
  }

  async #masksOf(scope: Uint8Array, memories: Uint8Array): Promise<FilterMasks> {
    const { table, incarnation } = this.#workspace;
    const yielder = new EventLoopYielder(incarnation);
    const made: FilterMasks = [
      new Uint8Array(scope.length),
      new Uint8Array(scope.length),
      new Uint8Array(scope.length),
    ];
    for (let at = 1; at < scope.length; at++) {
      if (at % NODES_AT_ONCE === 0) await yielder.yieldIfDue();
      if (!scope[at]) continue;
      const isDirectory = table.isDirectory[at] === 1;
      const judged = memories[at]
        ? !isDirectory && this.#isFileAdmitted(nodeId(at))
        : this.#wasChangedWithin(table.updatedAt[at] ?? 0);
      const isIn = typeof judged === "boolean" ? judged : await judged;
      if (isIn) for (const level of isDirectory ? ([0, 1] as const) : ([2] as const)) made[level][at] = 1;
      if (typeof judged !== "boolean") await yielder.yieldIfDue();
    }
    return made;
  }

  /** Whether a memory file has a matching memory. Synchronous if its times are cached. */
  #isFileAdmitted(node: NodeId): boolean | Promise<boolean> {
    const workspace = this.#workspace;
    const path = workspace.pathOf(node, this.#paths);
    if (!path) return false;
    const version = `${workspace.table.generation[node]} ${path.slice(2, -1).join("/")}`;
    const cache = knownTimes.get(workspace.forServer) ?? new Map<NodeId, KnownTimes>();
    knownTimes.set(workspace.forServer, cache);
    const known = cache.get(node);
    if (known?.version === version) return this.#isAnyAdmitted(known.times, node);
    const entry = workspace.entryOf(node)?.entry;
    if (!entry) return false;
    return this.#timesIn(path, entry).then((times) => {
      if (cache.size >= MAX_KEPT_FILES) cache.clear();
      cache.set(node, { version, times });
      return this.#isAnyAdmitted(times, node);
    });
  }

  #isAnyAdmitted(times: readonly MemoryTimes[] | undefined, node: NodeId): boolean {
    if (!times) return this.#wasChangedWithin(this.#workspace.table.updatedAt[node] ?? 0);
    const now = this.#workspace.clock();
    return times.some((one) => isAdmitted(one, this.#conditions, now));
  }

  async #timesIn(path: Path, entry: Entry): Promise<readonly MemoryTimes[] | undefined> {
    const found = await this.#memoriesIn(path, entry);
    return found?.map(({ times }) => times);
  }

  /** The memories in a file; undefined for any other file. */
  async #memoriesIn(
    path: Path,
    entry: Entry,
  ): Promise<readonly { readonly times: MemoryTimes; readonly fact?: KnownFact }[] | undefined> {
    const category = categoryAt(path);
    if (!category) return undefined;
    const place: MemoryFile = { category, path, entry };
    if (category === "events") {
      return [{ times: timesOfEpisode(place, episodeMeta(this.#workspace, place)) }];
    }
    // too long to be read for each search: none of its memories is admitted
    if (entry.size >= MAX_EDITED_BYTES) return [];
    const { file } = await factsIn(this.#workspace, place);
    const facts = [...file.facts, ...file.earlier];
    if (facts.length === 0) return undefined;
    return facts.map((fact) => ({ times: timesOfFact(file, fact, entry.created), fact }));
  }

  #wasChangedWithin(time: number): boolean {
    return wasWithin({ first: time, last: time }, this.#conditions);
  }

  /**
   * The part of a node that matches the conditions; undefined if none. `withSuperseded`: include superseded
   * facts, unless the conditions name a point in time.
   */
  async narrow(path: Path, entry: Entry, withSuperseded = false): Promise<Narrowed | undefined> {
    if (path[0] === "session") return undefined;
    const whole = this.#wasChangedWithin(entry.modified) ? {} : undefined;
    if (contextTypeOf(path) !== "memory") return whole;
    if (entry.kind === "directory") return undefined;
    const memories = await this.#memoriesIn(path, entry);
    if (!memories) return whole;
    const conditions = { ...this.#conditions, withSuperseded };
    const now = this.#workspace.clock();
    const admitted = memories.filter(({ times }) => isAdmitted(times, conditions, now));
    if (admitted.length === 0) return undefined;
    const category = categoryAt(path);
    const facts = admitted.flatMap(({ fact }) => fact ?? []);
    if (!category || category === "events" || category === "cases") return {};
    const { abstract } = factLayers({ category, topic: "", facts, earlier: [] }, "");
    return { text: facts.map(dated).join("\n"), abstract };
  }
}

/** The admission for a search; undefined if its conditions exclude nothing. */
export const timeAndOriginLimits = (
  workspace: Workspace,
  conditions: MemoryConditions | undefined,
): TimeAndOriginLimits | undefined =>
  conditions && isLimiting(conditions) ? new TimeAndOriginLimits(workspace, conditions) : undefined;

/** The intersection of two masks. */
export function bothMasks(a: FilterMasks, b: FilterMasks): FilterMasks {
  const both = (one: Uint8Array, other: Uint8Array) => one.map((admits, at) => admits & (other[at] ?? 0));
  return [both(a[0], b[0]), both(a[1], b[1]), both(a[2], b[2])];
}
