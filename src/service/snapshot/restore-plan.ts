import { ServiceError } from "../../domain/errors.ts";
import type { Entry, NodeId } from "../../domain/node.ts";
import { isProtected } from "../../domain/scope.ts";
import type { Path } from "../../domain/uri.ts";
import type { KvPages } from "../../storage/kv.ts";
import type { EntryOfSnapshot } from "../../workspace/snapshots/records.ts";
import { type SnapshotPlace, SnapshotReader } from "../../workspace/snapshots/snapshot-reader.ts";
import type { Snapshot } from "../../workspace/snapshots/snapshots.ts";
import { locate } from "../../workspace/tree/locate.ts";
import type { Tenant } from "../tenants.ts";
import { treeDifferences } from "./tree-differences.ts";

/** Maximum number of changes per restore, because they share one transaction. */
export const MAX_RESTORED = 20_000;

export interface RestoredFile {
  readonly path: Path;
  readonly entry: EntryOfSnapshot | Entry;
  /** The current file at the path, which gets a new version. */
  readonly now: SnapshotPlace | undefined;
}

/** Changes that a restore makes. */
export interface RestorePlan {
  readonly files: RestoredFile[];
  readonly folders: SnapshotPlace[];
  /**
   * Nodes to move to the trash with everything below: they were added since the snapshot, or occupy the path
   * of a restored node.
   */
  readonly added: { readonly start: Path; readonly place: SnapshotPlace }[];
  /** Folders that contained what is restored; other nodes may be at their paths now. */
  readonly former: { readonly path: Path; readonly node: NodeId }[];
  readonly bytes: number;
  /** Number of files that cannot be restored, because they were moved into memories and forgotten there. */
  readonly lost: number;
}

export const changesOf = ({ files, folders, added }: RestorePlan): number =>
  files.length + folders.length + added.length;

/**
 * Compares a path of a snapshot with the current tree. Throws NOT_FOUND if the snapshot does not contain it.
 */
export async function planRestore(
  tenant: Tenant,
  kv: KvPages,
  snapshot: Snapshot,
  path: Path,
  keepAdded: boolean,
  signal: AbortSignal,
): Promise<RestorePlan> {
  const before = new SnapshotReader(tenant, kv, snapshot, signal);
  const after = new SnapshotReader(tenant, kv, undefined, signal);
  const plan = { files: [], folders: [], added: [], former: [], bytes: 0, lost: 0 };
  const planner = new Planner(tenant, kv, before, plan);
  const starts = before.startsOf(path);
  if (starts.length < 2) await before.mustFind(path);
  for (const start of starts) {
    await planner.bringAbove(start);
    for await (const one of treeDifferences({ before, after }, start)) {
      // a node that occupies a path must go even if added nodes are kept
      if (one.after && one.before?.kind !== one.after.kind && (one.before || !keepAdded))
        planner.remove(start, one.after);
      if (one.before) await planner.bring(one.before, one.after);
    }
  }
  return plan;
}

class Planner {
  readonly #tenant: Tenant;
  readonly #kv: KvPages;
  readonly #reader: SnapshotReader;
  readonly #plan: { -readonly [K in keyof RestorePlan]: RestorePlan[K] };
  /** Paths of the folders in `folders` and `former`. */
  readonly #noted = new Set<string>();

  constructor(tenant: Tenant, kv: KvPages, reader: SnapshotReader, plan: RestorePlan) {
    this.#tenant = tenant;
    this.#kv = kv;
    this.#reader = reader;
    this.#plan = plan;
  }

  remove(start: Path, place: SnapshotPlace): void {
    // the server creates folders such as a user's space by itself
    if (isProtected(place.path) || !place.entry) return;
    this.#plan.added.push({ start, place });
    this.#checkSize();
  }

  /** Plans the folders of the snapshot that are missing above a path, so that they keep their grants. */
  async bringAbove(path: Path): Promise<void> {
    const { workspace, owner } = this.#tenant;
    for (let depth = 1; depth < path.length; depth++) {
      const above = path.slice(0, depth);
      if (locate(this.#kv, workspace.keys, owner, above)) continue;
      const place = await this.#reader.find(above);
      if (place) await this.#addFolder(place);
    }
  }

  async #addFolder(place: SnapshotPlace): Promise<void> {
    await this.#noteAbove(place.path);
    this.#noted.add(place.path.join("/"));
    this.#plan.folders.push(place);
  }

  /**
   * Adds the folders that contained a path, including those above the snapshot: a folder created at such a
   * path since then, or by the restore, has none of their grants.
   */
  async #noteAbove(path: Path): Promise<void> {
    for (let depth = path.length - 1; depth > 0; depth--) {
      const above = path.slice(0, depth);
      const key = above.join("/");
      // those above it were added with it
      if (this.#noted.has(key)) return;
      this.#noted.add(key);
      const node = (await this.#reader.find(above))?.node ?? this.#reader.formerAbove(above);
      if (node !== undefined) this.#plan.former.push({ path: above, node });
    }
  }

  /** Plans a file, or a folder with everything below. */
  async bring(place: SnapshotPlace, now: SnapshotPlace | undefined): Promise<void> {
    const { path, kind, entry } = place;
    if (kind === "directory") {
      await this.#addFolder(place);
      this.#checkSize();
      for await (const inner of this.#reader.children(place)) await this.bring(inner, undefined);
      return;
    }
    if (!entry) return;
    const { keys } = this.#tenant.workspace;
    if (!this.#kv.get(keys.content(entry.node, entry.generation))) {
      this.#plan.lost++;
      return;
    }
    await this.#noteAbove(path);
    this.#plan.files.push({ path, entry, now: now?.kind === "file" ? now : undefined });
    this.#plan.bytes += entry.size;
    this.#checkSize();
  }

  #checkSize(): void {
    if (changesOf(this.#plan) <= MAX_RESTORED) return;
    const reason = `more than ${MAX_RESTORED} files and folders differ: restore one folder after the other, with uri`;
    throw new ServiceError("RESOURCE_EXHAUSTED", `the restore is too large: ${reason}`, {
      resource: "changes",
      reason,
      limit: MAX_RESTORED,
    });
  }
}
