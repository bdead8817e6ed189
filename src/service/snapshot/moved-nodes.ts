import { EventLoopYielder } from "../../base/event-loop.ts";
import type { NodeId } from "../../domain/node.ts";
import { isAtOrInside, type Path } from "../../domain/uri.ts";
import type { SnapshotPlace, SnapshotReader } from "../../workspace/snapshots/snapshot-reader.ts";

/** Two states of a tree to compare. */
export interface States {
  readonly before: SnapshotReader;
  readonly after: SnapshotReader;
}

/** A node in both states. */
export interface NodeMove {
  readonly was: SnapshotPlace;
  readonly is: SnapshotPlace;
}

/**
 * Nodes that were moved between two states, within the compared paths. Both paths of a node agree: if it does
 * not count as moved at its new path, it does not at its former path either.
 */
export class MovedNodes {
  readonly #states: States;
  readonly #starts: readonly Path[];
  readonly #known = new Map<NodeId, NodeMove | undefined>();
  /**
   * Nodes whose new paths are being checked. Each counts as moved meanwhile, so that nodes that swapped paths
   * do.
   */
  readonly #deciding = new Set<NodeId>();
  /**
   * Nodes of `#deciding` on which another decision relies; if they are not moved, that decision is revoked.
   */
  readonly #assumed = new Set<NodeId>();
  readonly #decided: NodeId[] = [];
  #holders: Promise<ReadonlySet<NodeId>> | undefined;

  /** `starts`: the paths that are compared, with everything below. */
  constructor(states: States, starts: readonly Path[]) {
    this.#states = states;
    this.#starts = starts;
  }

  /** The move of the node at this path of the earlier state to another one; undefined if it was not moved. */
  async from(place: SnapshotPlace): Promise<NodeMove | undefined> {
    const move = await this.#of(place.node);
    return move && isSamePath(move.was.path, place.path) ? move : undefined;
  }

  /** The move of the node at this path of the later state from another one; undefined if it was not moved. */
  async to(place: SnapshotPlace): Promise<NodeMove | undefined> {
    const move = await this.#of(place.node);
    return move && isSamePath(move.is.path, place.path) ? move : undefined;
  }

  /** Whether a folder of the later state may contain moved entries. */
  async isHolder(node: NodeId): Promise<boolean> {
    this.#holders ??= this.#readHolders();
    return (await this.#holders).has(node);
  }

  async #of(node: NodeId): Promise<NodeMove | undefined> {
    if (this.#known.has(node)) {
      if (this.#deciding.has(node)) this.#assumed.add(node);
      return this.#known.get(node);
    }
    const move = await this.#ends(node);
    this.#known.set(node, move);
    if (!move) return undefined;
    this.#deciding.add(node);
    const earlier = this.#decided.length;
    const isFree = await this.#isFree(move.is.path);
    this.#deciding.delete(node);
    this.#decided.push(node);
    if (isFree) return move;
    const isAssumed = this.#assumed.delete(node);
    for (const other of isAssumed ? this.#decided.slice(earlier) : [node]) this.#known.set(other, undefined);
    return undefined;
  }

  /** Where a node was and is, unless only a folder above it was moved. */
  async #ends(node: NodeId): Promise<NodeMove | undefined> {
    const { before, after } = this.#states;
    if (!before.isKept(node)) return undefined;
    const is = await this.#at(after, node);
    const was = is && (await this.#at(before, node));
    if (!was || isSamePath(was.path, is.path)) return undefined;
    const [old, now] = [(await before.places()).of(node), (await after.places()).of(node)];
    if (!old || !now || (old.directory === now.directory && old.name === now.name)) return undefined;
    return { was, is };
  }

  /** Whether a path of the later state has no counterpart in the earlier state. */
  async #isFree(path: Path): Promise<boolean> {
    const folder = await this.#counterpart(path.slice(0, -1));
    return !folder || !(await this.#child(folder, path.at(-1) ?? ""));
  }

  /** A node in one of the states, if it is listed within the paths that are compared. */
  async #at(state: SnapshotReader, node: NodeId): Promise<SnapshotPlace | undefined> {
    const path = await state.pathOf(node);
    if (!path || !this.#starts.some((start) => isAtOrInside(path, start))) return undefined;
    const place = await state.find(path, true);
    return place?.node === node ? place : undefined;
  }

  /** The folder of the earlier state that is compared with the folder at a path of the later state. */
  async #counterpart(path: Path): Promise<SnapshotPlace | undefined> {
    const { before, after } = this.#states;
    if (this.#starts.some((start) => isSamePath(start, path))) return before.find(path);
    // a path above those that are compared
    if (!this.#starts.some((start) => isAtOrInside(path, start))) return undefined;
    const above = await this.#counterpart(path.slice(0, -1));
    const there = above && (await this.#child(above, path.at(-1) ?? ""));
    if (there) return there;
    const place = await after.find(path, true);
    return place && (await this.to(place))?.was;
  }

  /** An entry of a folder of the earlier state, unless it was moved away. */
  async #child(folder: SnapshotPlace, name: string): Promise<SnapshotPlace | undefined> {
    const there = await this.#states.before.find([...folder.path, name], true);
    return there && !(await this.from(there)) ? there : undefined;
  }

  async #readHolders(): Promise<ReadonlySet<NodeId>> {
    const { before, after } = this.#states;
    const [old, now] = [await before.places(), await after.places()];
    const holders = new Set<NodeId>();
    const yielder = new EventLoopYielder();
    for (const left of [old.left, now.left])
      for (const node of left) {
        await yielder.yieldIfDue();
        for (
          let at = now.of(node)?.directory;
          at !== undefined && !holders.has(at);
          at = now.of(at)?.directory
        )
          holders.add(at);
      }
    return holders;
  }
}

const isSamePath = (a: Path, b: Path): boolean => a.length === b.length && isAtOrInside(a, b);
