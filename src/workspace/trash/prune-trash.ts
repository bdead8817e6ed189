import { type Entry, type NodeId, TRASH } from "../../domain/node.ts";
import { pairPages, prefixRange } from "../../storage/kv.ts";
import { encodeRecord } from "../../storage/record-codec.ts";
import { trashOfKey } from "../keys.ts";
import { ENTRIES } from "../records.ts";
import { BytesByHour, hourOf } from "../removal/bytes-by-hour.ts";
import { countedBytes } from "../tree/stored-bytes.ts";
import type { Workspace } from "../workspace.ts";
import type { WorkspaceDraft } from "../workspace-draft.ts";
import { TRASHED, type TrashRecord } from "./records.ts";
import { bytesOf, dropItem, type TrashItem } from "./trash.ts";

const PAGE = 500;
/** Items removed from the trash per transaction. */
export const ITEMS_PER_CHANGE = 100;

/** Enqueues the purge of items, in the transaction that removes them from the trash. */
export type PurgeItems = (draft: WorkspaceDraft, removed: readonly Entry[]) => void;

/**
 * Counts the bytes of new items; removes expired ones, and the oldest ones above the limits of an owner's
 * items or the workspace's bytes. Idempotent; returns the time of the next removal (Unix time in ms),
 * undefined if the trash is empty.
 */
export async function pruneTrash(
  workspace: Workspace,
  purge: PurgeItems,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { items, lifeMs, bytes, storedBytes } = workspace.limits.trash;
  const expired = workspace.clock() - lifeMs;
  const byHour = new BytesByHour();
  let kept = 0;
  let freed = 0;
  let oldest: number | undefined;
  const excess = excessOf(workspace, items);
  await drop(workspace, purge, signal, async (item) => {
    const size = item.bytes ?? (await count(workspace, item, signal));
    if (item.at <= expired || excess(item.owner)) {
      freed += size;
      return true;
    }
    byHour.add(item.at, size);
    kept += size;
    oldest = Math.min(oldest ?? item.at, item.at);
    return false;
  });
  // removed items still count toward the quota until they are purged
  const stored = (countedBytes(workspace.kv, workspace.keys) ?? 0) - freed;
  let over = Math.max(kept - bytes, stored - storedBytes);
  if (over > 0) {
    const lastHour = byHour.hourThatFrees(over);
    await drop(workspace, purge, signal, async (item) => {
      if (over <= 0 || hourOf(item.at) > lastHour || item.bytes === undefined) return false;
      over -= item.bytes;
      return true;
    });
  }
  return oldest === undefined ? undefined : oldest + lifeMs;
}

/** Whether the next item of an owner, in order of removal, exceeds the maximum number. */
function excessOf({ kv, keys, table }: Workspace, items: number): (owner: string) => boolean {
  const left = new Map<string, number>();
  return (owner) => {
    const space = ENTRIES.read(kv, keys.entry(TRASH, owner))?.node;
    const over = left.get(owner) ?? (space === undefined ? 0 : table.children(space)) - items;
    left.set(owner, over - 1);
    return over > 0;
  };
}

/** Removes the items that satisfy `isGoing`, by owner and in order of removal. */
async function drop(
  workspace: Workspace,
  purge: PurgeItems,
  signal: AbortSignal,
  isGoing: (item: TrashItem) => Promise<boolean>,
): Promise<void> {
  const going: TrashItem[] = [];
  for await (const item of itemsOf(workspace)) {
    signal.throwIfAborted();
    if (await isGoing(item)) going.push(item);
    if (going.length >= ITEMS_PER_CHANGE) await dropAll(workspace, going.splice(0), purge);
  }
  await dropAll(workspace, going, purge);
}

/** All items, or those of one owner, in order of removal. */
export async function* itemsOf({ kv, keys }: Workspace, prefix = keys.allTrash()): AsyncGenerator<TrashItem> {
  for await (const page of pairPages(kv, prefixRange(prefix, PAGE)))
    for (const [key, value] of page) yield { ...TRASHED.decode(value, key), ...trashOfKey(keys, key) };
}

/**
 * Permanently removes items; returns the number of those that still existed. `isAllowed` is called at the
 * commit point, because the caller's rights may change before.
 */
export function dropAll(
  workspace: Workspace,
  items: readonly TrashItem[],
  purge: PurgeItems,
  isAllowed: (item: TrashItem) => boolean = () => true,
): Promise<number> {
  if (items.length === 0) return Promise.resolve(0);
  return workspace.transact((draft) => {
    draft.isBeyondQuota = true;
    const removed = items.flatMap(({ owner, item }) => {
      const record = TRASHED.read(draft, draft.keys.trashed(owner, item));
      return record && isAllowed({ ...record, owner, item }) ? (dropItem(draft, { owner, item }) ?? []) : [];
    });
    purge(draft, removed);
    return () => removed.length;
  });
}

/** Counts the bytes of an item and stores them. */
async function count(workspace: Workspace, { owner, item }: TrashItem, signal: AbortSignal): Promise<number> {
  const bytes = await bytesBelow(workspace, item, signal);
  await workspace.transact((draft) => {
    draft.isBeyondQuota = true;
    const key = draft.keys.trashed(owner, item);
    const now = TRASHED.read(draft, key);
    if (now) draft.put(key, encodeRecord({ ...now, bytes } satisfies TrashRecord));
    return () => undefined;
  });
  return bytes;
}

async function bytesBelow({ kv, keys }: Workspace, item: NodeId, signal: AbortSignal): Promise<number> {
  let bytes = 0;
  const folders = [item];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop())
    for await (const page of pairPages(kv, prefixRange(keys.entries(folder), PAGE))) {
      signal.throwIfAborted();
      for (const [key, value] of page) {
        const entry = ENTRIES.decode(value, key);
        if (entry.kind === "directory") folders.push(entry.node);
        else bytes += bytesOf(entry);
      }
    }
  return bytes;
}
