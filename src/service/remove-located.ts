import { lastOf } from "../base/expect.ts";
import type { NodeId } from "../domain/node.ts";
import type { JobQueue } from "../jobs/queue.ts";
import { idKey } from "../storage/key-numbers.ts";
import { moveToTrash, type Trashing } from "../workspace/trash/trash.ts";
import { entryOf, type Located, type Owner } from "../workspace/tree/locate.ts";
import { derivedOf, unlink } from "../workspace/tree/tree.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { WorkspaceDraft } from "../workspace/workspace-draft.ts";
import { enqueueLayersAndPurges } from "./after-change.ts";

/** Public id of a trash item, unique across accounts. */
export const trashIdOf = ({ incarnation }: Pick<Workspace, "incarnation">, item: NodeId): string =>
  `${idKey(incarnation)}${idKey(item)}`;

/** Result of a removal; read it only after the transaction is applied. */
export interface Removed {
  /** Number of visible files and directories removed. */
  readonly deleted: number;
  /** The trash item that contains them; absent if they were removed permanently. */
  readonly trashId?: string;
}

interface Removal {
  readonly owner: Owner;
  readonly isPermanent?: boolean;
}

/**
 * Removes a file or directory of any size, to the trash or permanently. Records of permanently removed nodes
 * are purged in the background.
 */
export function removeLocated(
  draft: WorkspaceDraft,
  queue: JobQueue,
  workspace: Workspace,
  located: Located,
  removal: Removal,
): () => Removed {
  const { cleanup, count } = takeOutLocated(draft, workspace, located, removal);
  let deleted = 0;
  // counted before the transaction is applied, which removes the nodes from the table
  draft.onDurable(() => {
    deleted = count();
  });
  enqueueLayersAndPurges(draft, queue, workspace, cleanup);
  return () => ({ deleted, ...trashIdIn(workspace, cleanup) });
}

/**
 * Removes a file or directory without enqueuing the follow-up work. `count` returns the number of visible
 * files and directories that are removed; it is exact while all earlier transactions, but not this one, are
 * applied.
 */
export function takeOutLocated(
  draft: WorkspaceDraft,
  workspace: Workspace,
  located: Located,
  { owner, isPermanent = false }: Removal,
): { readonly cleanup: Trashing; readonly count: () => number } {
  const entry = entryOf(located);
  const { path, directory } = located;
  const derived = derivedOf(draft, entry).map((one) => one.entry.node);
  const place = { directory, name: lastOf(path), entry, path };
  const cleanup: Trashing = isPermanent
    ? unlink(draft, workspace, directory, place.name, entry)
    : moveToTrash(draft, workspace, owner, place, "remove");
  const { table } = workspace;
  const count = () =>
    derived.reduce((sum, node) => sum + table.visibleCount(node), 1 + table.below(entry.node));
  return { cleanup, count };
}

export const trashIdIn = (workspace: Workspace, { item }: Trashing): Pick<Removed, "trashId"> =>
  item === undefined ? {} : { trashId: trashIdOf(workspace, item) };
