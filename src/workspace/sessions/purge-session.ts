import type { NodeId } from "../../domain/node.ts";
import { prefixRange } from "../../storage/kv.ts";
import type { Workspace } from "../workspace.ts";

/** Records removed per transaction; messages are removed by key without reading them. */
const KEYS_PER_CHANGE = 1000;

/** Removes all records of an unreachable session, or of a directory of sessions. Idempotent. */
export async function purgeSession(workspace: Workspace, node: NodeId, signal: AbortSignal): Promise<void> {
  const { keys: at } = workspace;
  for (const prefix of [at.sessionMessages(node), at.recalled(node), at.sessionRecords(node)]) {
    for (;;) {
      signal.throwIfAborted();
      const keys = await workspace.kv.keys(prefixRange(prefix, KEYS_PER_CHANGE));
      if (keys.length === 0) break;
      await workspace.transact((draft) => {
        draft.isBeyondQuota = true;
        for (const key of keys) draft.delete(key);
        return () => undefined;
      });
    }
  }
}
