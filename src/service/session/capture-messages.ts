import { jobOwner } from "../../domain/job.ts";
import { type SessionRules, SPECIFIED_SESSIONS } from "../../domain/session.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import { passOver } from "../../workspace/sessions/changes.ts";
import type { ServiceCall } from "../call.ts";
import type { Tenants } from "../tenants.ts";
import { type AddMessagesDeps, appendMessages, type NewMessage } from "./add-message.ts";
import { commitSessionJob } from "./auto-commit.ts";
import { openSession, requireActiveSession } from "./own-session.ts";

/** Number of messages or estimated tokens in a buffer that triggers a commit. */
const FULL_MESSAGES = 60;
const FULL_TOKENS = 24_000;

/** The gateway's agents do not create sessions first. */
const RULES: SessionRules = { ...SPECIFIED_SESSIONS, areOpenedByUse: true };

export interface CaptureDeps extends Omit<AddMessagesDeps, "rules"> {
  readonly tenants: Tenants;
  readonly queue: JobQueue;
}

/**
 * Whether a session can be continued; creates one that never existed, durably with its next change. False for
 * a deleted one.
 */
export async function ensureSession(deps: CaptureDeps, call: ServiceCall, id: string): Promise<boolean> {
  const { workspace, owner } = await deps.tenants.writing(call.caller);
  const { kv, sessions } = workspace;
  if (sessions.find(kv, owner.user, id)) return true;
  if (sessions.wasDeleted(kv, owner.user, id)) return false;
  return workspace.commit(
    (draft) => {
      openSession(draft, workspace, owner, id);
      const found = sessions.find(draft, owner.user, id);
      return () => found !== undefined;
    },
    { sync: false },
  );
}

/**
 * Marks messages by id so that they are never added to a session, which is created if it never existed.
 * SESSION_EXPIRED for a deleted session.
 */
export async function passOverMessages(
  deps: CaptureDeps,
  call: ServiceCall,
  { sessionId, ids }: { readonly sessionId: string; readonly ids: readonly string[] },
): Promise<void> {
  const { workspace, owner } = await deps.tenants.writing(call.caller);
  await workspace.commit((draft) => {
    openSession(draft, workspace, owner, sessionId);
    passOver(draft, requireActiveSession(draft, workspace, call.caller, sessionId).node, ids);
    return () => undefined;
  });
}

/**
 * Adds messages with ids, each once, to a session that is created if it never existed, and commits the
 * session at most `commitAfterMs` after the first uncommitted message. SESSION_EXPIRED for a deleted session.
 */
export async function captureMessages(
  deps: CaptureDeps,
  call: ServiceCall,
  input: {
    readonly sessionId: string;
    readonly messages: readonly NewMessage[];
    readonly commitAfterMs: number;
  },
): Promise<void> {
  const { sessionId, messages, commitAfterMs } = input;
  await appendMessages({ ...deps, rules: RULES }, call, { sessionId, messages }, (draft, workspace) => {
    const found = workspace.sessions.find(draft, call.caller.user, sessionId);
    const { messages: count = 0, tokens = 0 } = found?.record.buffer ?? {};
    if (found === undefined || count === 0) return;
    const isFull = count >= FULL_MESSAGES || tokens >= FULL_TOKENS;
    const { user, agent } = call.caller;
    deps.queue.enqueue(
      draft,
      commitSessionJob(
        workspace.incarnation,
        jobOwner(call.caller),
        { session: found.node, user, agent },
        isFull ? 0 : workspace.clock() + commitAfterMs,
      ),
    );
  });
}
