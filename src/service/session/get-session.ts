import type { ServiceCall } from "../service-call.ts";
import type { Tenants } from "../tenants.ts";
import { findSession, type SessionUser, userOf } from "./own-session.ts";

/** GET sessions/{session_id}: returns a session. */
export async function getSession(
  deps: { tenants: Tenants },
  call: ServiceCall,
  input: { readonly sessionId: string },
): Promise<{ sessionId: string; user: SessionUser; messageCount: number }> {
  const { workspace } = await deps.tenants.openOrEmpty(call.caller);
  const found = findSession(workspace.kv, workspace, call.caller, input.sessionId);
  return {
    sessionId: found.id,
    user: userOf(call.caller, found),
    messageCount: found.record.buffer.messages,
  };
}

/** Details of a session beyond those of `getSession`. */
export interface SessionDetails {
  readonly uri: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Estimated tokens of the messages that are not archived. */
  readonly pendingTokens: number;
  readonly archives: number;
}

export async function sessionDetails(
  deps: { tenants: Tenants },
  call: ServiceCall,
  sessionId: string,
): Promise<SessionDetails> {
  const { workspace } = await deps.tenants.openOrEmpty(call.caller);
  const { id, record } = findSession(workspace.kv, workspace, call.caller, sessionId);
  return {
    uri: workspace.uris.format(["session", call.caller.user, id]),
    createdAt: new Date(record.created).toISOString(),
    updatedAt: new Date(record.updated).toISOString(),
    pendingTokens: Math.ceil(record.buffer.tokens),
    archives: record.archives,
  };
}
