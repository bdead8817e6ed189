import { notFound } from "../../domain/errors.ts";
import type { Message } from "../../domain/message.ts";
import type { SessionHistory } from "../../retrieve/plan/plan.ts";
import type { Turn } from "../../retrieve/plan/subjects.ts";
import { MESSAGES } from "../../workspace/records.ts";
import type { FoundSession } from "../../workspace/sessions/sessions.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** Messages of the session that a plan looks at, and characters of each. */
const TURNS = 8;
const TURN_LENGTH = 4000;

/** A session of the caller; NOT_FOUND for what is none. */
export function ownSession({ kv, sessions }: Workspace, user: string, id: string): FoundSession {
  const session = sessions.find(kv, user, id);
  if (!session) throw notFound("session", id);
  return session;
}

/** A session of the caller as a plan needs it; NOT_FOUND for what is none. */
export async function historyOf(workspace: Workspace, user: string, id: string): Promise<SessionHistory> {
  const { kv, sessions } = workspace;
  const { node, record } = ownSession(workspace, user, id);
  const layer = (level: 0 | 1) => sessions.layer(kv, node, record.archives, level) ?? "";
  const summary = layer(0);
  for await (const lines of sessions.newestFirst(kv, node, record, TURNS))
    return { summary, turns: lines.map(beginningOf).reverse() };
  // all that was said is in the archive
  return { summary, turns: summary === "" ? [] : [{ role: "user", text: layer(1) }] };
}

function beginningOf(line: string): Turn {
  const { role, text } = turnOf(MESSAGES.parse(line));
  return { role, text: text.slice(0, TURN_LENGTH).toWellFormed() };
}

/** A message as it is read: its texts. */
export const turnOf = ({ role, parts }: Message): Turn => ({
  role,
  text: parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n"),
});

/** Turns of a session that its model still has before it, the newest first, as far as is read. */
const MAX_LIVE_TURNS = 400;
const MAX_LIVE_LENGTH = 256 * 1024;

/** The texts of the messages that are not archived yet. */
export async function lastTurns(
  { kv, sessions }: Workspace,
  { node, record }: FoundSession,
): Promise<string[]> {
  const texts: string[] = [];
  let length = 0;
  for await (const lines of sessions.newestFirst(kv, node, record, TURNS * 4)) {
    for (const line of lines) {
      const { text } = turnOf(MESSAGES.parse(line));
      length += text.length;
      if (length > MAX_LIVE_LENGTH || texts.length >= MAX_LIVE_TURNS) return texts;
      texts.push(text);
    }
  }
  return texts;
}
