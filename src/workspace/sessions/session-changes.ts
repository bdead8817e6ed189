import { sha256 } from "../../base/sha256.ts";
import { alreadyExists, ServiceError } from "../../domain/errors.ts";
import { isIdentifier } from "../../domain/ids.ts";
import { type Message, type ToolPart, type Uses, usesOf } from "../../domain/message.ts";
import type { NodeId } from "../../domain/node.ts";
import { encodeRecord } from "../../storage/record-codec.ts";
import type { Owner } from "../tree/locate.ts";
import { ensureDirectory, makeDirectory, type PendingCleanup, unlink } from "../tree/tree.ts";
import type { Workspace } from "../workspace.ts";
import type { WorkspaceDraft } from "../workspace-draft.ts";
import { type ArchiveRecord, EMPTY, type SessionRecord, TOOL_RECORDS, type ToolRecord } from "./records.ts";
import type { FoundSession } from "./sessions.ts";

const NO_STATS = {
  totalTurns: 0,
  contextsUsed: 0,
  skillsUsed: 0,
  memoriesExtracted: 0,
  totalTokens: 0,
  compressionCount: 0,
};
const LINE_END_BYTES = 1;
/**
 * Maximum bytes of uncommitted messages, so that a session cannot fill a disk unnoticed and a commit's work
 * is bounded.
 */
export const MAX_BUFFER_BYTES = 1024 * 1024 * 1024;

/** File name under `tools/` for a call: its id if that is a valid identifier, otherwise its hash. */
export const toolFileName = (call: string): string => `${isIdentifier(call) ? call : sha256(call)}.json`;

/** Content of a file under `tools/`. */
export const toolText = (part: ToolPart): string => `${JSON.stringify(part, null, 2)}\n`;

/**
 * Creates an empty session; the name of a deleted one may be reused. Throws ALREADY_EXISTS for a name in use.
 */
export function createSession(draft: WorkspaceDraft, workspace: Workspace, owner: Owner, id: string): void {
  const home = ["session", owner.user];
  const directory = ensureDirectory(draft, workspace, owner, home, workspace.uris.format(home), {
    session: true,
  });
  if (draft.entry(directory, id)) throw alreadyExists("session", id);
  const { node, created } = makeDirectory(draft, workspace, directory, id, { session: true });
  draft.delete(draft.keys.deletedSession(directory, id));
  putSession(draft, node, {
    agent: owner.agent,
    created,
    updated: created,
    archives: 0,
    buffer: EMPTY,
    first: 1,
    tools: 0,
    stats: NO_STATS,
  });
}

export function putSession(draft: WorkspaceDraft, session: NodeId, record: SessionRecord): void {
  draft.put(draft.keys.session(session), encodeRecord(record));
}

export function putArchive(
  draft: WorkspaceDraft,
  session: NodeId,
  archive: number,
  record: ArchiveRecord,
): void {
  draft.put(draft.keys.archive(session, archive), encodeRecord(record));
}

export interface Addition {
  readonly message: Message;
  /** The message in its stored form. */
  readonly line: Uint8Array;
  /** See messageTokenSteps. */
  readonly tokens: number;
  /** Whether the caller chose the id; a message with a known id is not added again. */
  readonly isOwnId: boolean;
}

/** Number of records of tool calls or uses that are written in one step. */
const RECORDS_PER_STEP = 16;

/**
 * Appends a message in short steps: its line, its tool records, its uses and the session's counts. Returns the
 * number of messages in the buffer. RESOURCE_EXHAUSTED if the uncommitted messages would exceed their limit.
 */
