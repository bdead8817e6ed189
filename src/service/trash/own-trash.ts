import type { Caller } from "../../domain/caller.ts";
import { notFound, ServiceError } from "../../domain/errors.ts";
import { type NodeId, nodeId } from "../../domain/node.ts";
import { checkWritable, isVisible } from "../../domain/scope.ts";
import type { Path } from "../../domain/uri.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import { lastNumber } from "../../storage/key-numbers.ts";
import type { KvReader } from "../../storage/kv.ts";
import { TRASHED } from "../../workspace/trash/records.ts";
import type { TrashItem } from "../../workspace/trash/trash.ts";
import { SHARED } from "../../workspace/tree/locate.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { trashIdOf } from "../cleanup.ts";
import type { Tenants } from "../tenants.ts";

export interface TrashDeps {
  readonly tenants: Tenants;
  readonly queue: JobQueue;
}

const ID = /^[0-9a-z]{14}$/;
/** Characters of the node at its end (see trashIdOf). */
const NODE_CHARACTERS = 7;

/** Whose trash a caller may see: their own, and that of what the account shares. */
export const trashOwnersOf = ({ user }: Pick<Caller, "user">): readonly string[] => [user, SHARED];

/** Whether the caller may see an item: the place where it was. */
export const isItemVisible = (caller: Caller, { path }: Pick<TrashItem, "path">): boolean =>
  isVisible(caller, path);

/** Whether the caller may write at the place where an item was. */
export function isDeletable(caller: Caller, { uris }: Pick<Workspace, "uris">, path: Path): boolean {
  try {
    checkWritable(caller, path, uris.format(path), "trash_id");
    return true;
  } catch (error) {
    if (error instanceof ServiceError) return false;
    throw error;
  }
}

/** The item of an id. NOT_FOUND, also for one from a place that the caller may not see. */
export function findItem(
  reader: Pick<KvReader, "get">,
  workspace: Pick<Workspace, "keys" | "incarnation">,
  caller: Caller,
  id: string,
): TrashItem {
  const item = ID.test(id) ? nodeId(lastNumber(id.slice(-NODE_CHARACTERS))) : undefined;
  const isHere = item !== undefined && trashIdOf(workspace, item) === id;
  const found = isHere ? itemOf(reader, workspace, caller, item) : undefined;
  if (!found || !isItemVisible(caller, found)) throw notFound("trash item", id);
  return found;
}

function itemOf(
  reader: Pick<KvReader, "get">,
  { keys }: Pick<Workspace, "keys">,
  caller: Caller,
  item: NodeId,
): TrashItem | undefined {
  for (const owner of trashOwnersOf(caller)) {
    const record = TRASHED.read(reader, keys.trashed(owner, item));
    if (record) return { ...record, owner, item };
  }
  return undefined;
}

/** The lock under which an item is restored or deleted. */
export const itemLock = (id: string): string => `trash ${id}`;
