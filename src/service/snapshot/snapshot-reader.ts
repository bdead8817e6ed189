import { EventLoopYielder } from "../../base/event-loop.ts";
import { includes } from "../../domain/access.ts";
import { notFound } from "../../domain/errors.ts";
import type { Entry, NodeId, NodeKind } from "../../domain/node.ts";
import { isInMemories, isVisible } from "../../domain/scope.ts";
import type { Path } from "../../domain/uri.ts";
import type { KvPages } from "../../storage/kv.ts";
import { NODE_RECORDS } from "../../workspace/records.ts";
import type { EntryOfSnapshot, SnapshotRoot } from "../../workspace/snapshots/records.ts";
import { NOW, SnapshotTree } from "../../workspace/snapshots/snapshot-tree.ts";
import type { Snapshot } from "../../workspace/snapshots/snapshots.ts";
import { locate, SHARED } from "../../workspace/tree/locate.ts";
import type { Tenant } from "../tenants.ts";

/** A file or folder of a snapshot, or of the present. */
export interface SnapshotPlace {
  readonly path: Path;
  readonly node: NodeId;
  readonly kind: NodeKind;
  /** Absent for the root of a snapshot. */
  readonly entry?: EntryOfSnapshot | Entry;
  readonly tree: SnapshotTree;
  /** Whether the node is still at this path, so that the rules for the path are those for the node. */
  readonly isInPlace: boolean;
}

/**
 * The tree of a snapshot, or of the present, as far as a caller may read it today: both the path of that time
 * and the place where the node is now. Generated files, memories and sessions are left out.
 */
export class SnapshotReader {
  readonly #tenant: Tenant;
  readonly #kv: KvPages;
  readonly #snapshot: Snapshot | undefined;
  readonly #yielder: EventLoopYielder;
  readonly #signal: AbortSignal;

  /** `kv`: one snapshot of the store for consistent reads. `snapshot`: undefined for the present. */
  constructor(tenant: Tenant, kv: KvPages, snapshot: Snapshot | undefined, signal: AbortSignal) {
    this.#tenant = tenant;
    this.#kv = kv;
    this.#snapshot = snapshot;
    this.#yielder = new EventLoopYielder(tenant.workspace.incarnation);
    this.#signal = signal;
  }

  /** What a path stands for: itself, or above the roots of a snapshot these roots. */
  startsOf(path: Path): Path[] {
    const roots = this.#roots().map((root) => root.path);
    if (roots.some((root) => isAtOrBelow(path, root))) return [path];
    return roots.filter((root) => isAtOrBelow(root, path));
  }

  /** Undefined if nothing was there, or the caller may not read it. */
  async find(path: Path): Promise<SnapshotPlace | undefined> {
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
      place = inner;
    }
    return place;
  }

  /** Like `find`, but throws NOT_FOUND. */
  async mustFind(path: Path): Promise<SnapshotPlace> {
    const found = await this.find(path);
    if (!found) throw notFound("resource", this.#tenant.workspace.uris.format(path));
    return found;
  }

  /** What is in a folder, sorted by name. `from`: continue at this name, which is included. */
  async *children(place: SnapshotPlace, from?: string): AsyncGenerator<SnapshotPlace> {
    for await (const [name, entry] of place.tree.children(place.node, from)) {
      this.#signal.throwIfAborted();
      await this.#yielder.yieldIfDue();
      if (entry.source !== undefined) continue;
      const inner = this.#inner(place, name, entry);
      if (!isInMemories(inner.path) && this.#isSeen(inner)) yield inner;
    }
  }

  #roots(): readonly (SnapshotRoot & { readonly number: number })[] {
    const { user } = this.#tenant.owner;
    const parts = this.#snapshot?.parts.filter(({ owner }) => owner === user || owner === SHARED) ?? [];
    return parts.flatMap(({ number, roots }) => roots.map((root) => ({ ...root, number })));
  }

  #rootOf(path: Path): SnapshotPlace | undefined {
    const above = this.#roots().filter((one) => isAtOrBelow(path, one.path));
    const root = above.reduce<(typeof above)[number] | undefined>(
      (best, one) => (best && best.path.length >= one.path.length ? best : one),
      undefined,
    );
    if (!root) return undefined;
    const { workspace } = this.#tenant;
    return {
      path: root.path,
      node: root.node,
      kind: "directory",
      tree: new SnapshotTree(this.#kv, workspace.keys, root.number),
      isInPlace: workspace.pathOf(root.node)?.join("/") === root.path.join("/"),
    };
  }

  #present(path: Path): SnapshotPlace | undefined {
    const { workspace, owner } = this.#tenant;
    const found = locate(this.#kv, workspace.keys, owner, path);
    if (!found || found.node === 0) return undefined;
    const { node, kind, entry } = found;
    const tree = new SnapshotTree(this.#kv, workspace.keys, NOW);
    return { path, node, kind, tree, isInPlace: true, ...(entry && { entry }) };
  }

  #inner(above: SnapshotPlace, name: string, entry: EntryOfSnapshot | Entry): SnapshotPlace {
    const { workspace } = this.#tenant;
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

  #isSeen({ path, node, kind, isInPlace }: SnapshotPlace): boolean {
    const { workspace, owner } = this.#tenant;
    const { access } = owner;
    const wanted = kind === "directory" ? "pass" : "read";
    if (access ? !includes(access.levelPast(path, node), wanted) : !isVisible(owner, path)) return false;
    if (isInPlace) return true;
    // moved since, or in the trash, or gone: where it is now must not be hidden either
    const now = workspace.pathOf(node);
    if (now && isInMemories(now)) return false;
    const of = workspace.partitionOwnerOf(node);
    const isForeign = of !== undefined && of !== SHARED && of !== owner.user;
    if (isForeign && now?.[0] !== "user") return false;
    if (!now) return true;
    return access ? includes(access.levelAt(now), wanted) : isVisible(owner, now);
  }
}

const isAtOrBelow = (path: Path, folder: Path): boolean => folder.every((name, i) => path[i] === name);