export function* appendMessage(
  draft: WorkspaceDraft,
  workspace: Workspace,
  { id, node, record }: FoundSession,
  addition: Addition,
  now: number,
): Generator<undefined, number> {
  const { message, line } = addition;
  const { keys } = draft;
  if (addition.isOwnId) {
    if (draft.get(keys.ownId(node, message.id))) return record.buffer.messages;
    draft.put(keys.ownId(node, message.id), encodeRecord(null));
  }
  const { buffer } = record;
  const bytes = buffer.bytes + line.byteLength + LINE_END_BYTES;
  if (bytes > MAX_BUFFER_BYTES) throw fullBuffer(id, bytes - buffer.bytes, buffer.bytes);
  const [archive, sequence] = [record.archives + 1, record.first + buffer.messages];
  draft.put(keys.message(node, archive, sequence), line);
  let tools = record.tools;
  for (const [part, tool] of message.parts.entries()) {
    if (tool.type === "tool") tools += putTool(draft, node, message, tool, { archive, sequence, part });
    if (part % RECORDS_PER_STEP === RECORDS_PER_STEP - 1) yield;
  }
  const added: SessionRecord = {
    ...record,
    updated: Math.max(record.updated, now),
    tools,
    buffer: {
      messages: buffer.messages + 1,
      bytes,
      turns: buffer.turns + (message.role === "user" ? 1 : 0),
      tokens: buffer.tokens + addition.tokens,
    },
  };
  putSession(draft, node, yield* noteUses(draft, workspace, node, added, usesOf(message)));
  return added.buffer.messages;
}

/** Marks message ids as added, so that these messages are never added. */
export function passOver(draft: WorkspaceDraft, session: NodeId, ids: readonly string[]): void {
  for (const id of ids) {
    const key = draft.keys.ownId(session, id);
    if (!draft.get(key)) draft.put(key, encodeRecord(null));
  }
}

function fullBuffer(session: string, more: number, used: number): ServiceError {
  const reason =
    `its messages that are not committed have ${used} bytes, and this one has ${more} more; ` +
    `at most ${MAX_BUFFER_BYTES} may wait for a commit: commit the session, then add the message again`;
  const details = { resource: session, reason, unit: "bytes", used, more, limit: MAX_BUFFER_BYTES };
  return new ServiceError("RESOURCE_EXHAUSTED", `session ${session}: ${reason}`, details);
}

/** Returns 1 if the file is new. */
function putTool(
  draft: WorkspaceDraft,
  session: NodeId,
  message: Message,
  tool: ToolPart,
  place: Pick<ToolRecord, "archive" | "sequence" | "part">,
): number {
  // a call without an id is identified by its position
  const key = draft.keys.tool(session, toolFileName(tool.tool_id || `${message.id}.${place.part}`));
  const before = TOOL_RECORDS.read(draft, key);
  const now = Date.parse(message.created_at);
  const created = before?.created ?? now;
  draft.put(
    key,
    encodeRecord({
      ...place,
      size: Buffer.byteLength(toolText(tool)),
      created,
      modified: now,
    } satisfies ToolRecord),
  );
  return before ? 0 : 1;
}

/**
 * Records uses in short steps, each context and skill once per session; the next commit updates their counts.
 * Returns the record with the counts.
 */
export function* noteUses(
  draft: WorkspaceDraft,
  workspace: Workspace,
  session: NodeId,
  record: SessionRecord,
  uses: Uses,
): Generator<undefined, SessionRecord> {
  const note = (uri: string): number => {
    const path = workspace.uris.parse(uri);
    const place = path.join("/");
    if (draft.get(draft.keys.used(session, place))) return 0;
    draft.put(draft.keys.used(session, place), encodeRecord(null));
    draft.put(draft.keys.pendingUse(session, record.archives + 1, place), encodeRecord(path));
    return 1;
  };
  const { stats } = record;
  let [contexts, skills] = [0, 0];
  for (const [i, uri] of uses.contexts.entries()) {
    contexts += note(uri);
    if (i % RECORDS_PER_STEP === RECORDS_PER_STEP - 1) yield;
  }
  for (const [i, uri] of uses.skills.entries()) {
    skills += note(uri);
    if (i % RECORDS_PER_STEP === RECORDS_PER_STEP - 1) yield;
  }
  if (contexts + skills === 0) return record;
  return {
    ...record,
    stats: { ...stats, contextsUsed: stats.contextsUsed + contexts, skillsUsed: stats.skillsUsed + skills },
  };
}

/** Removes a session from the tree and records its name as deleted; its records are purged. */
export function removeSession(
  draft: WorkspaceDraft,
  workspace: Workspace,
  { id, directory, entry }: FoundSession,
): PendingCleanup {
  draft.put(draft.keys.deletedSession(directory, id), encodeRecord(null));
  return { ...unlink(draft, workspace, directory, id, entry), stale: [] };
}
