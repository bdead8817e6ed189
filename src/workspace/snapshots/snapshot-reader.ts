import { EventLoopYielder } from "../../base/event-loop.ts";
import { notFound } from "../../domain/errors.ts";
import type { Entry, NodeId, NodeKind } from "../../domain/node.ts";
import { isInMemories } from "../../domain/scope.ts";
import { isAtOrInside, type Path } from "../../domain/uri.ts";
import type { KvPages } from "../../storage/kv.ts";
import type { FormerPlace } from "../access/owner-access.ts";
import { NODE_RECORDS } from "../records.ts";
import { locate, MAX_DEPTH, SHARED } from "../tree/locate.ts";
import { NodePlaces } from "./node-places.ts";
import type { EntryOfSnapshot, SnapshotRoot } from "./records.ts";
import { NOW, SnapshotTree } from "./snapshot-tree.ts";
import type { Snapshot } from "./snapshots.ts";
import { mayRead, type Viewing } from "./visible-snapshots.ts";

/** A file or folder in a snapshot or in the current tree. */
export interface SnapshotPlace extends FormerPlace {
  readonly kind: NodeKind;
  /** Absent for the root of a snapshot. */
  readonly entry?: EntryOfSnapshot | Entry;
  readonly tree: SnapshotTree;
  /** Whether the node is still at this path, so that access rules of path and node are the same. */
  readonly isInPlace: boolean;
}

/**
 * The tree of a snapshot, or the current tree, restricted to what a caller may read now, at both the former
 * path and the node's current path. Excludes rendered files, memories and sessions.
 */
export class SnapshotReader {
  readonly #viewing: Viewing;
  readonly #kv: KvPages;
  readonly #snapshot: Snapshot | undefined;
  readonly #yielder: EventLoopYielder;
  readonly #signal: AbortSignal;
  #places: Promise<NodePlaces> | undefined;

  /** `kv`: one snapshot of the store, for consistent reads. `snapshot`: undefined for the current tree. */
  constructor(viewing: Viewing, kv: KvPages, snapshot: Snapshot | undefined, signal: AbortSignal) {
    this.#viewing = viewing;
    this.#kv = kv;
    this.#snapshot = snapshot;
    this.#yielder = new EventLoopYielder(viewing.workspace.incarnation);
    this.#signal = signal;
  }

  /**
   * Where to start for a path: at the path itself, or, above the roots of a snapshot, at the roots below it.
   */
  startsOf(path: Path): Path[] {
    const roots = this.#roots().map((root) => root.path);
    if (roots.some((root) => isAtOrInside(path, root))) return [path];
    return roots.filter((root) => isAtOrInside(root, path));
  }

