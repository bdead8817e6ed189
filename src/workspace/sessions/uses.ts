import type { NodeId } from "../../domain/node.ts";
import { isReadable } from "../../domain/scope.ts";
import { prefixRange } from "../../storage/kv.ts";
import { PATHS } from "../records.ts";
import { locate, type Owner } from "../tree/locate.ts";
import { countUse } from "../tree/usage.ts";
import type { Workspace } from "../workspace.ts";
import { putArchive } from "./changes.ts";

const USES_PER_CHANGE = 500;

/**
 * Counts uses from before a commit, if the node still exists and its owner may read it. Each use is counted
 * in the transaction that removes it, so that an interrupted job can continue.
 */
export async function countUses(
  workspace: Workspace,
  owner: Owner,
  session: NodeId,
  archive: number,
  signal: AbortSignal,
): Promise<void> {
  const { kv, keys, sessions } = workspace;
  const prefix = keys.pendingUses(session, archive);
  for (;;) {
    signal.throwIfAborted();
    const page = await kv.range(prefixRange(prefix, USES_PER_CHANGE));
    if (page.length === 0) return;
    await workspace.commit((draft) => {
      draft.isBeyondQuota = true;
      const record = sessions.archiveRecord(draft, session, archive);
      let counted = 0;
      for (const [key, value] of page) {
        if (draft.get(key) === undefined) continue;
        draft.delete(key);
        const path = PATHS.decode(value, key);
        const node = isReadable(owner, path) ? locate(draft, keys, owner, path)?.entry?.node : undefined;
        if (node === undefined) continue;
        countUse(draft, node, workspace.clock());
        counted++;
      }
      if (record && counted > 0)
        putArchive(draft, session, archive, {
          ...record,
          activeCountUpdated: record.activeCountUpdated + counted,
        });
      return () => undefined;
    });
  }
}
