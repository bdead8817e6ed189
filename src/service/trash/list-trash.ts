import { EventLoopYielder } from "../../base/event-loop.ts";
import { sortSteps } from "../../base/sort-steps.ts";
import { invalidArgument } from "../../domain/errors.ts";
import type { UserIncarnation } from "../../domain/ids.ts";
import type { Author, NodeKind } from "../../domain/node.ts";
import { idKey } from "../../storage/key-numbers.ts";
import { itemsOf } from "../../workspace/trash/prune-trash.ts";
import { TRASHED } from "../../workspace/trash/records.ts";
import type { TrashItem } from "../../workspace/trash/trash.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Cursors } from "../cursors.ts";
import { trashIdOf } from "../remove-located.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenant } from "../tenants.ts";
import { isItemVisible, isItemWhole, type TrashDeps, trashOwnersOf } from "./visible-trash.ts";

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;

/** An item in API responses. */
export interface TrashItemView {
  trashId: string;
  uri: string;
  type: NodeKind;
  cause: string;
  removedAt: string;
  expiresAt: string;
  /** Number of visible files and directories. */
  nodes: number;
  /** Size in bytes; absent until counted. */
  bytes?: number;
  userId?: string;
}

interface ListedTrash {
  items: TrashItemView[];
  total: number;
  /** Total size in bytes of all items that are counted. */
  bytes: number;
  nextCursor?: string;
}

/** GET trash: items removed from paths visible to the caller, newest first. */
export async function listTrash(
  { tenants, cursors }: Pick<TrashDeps, "tenants"> & { readonly cursors: Cursors },
  call: ServiceCall,
  input: { readonly limit?: number | undefined; readonly cursor?: string | undefined },
): Promise<ListedTrash> {
  const limit = input.limit ?? DEFAULT_LIMIT;
  if (limit < 1 || limit > MAX_LIMIT) throw invalidArgument("limit", `must be 1 to ${MAX_LIMIT}`);
  const tenant = await tenants.openOrEmpty(call.caller);
  const { workspace } = tenant;
  const { incarnation } = workspace;
  const list = { operation: "trash", caller: call.caller, incarnation, args: [] };
  const before = cursors.open(list, input.cursor);
  const all = await visibleItems(tenant, call.signal);
  const rest = before === undefined ? all : all.filter(({ item }) => idKey(item) < before);
  const page = rest.slice(0, limit);
  const wanted = new Set<UserIncarnation>();
  for (const { by } of page) if (typeof by === "number") wanted.add(by);
  const names = await tenants.userNames(incarnation, wanted);
  const nameOf = (by: Author | undefined) => (typeof by === "number" ? names.get(by) : by);
  const last = page.at(-1);
  const yielder = new EventLoopYielder(incarnation);
  const partly = new Set<TrashItem>();
  for (const item of all) {
    if (!isItemWhole(tenant, item)) partly.add(item);
    await yielder.yieldIfDue();
  }
  return {
    items: page.map((item) => viewOf(workspace, item, nameOf(item.by), !partly.has(item))),
    total: all.length,
    bytes: all.reduce((sum, item) => sum + (partly.has(item) ? 0 : (item.bytes ?? 0)), 0),
    ...(last && rest.length > limit && { nextCursor: cursors.seal(list, idKey(last.item)) }),
  };
}

/**
 * The items visible to the caller, newest first; their number is bounded by a multiple of the items limit.
 */
export async function visibleItems(tenant: Tenant, signal: AbortSignal): Promise<TrashItem[]> {
  const { workspace } = tenant;
  const { kv, keys } = workspace;
  const yielder = new EventLoopYielder(workspace.incarnation);
  const found: TrashItem[] = [];
  for (const owner of trashOwnersOf(tenant))
    for await (const item of itemsOf(workspace, workspace.keys.trashOf(owner))) {
      signal.throwIfAborted();
      await yielder.yieldIfDue();
      // read again: folders that contained the item may have been purged since the page was read
      const record = TRASHED.read(kv, keys.trashed(item.owner, item.item));
      if (record && isItemVisible(tenant, { ...item, ...record })) found.push(item);
    }
  return yielder.through(sortSteps(found, (a, b) => b.item - a.item));
}

/** `isWhole`: whether the caller may read all of it; otherwise the counts would include hidden nodes. */
function viewOf(
  workspace: Workspace,
  { item, path, kind, node, cause, at, bytes }: TrashItem,
  user: string | undefined,
  isWhole: boolean,
): TrashItemView {
  const { uris, table, limits } = workspace;
  // the folder that stands for the root of an import was not removed itself
  const own = cause === "import" ? 0 : 1;
  return {
    trashId: trashIdOf(workspace, item),
    uri: uris.format(path),
    type: kind,
    cause,
    removedAt: new Date(at).toISOString(),
    expiresAt: Number.isFinite(limits.trash.lifeMs) ? new Date(at + limits.trash.lifeMs).toISOString() : "",
    nodes: (isWhole ? table.below(node) : 0) + own,
    ...(bytes !== undefined && isWhole && { bytes }),
    ...(user !== undefined && { userId: user }),
  };
}
