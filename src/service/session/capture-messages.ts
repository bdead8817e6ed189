import { jobOwner } from "../../domain/job.ts";
import { type SessionRules, SPECIFIED_SESSIONS } from "../../domain/session.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import { SecretRefused, type SecretReport } from "../../workspace/secret-guard.ts";
import { passOver } from "../../workspace/sessions/session-changes.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenants } from "../tenants.ts";
import { type AddMessagesDeps, appendMessages, type NewMessage, sessionUri } from "./add-message.ts";
import { commitSessionJob } from "./commit-job.ts";
import { openSession, requireActiveSession } from "./own-session.ts";
import { screenMessage } from "./screen-message.ts";

/** Number of uncommitted messages or estimated tokens that triggers a commit. */
const FULL_MESSAGES = 60;
const FULL_TOKENS = 24_000;

/** Agents behind the gateway do not create sessions explicitly. */
const RULES: SessionRules = { ...SPECIFIED_SESSIONS, areOpenedByUse: true };

export interface CaptureDeps extends Omit<AddMessagesDeps, "rules"> {
  readonly tenants: Tenants;
  readonly queue: JobQueue;
}

/**
 * Whether a session can be continued. Creates one that never existed, durable with its next change. False for
 * a deleted session.
 */
export async function ensureSession(deps: CaptureDeps, call: ServiceCall, id: string): Promise<boolean> {
  const { workspace, owner } = await deps.tenants.openOrCreate(call.caller);
  const { kv, sessions } = workspace;
  if (sessions.find(kv, owner.user, id)) return true;
  if (sessions.wasDeleted(kv, owner.user, id)) return false;
  return workspace.transact(
    (draft) => {
      openSession(draft, workspace, owner, id);
      const found = sessions.find(draft, owner.user, id);
      return () => found !== undefined;
    },
    { sync: false },
  );
}

/**
 * Marks messages by id, so that they are never added to a session, which is created if it never existed.
 * Throws SESSION_EXPIRED for a deleted session.
 */
export async function passOverMessages(
  deps: CaptureDeps,
  call: ServiceCall,
  { sessionId, ids }: { readonly sessionId: string; readonly ids: readonly string[] },
): Promise<void> {
  const { workspace, owner } = await deps.tenants.openOrCreate(call.caller);
  await workspace.transact((draft) => {
    openSession(draft, workspace, owner, sessionId);
    passOver(draft, requireActiveSession(draft, workspace, call.caller, sessionId).node, ids);
    return () => undefined;
  });
}

/**
 * Adds messages with ids, each only once, to a session, which is created if it never existed. Commits the
 * session at most `commitAfterMs` after the first uncommitted message. Throws SESSION_EXPIRED for a deleted
 * session.
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
  const { sessionId, commitAfterMs } = input;
  const { messages, refused } = await screened(deps, call, sessionId, input.messages);
  await appendMessages({ ...deps, rules: RULES }, call, { sessionId, messages }, (draft, workspace) => {
    if (refused.length > 0)
      passOver(draft, requireActiveSession(draft, workspace, call.caller, sessionId).node, refused);
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

/**
 * The messages to store, and the ids of messages refused because they contain secrets. The conversation
 * continues without them, because its caller cannot change past messages.
 */
async function screened(
  deps: CaptureDeps,
  call: ServiceCall,
  sessionId: string,
  given: readonly NewMessage[],
): Promise<{ readonly messages: readonly NewMessage[]; readonly refused: readonly string[] }> {
  const { workspace } = await deps.tenants.openOrCreate(call.caller);
  const { secrets } = workspace;
  const uri = sessionUri(workspace, call, sessionId);
  const messages: NewMessage[] = [];
  const refused: string[] = [];
  const report: SecretReport = {};
  await secrets.watch(report, async (found) => {
    for (const message of given) {
      try {
        messages.push(await screenMessage(secrets, message, { uri }, found));
      } catch (error) {
        if (!(error instanceof SecretRefused)) throw error;
        if (message.id !== undefined) refused.push(message.id);
      }
    }
  });
  secrets.unreported(report, { operation: "gateway", requestId: sessionId, user: call.caller.user });
  return { messages, refused };
}
