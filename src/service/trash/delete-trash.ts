import { notFound } from "../../domain/errors.ts";
import { dropAll } from "../../workspace/trash/prune-trash.ts";
import type { TrashItem } from "../../workspace/trash/trash.ts";
import { purgingItems } from "../after-change.ts";
import type { ServiceCall } from "../service-call.ts";
import { checkItemWritable, findItem, isItemWritable, itemLock, type TrashDeps } from "./visible-trash.ts";

/** DELETE trash/{trash_id}: removes an item permanently. Its records are purged in the background. */
export async function deleteTrash(
  deps: TrashDeps,
  call: ServiceCall,
  input: { readonly trashId: string },
): Promise<{ trashId: string }> {
  const tenant = await deps.tenants.openOrCreate(call.caller);
  const { workspace } = tenant;
  const id = input.trashId;
  const item = findItem(workspace.kv, tenant, id);
  checkItemWritable(tenant, item);
  return workspace.locks.run(itemLock(id), async () => {
    const isAllowed = (one: TrashItem) => isItemWritable(tenant, one);
    const dropped = await dropAll(workspace, [item], purgingItems(deps.queue, workspace), isAllowed);
    if (dropped === 0) throw notFound("trash item", id);
    return { trashId: id };
  });
}
