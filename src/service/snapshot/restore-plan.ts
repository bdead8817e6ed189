import { ServiceError } from "../../domain/errors.ts";
import type { Entry } from "../../domain/node.ts";
import { isProtected } from "../../domain/scope.ts";
import type { Path } from "../../domain/uri.ts";
import type { KvPages } from "../../storage/kv.ts";
import type { EntryOfSnapshot } from "../../workspace/snapshots/records.ts";
import { type SnapshotPlace, SnapshotReader } from "../../workspace/snapshots/snapshot-reader.ts";
import type { Snapshot } from "../../workspace/snapshots/snapshots.ts";
import type { Tenant } from "../tenants.ts";
import { treeDifferences } from "./tree-differences.ts";

/** Maximum number of changes of a restore, because one transaction makes them. */
export const MAX_RESTORED = 20_000;

/** A file to write as it was. */
export interface RestoredFile {
  readonly path: Path;
  readonly entry: EntryOfSnapshot | Entry;
  /** The file there now, which gets a new version. */
  readonly now: SnapshotPlace | undefined;
}

/** What a restore changes. */
export interface RestorePlan {
  readonly files: RestoredFile[];
  readonly folders: Path[];
  /** Added since the snapshot, or in the way: they go to the trash, with everything below them. */
  readonly added: { readonly start: Path; readonly place: SnapshotPlace }[];
  readonly bytes: number;
  /** Files whose content is in memories now, or was forgotten there. */
  readonly lost: number;
}

export const changesOf = ({ files, folders, added }: RestorePlan): number =>
  files.length + folders.length + added.length;

/** Compares a path of a snapshot with the present. Throws NOT_FOUND if the snapshot does not have it. */
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
  const plan = { files: [], folders: [], added: [], bytes: 0, lost: 0 };
  const planner = new Planner(tenant, kv, before, plan);
  const starts = before.startsOf(path);
  if (starts.length < 2) await before.mustFind(path);
  for (const start of starts)
    for await (const one of treeDifferences({ before, after }, start)) {
      // what is in the way goes even if additions stay
      if (one.after && one.before?.kind !== one.after.kind && (one.before || !keepAdded))
        planner.remove(start, one.after);
      if (one.before) await planner.bring(one.before, one.after);
    }
  return plan;
}

class Planner {
  readonly #tenant: Tenant;
  readonly #kv: KvPages;
  readonly #reader: SnapshotReader;
  readonly #plan: { -readonly [K in keyof RestorePlan]: RestorePlan[K] };

  constructor(tenant: Tenant, kv: KvPages, reader: SnapshotReader, plan: RestorePlan) {
    this.#tenant = tenant;
    this.#kv = kv;
    this.#reader = reader;
    this.#plan = plan;
  }

  remove(start: Path, place: SnapshotPlace): void {
    // folders of the server, such as a user's space
    if (isProtected(place.path) || !place.entry) return;
    this.#plan.added.push({ start, place });
    this.#checkSize();
  }

  /** Plans a file, or a folder with everything in it. */
  async bring(place: SnapshotPlace, now: SnapshotPlace | undefined): Promise<void> {
    const { path, kind, entry } = place;
    if (kind === "directory") {
      this.#plan.folders.push(path);
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
