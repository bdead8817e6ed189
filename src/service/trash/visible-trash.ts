import { includes } from "../../domain/access.ts";
import { notFound, permissionDenied } from "../../domain/errors.ts";
import { type NodeId, nodeId } from "../../domain/node.ts";
import { checkWritable, isVisible } from "../../domain/scope.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import { lastNumber } from "../../storage/key-numbers.ts";
import type { KvReader } from "../../storage/kv.ts";
import { TRASHED } from "../../workspace/trash/records.ts";
import type { TrashItem } from "../../workspace/trash/trash.ts";
import { SHARED } from "../../workspace/tree/locate.ts";
import { trashIdOf } from "../remove-located.ts";
import type { Tenant, Tenants } from "../tenants.ts";

export interface TrashDeps {
  readonly tenants: Tenants;
  readonly queue: JobQueue;
}

const ID = /^[0-9a-z]{14}$/;
/** Number of characters for the node at the end of an id (see trashIdOf). */
const NODE_CHARACTERS = 7;

/**
 * Owners whose trash a caller may see: the caller, the account's shared content, and owners of spaces shared
 * with the caller.
 */
export const trashOwnersOf = ({ owner: { user, access } }: Pick<Tenant, "owner">): readonly string[] => [
  user,
  SHARED,
  ...(access?.foreignSpaces() ?? []).map(({ name }) => name),
];

/** Whether the caller may see an item, according to its original path and the grants on its content. */
export const isItemVisible = ({ owner }: Pick<Tenant, "owner">, item: TrashItem): boolean =>
  owner.access ? owner.access.seesPast(item) : isVisible(owner, item.path);

/** Whether the caller may read the whole content of a visible item. */
export const isItemWhole = ({ owner }: Pick<Tenant, "owner">, item: TrashItem): boolean =>
  owner.access === undefined || includes(owner.access.leastPast(item), "read");

/** Whether the caller may write the original path of a visible item and its whole content. */
export const isItemWritable = ({ owner }: Pick<Tenant, "owner">, item: TrashItem): boolean =>
  owner.access ? includes(owner.access.leastPast(item), "write") : isVisible(owner, item.path);

/** Refuses an item if the caller may not write its original path or all of its content. */
export function checkItemWritable(tenant: Tenant, item: TrashItem): void {
  const { workspace, owner } = tenant;
  const uri = workspace.uris.format(item.path);
  checkWritable(owner, item.path, uri, "trash_id");
  if (!isItemWritable(tenant, item))
    throw permissionDenied(uri, "it contains files or folders that you may not write");
}

/** The item with this id. Throws NOT_FOUND, also if its original path is hidden from the caller. */
export function findItem(reader: Pick<KvReader, "get">, tenant: Tenant, id: string): TrashItem {
  const { workspace } = tenant;
  const item = ID.test(id) ? nodeId(lastNumber(id.slice(-NODE_CHARACTERS))) : undefined;
  const isHere = item !== undefined && trashIdOf(workspace, item) === id;
  const found = isHere ? itemOf(reader, tenant, item) : undefined;
  if (!found || !isItemVisible(tenant, found)) throw notFound("trash item", id);
  return found;
}

function itemOf(reader: Pick<KvReader, "get">, tenant: Tenant, item: NodeId): TrashItem | undefined {
  for (const owner of trashOwnersOf(tenant)) {
    const record = TRASHED.read(reader, tenant.workspace.keys.trashed(owner, item));
    if (record) return { ...record, owner, item };
  }
  return undefined;
}

/** Lock under which an item is restored or deleted. */
export const itemLock = (id: string): string => `trash ${id}`;
