import { append } from "../../base/append.ts";
import { notFound } from "../../domain/errors.ts";
import { checkWritable } from "../../domain/scope.ts";
import type { Path } from "../../domain/uri.ts";
import { alone } from "../../workspace/access/grants-and-groups.ts";
import { retryConflicts } from "../../workspace/conflict.ts";
import { putBack, returningOf } from "../../workspace/trash/restore.ts";
import { dropItem, type TrashItem } from "../../workspace/trash/trash.ts";
import { checkLengths } from "../../workspace/tree/depth-and-length.ts";
import { locate, partitionOwner } from "../../workspace/tree/locate.ts";
import type { PendingCleanup } from "../../workspace/tree/tree.ts";
import type { WorkspaceDraft } from "../../workspace/workspace-draft.ts";
import { enqueueDirectoryLayers, purgingItems } from "../after-change.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenant } from "../tenants.ts";
import { checkItemWritable, findItem, itemLock, type TrashDeps } from "./visible-trash.ts";

/** Number of nodes above which the transaction is prepared in steps. */
const MAX_AT_ONCE = 64;

interface RestoredTrash {
  trashId: string;
  uri: string;
  restored: number;
  renamed: boolean;
}

interface Order {
  readonly id: string;
  readonly to: Path | undefined;
}

/**
 * POST trash/{trash_id}/restore: restores an item to its original path, or to another one, with relations,
 * versions, usage and vectors. If the path is taken, the item gets a free name beside it.
 */
export async function restoreTrash(
  deps: TrashDeps,
  call: ServiceCall,
  input: { readonly trashId: string; readonly toUri?: string | undefined },
): Promise<RestoredTrash> {
  const tenant = await deps.tenants.openOrCreate(call.caller);
  const { workspace, owner } = tenant;
  const { uris } = workspace;
  const id = input.trashId;
  checkItemWritable(tenant, findItem(workspace.kv, tenant, id));
  const to = input.toUri === undefined ? undefined : uris.parse(input.toUri);
  if (to) checkWritable(owner, to, uris.format(to), "to_uri");
  return workspace.locks.run(itemLock(id), () =>
    retryConflicts(() => restore(deps, call, tenant, { id, to })),
  );
}

async function restore(
  { queue }: TrashDeps,
  call: ServiceCall,
  tenant: Tenant,
  { id, to }: Order,
): Promise<RestoredTrash> {
  const { workspace, owner } = tenant;
  const item = findItem(workspace.kv, tenant, id);
  if (to) await checkLengths(workspace, { node: item.node, to }, call.signal);
  const returning = await returningOf(workspace, item, to, call.signal);
  const toOwner = partitionOwner(owner, to ?? item.path);
  const [from, into] = await Promise.all([item.owner, toOwner].map((of) => workspace.partitionFor(of)));
  const answer = { trashId: id, uri: "", restored: 0, renamed: false };
  const cleanup: PendingCleanup = { purge: [], stale: [] };
  const prepare = function* (draft: WorkspaceDraft): Generator<void> {
    draft.isBeyondQuota = true;
    // read again: folders that contained the item may have been purged meanwhile
    checkItemWritable(tenant, findItem(draft, tenant, id));
    const held = dropItem(draft, item);
    if (!held) throw notFound("trash item", id);
    cleanup.stale.length = 0;
    Object.assign(answer, { uri: workspace.uris.format(to ?? item.path), restored: 0, renamed: false });
    purgingItems(queue, workspace)(draft, [held]);
    for (const one of returning) {
      const { path, stale } = putBack(draft, workspace, owner, one, to === undefined);
      const uri = workspace.uris.format(path);
      if (returning.length === 1 && item.cause !== "import") answer.uri = uri;
      answer.renamed ||= uri !== workspace.uris.format(one.to);
      answer.restored += 1 + workspace.table.below(one.node);
      append(cleanup.stale, stale);
      // a space is shared only by its owner, so grants of others are dropped
      if (item.owner !== toOwner) workspace.sharing.dropBelow(draft, one.node, workspace.table);
      yield;
    }
    if (to === undefined) keepDenied(draft, tenant, item);
    if (from !== undefined && into !== undefined) workspace.index.addForeignPartition(draft, into, from);
  };
  const decide = (draft: WorkspaceDraft) => {
    enqueueDirectoryLayers(draft, queue, workspace, cleanup, []);
    call.keepAnswer?.(draft, answer);
    return () => answer;
  };
  // grants on the folders that contained the item must not change meanwhile
  return alone(workspace, () => {
    if (returning.length > MAX_AT_ONCE) return workspace.transactLarge(prepare, decide);
    return workspace.transact((draft) => {
      for (const _ of prepare(draft));
      return decide(draft);
    });
  });
}

/**
 * Denies in the folders above a restored item what was denied in those that contained it. Those may have been
 * removed or moved since, and the folders that replace them, made by the restore or by a user, lack their
 * grants.
 */
function keepDenied(draft: WorkspaceDraft, { workspace, owner }: Tenant, item: TrashItem): void {
  const { sharing, keys } = workspace;
  const { folders = [], cause, path } = item;
  // the folder of an item of an import corresponds to the folder at its path
  const inner = cause === "import" ? [...path, ""] : path;
  const above = inner.length - folders.length;
  let copies = 0;
  for (const [i, node] of folders.entries()) {
    if (sharing.on(node).length === 0) continue;
    const now = locate(draft, keys, owner, inner.slice(0, above + i))?.entry;
    if (now) copies += sharing.keepDenied(draft, node, now.node, copies);
  }
}
