import { pairPages, prefixRange } from "../../storage/kv.ts";
import { encodeRecord } from "../../storage/record-codec.ts";
import { TRASHED, type TrashRecord } from "../trash/records.ts";
import type { Workspace } from "../workspace.ts";

/** Folders that deny reading to somebody and are about to be purged, with everything below them. */
type Hidden = Pick<ReadonlySet<number>, "has">;

const PAGE = 500;
/** Items of the trash that are marked per transaction. */
const ITEMS_PER_CHANGE = 64;

/**
 * Marks trash items and snapshot roots that were in the hidden folders, before the grants on these folders
 * are removed. From then on only administrators see them. Idempotent.
 */
export async function guardFormer(workspace: Workspace, hidden: Hidden, signal: AbortSignal): Promise<void> {
  const wasHidden = (folders: readonly number[] = []) => folders.some((folder) => hidden.has(folder));
  const isDue = ({ folders, isGuarded }: TrashRecord) => !isGuarded && wasHidden(folders);
  const { kv, keys, snapshots } = workspace;
  const due: string[] = [];
  for await (const page of pairPages(kv, prefixRange(keys.allTrash(), PAGE))) {
    signal.throwIfAborted();
    for (const [key, value] of page) if (isDue(TRASHED.decode(value, key))) due.push(key);
  }
  for (let at = 0; at < due.length; at += ITEMS_PER_CHANGE)
    await workspace.transact((draft) => {
      draft.isBeyondQuota = true;
      for (const key of due.slice(at, at + ITEMS_PER_CHANGE)) {
        const item = TRASHED.read(draft, key);
        if (item) draft.put(key, encodeRecord({ ...item, isGuarded: true } satisfies TrashRecord));
      }
      return () => undefined;
    });
  if (!snapshots.isUsed) return;
  await workspace.transact((draft) => {
    draft.isBeyondQuota = true;
    snapshots.guardRoots(draft, ({ folders, isGuarded }) => !isGuarded && wasHidden(folders));
    return () => undefined;
  });
}
