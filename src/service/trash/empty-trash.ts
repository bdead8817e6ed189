import { dropAll, ITEMS_PER_CHANGE } from "../../workspace/trash/prune-trash.ts";
import type { TrashItem } from "../../workspace/trash/trash.ts";
import { purgingItems } from "../after-change.ts";
import type { ServiceCall } from "../service-call.ts";
import { visibleItems } from "./list-trash.ts";
import { isItemWritable, type TrashDeps } from "./visible-trash.ts";

/**
 * DELETE trash: permanently removes items from the caller's own spaces, and those that the caller removed
 * from shared folders; with `all`, also those removed there by others.
 */
export async function emptyTrash(
  deps: TrashDeps,
  call: ServiceCall,
  input: { readonly all: boolean },
): Promise<{ deleted: number }> {
  const tenant = await deps.tenants.openOrCreate(call.caller);
  const { workspace, owner } = tenant;
  const items = (await visibleItems(tenant, call.signal)).filter(
    (item) => input.all || item.owner === owner.user || (item.by !== undefined && item.by === owner.author),
  );
  let deleted = 0;
  for (let at = 0; at < items.length; at += ITEMS_PER_CHANGE) {
    call.signal.throwIfAborted();
    const some = items.slice(at, at + ITEMS_PER_CHANGE);
    const isAllowed = (item: TrashItem) => isItemWritable(tenant, item);
    deleted += await dropAll(workspace, some, purgingItems(deps.queue, workspace), isAllowed);
  }
  return { deleted };
}
