import { atOnce, EventLoopYielder } from "../../base/event-loop.ts";
import { invalidArgument } from "../../domain/errors.ts";
import type { SessionRules } from "../../domain/session.ts";
import { retryConflicts } from "../../workspace/conflict.ts";
import { noteUses, putSession } from "../../workspace/sessions/session-changes.ts";
import type { WorkspaceDraft } from "../../workspace/workspace-draft.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenants } from "../tenants.ts";
import { openSession, requireActiveSession } from "./own-session.ts";

const MAX_CONTEXTS = 1000;
/** Number of URIs above which the change is made in steps. */
const MAX_AT_ONCE = 100;

/**
 * POST sessions/{session_id}/used: records uses, each once per session; the next commit updates the usage
 * counts.
 */
export async function recordUsage(
  deps: { tenants: Tenants; rules: SessionRules },
  call: ServiceCall,
  input: {
    readonly sessionId: string;
    readonly contexts: readonly string[];
    readonly skill?: { readonly uri: string } | undefined;
  },
): Promise<{ sessionId: string; contextsUsed: number; skillsUsed: number }> {
  if (input.contexts.length > MAX_CONTEXTS)
    throw invalidArgument("contexts", `must have at most ${MAX_CONTEXTS} URIs`);
  const { workspace, owner } = await deps.tenants.openOrCreate(call.caller);
  const uses = { contexts: input.contexts, skills: input.skill ? [input.skill.uri] : [] };
  const yielder = new EventLoopYielder(workspace.incarnation);
  for (const uri of [...uses.contexts, ...uses.skills]) {
    workspace.uris.parse(uri);
    await yielder.yieldIfDue();
  }
  const counts = { sessionId: input.sessionId, contextsUsed: 0, skillsUsed: 0 };
  const write = function* (draft: WorkspaceDraft): Generator<undefined> {
    if (deps.rules.areOpenedByUse) openSession(draft, workspace, owner, input.sessionId);
    const { id, node, record } = requireActiveSession(draft, workspace, call.caller, input.sessionId);
    const noted = yield* noteUses(draft, workspace, node, record, uses);
    putSession(draft, node, { ...noted, updated: Math.max(noted.updated, workspace.clock()) });
    const { contextsUsed, skillsUsed } = noted.stats;
    Object.assign(counts, { sessionId: id, contextsUsed, skillsUsed });
  };
  if (uses.contexts.length > MAX_AT_ONCE)
    return retryConflicts(() => workspace.transactLarge(write, () => () => counts));
  return workspace.transact((draft) => {
    atOnce(write(draft));
    return () => counts;
  });
}