  /**
   * Undefined if the path did not exist, or the caller may not read it. `isListed`: also undefined for nodes
   * that listings omit.
   */
  async find(path: Path, isListed = false): Promise<SnapshotPlace | undefined> {
    if (isInMemories(path) || path[0] === "session") return undefined;
    let place = this.#snapshot ? this.#rootOf(path) : this.#present(path);
    if (!place || !this.#isSeen(place)) return undefined;
    for (const name of path.slice(place.path.length)) {
      const entry: EntryOfSnapshot | Entry | undefined =
        place.kind === "directory" && !place.tree.isLost(place.node)
          ? await place.tree.entry(place.node, name)
          : undefined;
      const inner: SnapshotPlace | undefined = entry && this.#inner(place, name, entry);
      if (!inner || !this.#isSeen(inner)) return undefined;
      if (isListed && inner.entry?.source !== undefined) return undefined;
      place = inner;
    }
    return place;
  }

  /** The folder at a path above the roots of the snapshot; its node may have been moved or removed since. */
  formerAbove(path: Path): NodeId | undefined {
    for (const { path: root, folders } of this.#roots())
      if (folders && root.length > path.length && isAtOrInside(root, path))
        return folders[path.length - (root.length - folders.length)];
    return undefined;
  }

  /** Like `find`, but throws NOT_FOUND. */
  async mustFind(path: Path): Promise<SnapshotPlace> {
    const found = await this.find(path);
    if (!found) throw notFound("resource", this.#viewing.workspace.uris.format(path));
    return found;
  }

  /** The children of a folder, sorted by name. `from`: first name, inclusive. */
  async *children(place: SnapshotPlace, from?: string): AsyncGenerator<SnapshotPlace> {
    for await (const [name, entry] of place.tree.children(place.node, from)) {
      this.#signal.throwIfAborted();
      await this.#yielder.yieldIfDue();
      const inner = this.#shown(place, name, entry);
      if (inner) yield inner;
    }
  }

  /** The places of nodes in this state, read at the first call. */
  places(): Promise<NodePlaces> {
    const [root] = this.#roots();
    const reading = { signal: this.#signal, yielder: this.#yielder };
    this.#places ??= NodePlaces.read(this.#kv, this.#viewing.workspace.keys, root?.number ?? NOW, reading);
    return this.#places;
  }

  /** The path of a node in this state; unchecked, so the caller must look it up there (see NodePlaces). */
  async pathOf(node: NodeId): Promise<Path | undefined> {
    if (!this.#snapshot) return this.#viewing.workspace.pathOf(node);
    const places = await this.places();
    const roots = this.#roots();
    const names: string[] = [];
    for (let at = node; names.length < MAX_DEPTH; ) {
      const root = roots.find((one) => one.node === at);
      if (root) return [...root.path, ...names.reverse()];
      const place = places.of(at);
      if (!place) return undefined;
      names.push(place.name);
      at = place.directory;
    }
    return undefined;
  }

  /** Whether a snapshot keeps anything of a node; if none does, it has not been moved since. */
  isKept(node: NodeId): boolean {
    return this.#kv.get(this.#viewing.workspace.keys.keptNode(node)) !== undefined;
  }

  /** Whether this reads the current tree. */
  get isPresent(): boolean {
    return this.#snapshot === undefined;
  }

  /**
   * The children of a folder in the snapshot and in the current tree, by name, without unchanged files.
   * `after`: the folder in the current tree.
   */
  async *changes(
    place: SnapshotPlace,
    now: SnapshotReader,
    after: SnapshotPlace,
    from?: string,
  ): AsyncGenerator<{ was: SnapshotPlace | undefined; is: SnapshotPlace | undefined }> {
    for await (const { name, was, is } of place.tree.changedChildren(place.node, from)) {
      this.#signal.throwIfAborted();
      await this.#yielder.yieldIfDue();
      const found = { was: this.#shown(place, name, was), is: now.#shown(after, name, is) };
      if (found.was || found.is) yield found;
    }
  }

  #shown(
    above: SnapshotPlace,
    name: string,
    entry: EntryOfSnapshot | Entry | undefined,
  ): SnapshotPlace | undefined {
    if (!entry || entry.source !== undefined) return undefined;
    const inner = this.#inner(above, name, entry);
    return !isInMemories(inner.path) && this.#isSeen(inner) ? inner : undefined;
  }

  #roots(): readonly (SnapshotRoot & { readonly number: number })[] {
    const { user } = this.#viewing.owner;
    const parts = this.#snapshot?.parts.filter(({ owner }) => owner === user || owner === SHARED) ?? [];
    return parts.flatMap(({ number, roots }) => roots.map((root) => ({ ...root, number })));
  }

  #rootOf(path: Path): SnapshotPlace | undefined {
    const above = this.#roots().filter((one) => isAtOrInside(path, one.path));
    const root = above.reduce<(typeof above)[number] | undefined>(
      (best, one) => (best && best.path.length >= one.path.length ? best : one),
      undefined,
    );
    if (!root) return undefined;
    const { workspace } = this.#viewing;
    const { number, ...place } = root;
    return {
      ...place,
      lacksFolders: !place.folders,
      kind: "directory",
      tree: new SnapshotTree(this.#kv, workspace.keys, number),
      isInPlace: workspace.pathOf(root.node)?.join("/") === root.path.join("/"),
    };
  }

  #present(path: Path): SnapshotPlace | undefined {
    const { workspace, owner } = this.#viewing;
    const found = locate(this.#kv, workspace.keys, owner, path);
    if (!found || found.node === 0) return undefined;
    const { node, kind, entry } = found;
    const tree = new SnapshotTree(this.#kv, workspace.keys, NOW);
    return { path, node, kind, tree, isInPlace: true, ...(entry && { entry }) };
  }

  #inner(above: SnapshotPlace, name: string, entry: EntryOfSnapshot | Entry): SnapshotPlace {
    const { workspace } = this.#viewing;
    const now = above.isInPlace
      ? NODE_RECORDS.readShared(this.#kv, workspace.keys.node(entry.node))
      : undefined;
    return {
      path: [...above.path, name],
      node: entry.node,
      kind: entry.kind,
      entry,
      tree: above.tree,
      isInPlace: now?.directory === above.node && now.name === name,
    };
  }

  #isSeen(place: SnapshotPlace): boolean {
    return mayRead(this.#viewing, place);
  }
}
