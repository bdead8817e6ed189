import { notFound } from "../../domain/errors.ts";
import type { Message } from "../../domain/message.ts";
import type { SessionHistory } from "../../retrieve/plan/plan.ts";
import type { Turn } from "../../retrieve/plan/subjects.ts";
import { MESSAGES } from "../../workspace/records.ts";
import type { FoundSession } from "../../workspace/sessions/sessions.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** Maximum session messages used for a plan, and characters of each. */
const TURNS = 8;
const TURN_LENGTH = 4000;

/** The caller's session with this id. Throws NOT_FOUND. */
export function ownSession({ kv, sessions }: Workspace, user: string, id: string): FoundSession {
  const session = sessions.find(kv, user, id);
  if (!session) throw notFound("session", id);
  return session;
}

/** The history of a caller's session for query planning. Throws NOT_FOUND. */
export async function historyOf(workspace: Workspace, user: string, id: string): Promise<SessionHistory> {
  const { kv, sessions } = workspace;
  const { node, record } = ownSession(workspace, user, id);
  const layer = (level: 0 | 1) => sessions.layer(kv, node, record.archives, level) ?? "";
  const summary = layer(0);
  for await (const lines of sessions.newestFirst(kv, node, record, TURNS))
    return { summary, turns: lines.map(beginningOf).reverse() };
  // all messages are archived
  return { summary, turns: summary === "" ? [] : [{ role: "user", text: layer(1) }] };
}

function beginningOf(line: string): Turn {
  const { role, text } = turnOf(MESSAGES.parse(line));
  return { role, text: text.slice(0, TURN_LENGTH).toWellFormed() };
}

/** Converts a message to a turn: the text of its parts. */
export const turnOf = ({ role, parts }: Message): Turn => ({
  role,
  text: parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n"),
});

/**
 * Limits on the unarchived messages that are read, newest first: their number, and their total length in
 * UTF-16 units.
 */
const MAX_LIVE_TURNS = 400;
const MAX_LIVE_LENGTH = 256 * 1024;

/** Texts of the messages that are not archived yet, newest first, within the limits. */
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
