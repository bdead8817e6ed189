import { noteDropped, spacesOf } from "../../index/spaces.ts";
import { prefixRange } from "../../storage/kv.ts";
import type { Workspace } from "../workspace.ts";

const KEYS_PER_CHANGE = 2000;

/** Removes the vectors of a replaced space, unless it is the main space again. Idempotent. */
export async function dropSpace(workspace: Workspace, space: string, signal: AbortSignal): Promise<void> {
  const { kv, keys, index } = workspace;
  if (index.mainSpace === space || spacesOf(kv, keys)?.filled === space) return;
  for (;;) {
    signal.throwIfAborted();
    const found = await kv.keys(prefixRange(keys.vectorsOf(space), KEYS_PER_CHANGE));
    if (found.length === 0) break;
    await workspace.transact((draft) => {
      for (const key of found) draft.delete(key);
      return () => undefined;
    });
  }
  await workspace.transact((draft) => {
    noteDropped(draft, keys, space);
    return () => index.dropSpace(space);
  });
}
