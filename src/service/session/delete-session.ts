import { ServiceError } from "../../domain/errors.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import { memoriesLock } from "../../memory/forget/clear-job.ts";
import { planForget } from "../../memory/forget/plan.ts";
import { alone, relationKeysBelow } from "../../workspace/relations/relations.ts";
import { removeSession } from "../../workspace/sessions/session-changes.ts";
import type { FoundSession } from "../../workspace/sessions/sessions.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { enqueueLayersAndPurges } from "../after-change.ts";
import { type ForgetOperationDeps, forgetFollowed, resumeForget } from "../follow-forget.ts";
import type { ServiceCall } from "../service-call.ts";
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
  const tenant = await deps.tenants.openOrCreate(call.caller);
  const { workspace, owner } = tenant;
  const { sessionId } = input;
  if (!input.forget) {
    await removeOwnSession(deps, workspace, owner.user, sessionId);
    return { sessionId };
  }
  const asked = `delete session ${sessionId}`;
  return workspace.locks.run(memoriesLock(owner.user), async () => {
    const answered = await resumeForget<{ sessionId: string; taskId: string }>(deps, call, tenant, asked);
    if (answered) return answered;
    const { id, node } = findSession(workspace.kv, workspace, owner, sessionId);
    const plan = await planForget(tenant, { session: id }, Number.POSITIVE_INFINITY, call.signal);
    const order = { session: id, sessions: [node], asked };
    return forgetFollowed(deps, call, tenant, { plan, answer: { sessionId: id }, ...order });
  });
}

/**
 * Removes a session if it still exists and `isGoing`, called again at the commit point, returns true. May be
 * repeated until it succeeds.
 */
export async function removeSessionAgain(
  deps: { readonly queue: JobQueue },
  workspace: Workspace,
  user: string,
  sessionId: string,
  isGoing?: (session: FoundSession) => boolean,
): Promise<void> {
  try {
    await removeOwnSession(deps, workspace, user, sessionId, isGoing);
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === "NOT_FOUND")) throw error;
  }
}

const removeOwnSession = (
  { queue }: { readonly queue: JobQueue },
  workspace: Workspace,
  user: string,
  sessionId: string,
  isGoing: (session: FoundSession) => boolean = () => true,
): Promise<void> =>
  alone(workspace, async () => {
    if (!isGoing(findSession(workspace.kv, workspace, { user }, sessionId))) return;
    const relations = await relationKeysBelow(workspace, `session/${user}/${sessionId}`);
    // relations beyond the limit are removed first; deleting the session again removes the rest
    while (relations.length > KEYS_PER_CHANGE) {
      const some = relations.splice(0, KEYS_PER_CHANGE);
      await workspace.transact((draft) => {
        draft.isBeyondQuota = true;
        for (const key of some) draft.delete(key);
        return () => undefined;
      });
    }
    await workspace.transact((draft) => {
      draft.isBeyondQuota = true;
      const found = findSession(draft, workspace, { user }, sessionId);
      if (!isGoing(found)) return () => undefined;
      for (const key of relations) draft.delete(key);
      enqueueLayersAndPurges(draft, queue, workspace, removeSession(draft, workspace, found));
      return () => undefined;
    });
  });
