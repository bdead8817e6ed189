import type { JobQueue } from "../../jobs/queue.ts";
import { memoriesLock } from "../../memory/forget/clear-job.ts";
import { planForget } from "../../memory/forget/plan.ts";
import { alone, relationKeysBelow } from "../../workspace/relations/relations.ts";
import { removeSession } from "../../workspace/sessions/changes.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { ServiceCall } from "../call.ts";
import { enqueueCleanup } from "../cleanup.ts";
import { type ForgetOperationDeps, forgetFollowed } from "../follow-forget.ts";
import { findSession } from "./own-session.ts";

/** Maximum number of relation keys removed per transaction. */
const KEYS_PER_CHANGE = 500;

/**
 * DELETE sessions/{session_id}: removes a session of any length with its relations in one step; its records
 * are purged in the background. Memories are kept, unless the caller asks to forget those of the session.
 */
export async function deleteSession(
  deps: ForgetOperationDeps,
  call: ServiceCall,
  input: { readonly sessionId: string; readonly forget: boolean },
): Promise<{ sessionId: string; taskId?: string }> {
  const tenant = await deps.tenants.writing(call.caller);
  const { workspace, owner } = tenant;
  const removeIt = () => alone(workspace, () => remove(deps, call, workspace, input.sessionId));
  if (!input.forget) return removeIt();
  return workspace.locks.run(memoriesLock(owner.user), async () => {
    const { id, node } = findSession(workspace.kv, workspace, call.caller, input.sessionId);
    const plan = await planForget(tenant, { session: id }, Number.POSITIVE_INFINITY, call.signal);
    const removed = { session: node, remove: removeIt };
    return forgetFollowed(deps, call, tenant, { plan, answer: { sessionId: id }, removed });
  });
}

async function remove(
  { queue }: { queue: JobQueue },
  call: ServiceCall,
  workspace: Workspace,
  sessionId: string,
) {
  const { id } = findSession(workspace.kv, workspace, call.caller, sessionId);
  const relations = await relationKeysBelow(workspace, `session/${call.caller.user}/${id}`);
  // relations beyond the limit are removed first; deleting the session again removes the rest
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
