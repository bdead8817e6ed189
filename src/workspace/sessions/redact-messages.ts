import { type Message, messageTokens, type ToolPart } from "../../domain/message.ts";
import type { NodeId } from "../../domain/node.ts";
import { encodeRecord } from "../../storage/record-codec.ts";
import { Conflict } from "../conflict.ts";
import { MESSAGES } from "../records.ts";
import type { Workspace } from "../workspace.ts";
import type { WorkspaceDraft } from "../workspace-draft.ts";
import { TOOL_RECORDS, type Volume } from "./records.ts";
import { putArchive, putSession, toolFileName, toolText } from "./session-changes.ts";

/** A message that replaces another. */
export interface Redaction {
  readonly archive: number;
  readonly sequence: number;
  readonly message: Message;
}

/**
 * Rewrites messages in place, and updates the counts that depend on their size. Throws Conflict if a message
 * is gone or has changed.
 */
export function redactMessages(
  draft: WorkspaceDraft,
  workspace: Workspace,
  session: NodeId,
  redactions: readonly Redaction[],
): void {
  const { keys } = draft;
  for (const { archive, sequence, message } of redactions) {
    const key = keys.message(session, archive, sequence);
    const before = draft.get(key);
    const known = before && MESSAGES.decode(before, key);
    if (!before || known?.id !== message.id) throw new Conflict("a message");
    const line = encodeRecord(message);
    draft.put(key, line);
    countChange(draft, workspace, session, archive, {
      bytes: line.byteLength - before.byteLength,
      tokens: messageTokens(message) - messageTokens(known),
    });
    for (const [part, tool] of message.parts.entries())
      if (tool.type === "tool") resizeTool(draft, session, message.id, tool, { archive, sequence, part });
  }
}

function countChange(
  draft: WorkspaceDraft,
  { sessions }: Workspace,
  session: NodeId,
  archive: number,
  change: Pick<Volume, "bytes" | "tokens">,
): void {
  const changed = <V extends Volume>(volume: V): V => ({
    ...volume,
    bytes: volume.bytes + change.bytes,
    tokens: Math.max(0, volume.tokens + change.tokens),
  });
  const record = sessions.record(draft, session);
  const made = sessions.archiveRecord(draft, session, archive);
  if (made) putArchive(draft, session, archive, changed(made));
  else if (record) putSession(draft, session, { ...record, buffer: changed(record.buffer) });
}

/** Updates the recorded size of a tool call's file after its part has changed. */
function resizeTool(
  draft: WorkspaceDraft,
  session: NodeId,
  message: string,
  tool: ToolPart,
  place: { readonly archive: number; readonly sequence: number; readonly part: number },
): void {
  const key = draft.keys.tool(session, toolFileName(tool.tool_id || `${message}.${place.part}`));
  const known = TOOL_RECORDS.read(draft, key);
  if (known?.archive !== place.archive || known.sequence !== place.sequence || known.part !== place.part)
    return;
  draft.put(key, encodeRecord({ ...known, size: Buffer.byteLength(toolText(tool)) }));
}
