import { checkIdentifier } from "../../domain/caller.ts";
import { createSession } from "../../workspace/sessions/session-changes.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenants } from "../tenants.ts";
import type { SessionUser } from "./own-session.ts";

export interface CreatedSession {
  sessionId: string;
  user: SessionUser;
}

/** POST sessions: creates an empty session of the caller, for the request's agent. */
export async function createOwnSession(
  deps: { tenants: Tenants; ids: () => string },
  call: ServiceCall,
  input: { readonly sessionId?: string | undefined },
): Promise<CreatedSession> {
  const id = input.sessionId === undefined ? deps.ids() : checkIdentifier("session_id", input.sessionId);
  const { workspace, owner } = await deps.tenants.openOrCreate(call.caller);
  const created: CreatedSession = { sessionId: id, user: { userId: owner.user, agentId: owner.agent } };
  return workspace.transact((draft) => {
    createSession(draft, workspace, owner, id);
    call.keepAnswer?.(draft, created);
    return () => created;
  });
}
