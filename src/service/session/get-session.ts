import type { ServiceCall } from "../call.ts";
import type { Tenants } from "../tenants.ts";
import { findSession, type SessionUser, userOf } from "./own-session.ts";

/** GET sessions/{session_id}. */
export async function getSession(
  deps: { tenants: Tenants },
  call: ServiceCall,
  input: { readonly sessionId: string },
): Promise<{ sessionId: string; user: SessionUser; messageCount: number }> {
  const { workspace } = await deps.tenants.reading(call.caller);
  const found = findSession(workspace.kv, workspace, call.caller, input.sessionId);
  return {
    sessionId: found.id,
    user: userOf(call.caller, found),
    messageCount: found.record.buffer.messages,
  };
}
