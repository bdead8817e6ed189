import type { JobQueue } from "../../jobs/queue.ts";
import { alone, relationKeysBelow } from "../../workspace/relations/relations.ts";
import { removeSession } from "../../workspace/sessions/changes.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { ServiceCall } from "../call.ts";
import { enqueueCleanup } from "../cleanup.ts";
import type { Tenants } from "../tenants.ts";
import { findSession } from "./own-session.ts";

/** Keys of relations removed in one change. */
const KEYS_PER_CHANGE = 500;

/**
 * DELETE sessions/{session_id}: gone in one step with its relations, whatever its length; its records are
 * purged in the background. Memories stay.
 */
export async function deleteSession(
  deps: { tenants: Tenants; queue: JobQueue },
  call: ServiceCall,
  input: { readonly sessionId: string },
): Promise<{ sessionId: string }> {
  const { workspace } = await deps.tenants.writing(call.caller);
  return alone(workspace, () => remove(deps, call, workspace, input.sessionId));
}

async function remove(
  { queue }: { queue: JobQueue },
  call: ServiceCall,
  workspace: Workspace,
  sessionId: string,
) {
  const { id } = findSession(workspace.kv, workspace, call.caller, sessionId);
  const relations = await relationKeysBelow(workspace, `session/${call.caller.user}/${id}`);
  // more than one change holds go before: to delete the session again takes what is left
  while (relations.length > KEYS_PER_CHANGE) {
    const some = relations.splice(0, KEYS_PER_CHANGE);
    await workspace.commit((draft) => {
      draft.isBeyondQuota = true;
      for (const key of some) draft.delete(key);
      return () => undefined;
    });
  }
  return workspace.commit((draft) => {
    draft.isBeyondQuota = true;
    const found = findSession(draft, workspace, call.caller, id);
    for (const key of relations) draft.delete(key);
    enqueueCleanup(draft, queue, workspace, removeSession(draft, workspace, found));
    return () => ({ sessionId: id });
  });
}
