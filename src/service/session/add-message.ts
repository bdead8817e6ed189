import { checkIdentifier } from "../../domain/caller.ts";
import { invalidArgument } from "../../domain/errors.ts";
import { type Message, type MessageInput, parseMessage } from "../../domain/message.ts";
import { encodeRecord } from "../../storage/records.ts";
import type { WorkspaceDraft } from "../../workspace/draft.ts";
import { appendMessage, createSession } from "../../workspace/sessions/changes.ts";
import type { Owner } from "../../workspace/tree/locate.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { ServiceCall } from "../call.ts";
import type { Tenants } from "../tenants.ts";
import { requireActiveSession } from "./own-session.ts";

/**
 * A message as a line of `messages.jsonl`; above the limit of a body, whose text may take more room in JSON.
 */
const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;
/** A message with its tool records and a thousand URIs. */
const MAX_CHANGE_BYTES = 2 * MAX_MESSAGE_BYTES;
const OWN_ID = /^[\x20-\x7e]{1,128}$/;

export interface AddMessageInput extends MessageInput {
  readonly sessionId: string;
  readonly id?: string | undefined;
}

/**
 * POST sessions/{session_id}/messages: one append, however long the session is. Messages stand in the order
 * in which they were acknowledged.
 */
export async function addMessage(
  deps: { tenants: Tenants; ids: () => string; openSessions: boolean },
  call: ServiceCall,
  input: AddMessageInput,
): Promise<{ sessionId: string; messageCount: number }> {
  if (input.id !== undefined && !OWN_ID.test(input.id))
    throw invalidArgument("id", "must be 1 to 128 printable ASCII characters");
  const { workspace, owner } = await deps.tenants.writing(call.caller);
  const { role, parts } = parseMessage(input, (uri) => workspace.uris.format(workspace.uris.parse(uri)));
  const created = new Date(workspace.clock()).toISOString();
  const message: Message = { id: input.id ?? deps.ids(), role, parts, created_at: created };
  const line = encodeRecord(message);
  if (line.byteLength > MAX_MESSAGE_BYTES)
    throw invalidArgument("parts", `a message above ${MAX_MESSAGE_BYTES} bytes`);
  return workspace.commit(
    (draft) => {
      if (deps.openSessions) openSession(draft, workspace, owner, input.sessionId);
      const found = requireActiveSession(draft, workspace, call.caller, input.sessionId);
      const messageCount = appendMessage(draft, workspace, found, {
        message,
        line,
        isOwnId: input.id !== undefined,
      });
      const added = { sessionId: found.id, messageCount };
      call.keepAnswer?.(draft, added);
      return () => added;
    },
    { maxBytes: MAX_CHANGE_BYTES },
  );
}

/** Existing agents speak before they create a session. One that was deleted stays so. */
function openSession(draft: WorkspaceDraft, workspace: Workspace, owner: Owner, id: string): void {
  const { sessions } = workspace;
  if (sessions.find(draft, owner.user, id) || sessions.wasDeleted(draft, owner.user, id)) return;
  createSession(draft, workspace, owner, checkIdentifier("session_id", id));
}
