import { type Caller, checkIdentifier } from "../../domain/caller.ts";
import { notFound, ServiceError } from "../../domain/errors.ts";
import type { KvReader } from "../../storage/kv.ts";
import { createSession } from "../../workspace/sessions/session-changes.ts";
import type { FoundSession } from "../../workspace/sessions/sessions.ts";
import type { Owner } from "../../workspace/tree/locate.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { WorkspaceDraft } from "../../workspace/workspace-draft.ts";

export interface SessionUser {
  userId: string;
  agentId: string;
}

export const userOf = (caller: Caller, { record }: FoundSession): SessionUser => ({
  userId: caller.user,
  agentId: record.agent,
});

/**
 * A session of the caller for reading. Throws the same NOT_FOUND if it never existed, was deleted, or belongs
 * to another user.
 */
export function findSession(
  reader: KvReader,
  { sessions }: Workspace,
  caller: Pick<Caller, "user">,
  id: string,
): FoundSession {
  const found = sessions.find(reader, caller.user, id);
  if (!found) throw notFound("session", id);
  return found;
}

/** A session of the caller for writing. Throws SESSION_EXPIRED if it was deleted. */
export function requireActiveSession(
  reader: KvReader,
  { sessions }: Workspace,
  caller: Caller,
  id: string,
): FoundSession {
  const found = sessions.find(reader, caller.user, id);
  if (found) return found;
  if (!sessions.wasDeleted(reader, caller.user, id)) throw notFound("session", id);
  throw expired(id);
}

export const expired = (id: string) =>
  new ServiceError("SESSION_EXPIRED", `session was deleted: ${id}`, { session_id: id });

/** Creates a missing session, but not one that was deleted. */
export function openSession(draft: WorkspaceDraft, workspace: Workspace, owner: Owner, id: string): void {
  const { sessions } = workspace;
  if (sessions.find(draft, owner.user, id) || sessions.wasDeleted(draft, owner.user, id)) return;
  createSession(draft, workspace, owner, checkIdentifier("session_id", id));
}
