import { EventLoopYielder } from "../base/event-loop.ts";
import type { Message } from "../domain/message.ts";
import type { NodeId } from "../domain/node.ts";
import type { SessionArchive } from "../workspace/sessions/sessions.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** Layers cover the beginning and the end of a long archive: messages of so many bytes each. */
const EXCERPT_BYTES = 2 * 1024 * 1024;

/** All messages of an archive; for a long one those at its beginning and end. */
export async function excerptOf(
  { sessions }: Workspace,
  session: NodeId,
  archive: SessionArchive,
): Promise<Message[]> {
  const yielder = new EventLoopYielder();
  const said: Message[] = [];
  let left = EXCERPT_BYTES;
  for await (const { message, bytes } of sessions.said(session, archive.archive, archive)) {
    said.push(message);
    left -= bytes;
    if (left <= 0) break;
    await yielder.yieldIfDue();
  }
  const missing = archive.messages - said.length;
  if (missing <= 0) return said;
  return [...said, ...(await sessions.lastSaid(session, archive.archive, EXCERPT_BYTES)).slice(-missing)];
}
