import type { NodeId } from "../../domain/node.ts";
import { archiveName } from "../../domain/session.ts";
import { lastNumber } from "../../storage/key-numbers.ts";
import { archiveOfMessageKey, ownerOfSessionKey, sessionOfRecalledKey } from "../keys.ts";
import { MESSAGES, NODE_IDS, PATHS, RECALLED_EXTENTS, RECALLED_PARTS } from "../records.ts";
import {
  type ArchiveRecord,
  SESSION_RECORDS,
  type SessionRecord,
  TOOL_RECORDS,
  type ToolRecord,
  type Volume,
} from "../sessions/records.ts";
import type { Audit } from "./findings.ts";

/** Letters of session records that are checked with the session, or that have no value. */
const OTHER_KINDS = "aliux";

/**
 * Verifies sessions against their messages, archives and tool records, and finds records without a session.
 */
export async function verifySessions(audit: Audit): Promise<void> {
  const { workspace } = audit;
  const { keys } = workspace;
  for await (const [key, value] of audit.records(keys.allSessions())) {
    const { node, kind } = ownerOfSessionKey(keys, key);
    if (audit.placeOf(node) === "lost")
      audit.report("session", node, `its record ${kind} belongs to no session`);
    if (audit.placeOf(node) !== "reachable") continue;
    if (kind === "r") await checkSession(audit, node, SESSION_RECORDS.decode(value, key));
    else checkOther(audit, node, kind, [key, value]);
  }
  for await (const [key, value] of audit.records(keys.allRecalled())) {
    const node = sessionOfRecalledKey(keys, key);
    if (audit.placeOf(node) === "lost")
      audit.report("session", node, "what was recalled for it belongs to no session");
    if (key.startsWith(keys.recalledParts(node))) RECALLED_PARTS.decode(value, key);
    else RECALLED_EXTENTS.decode(value, key);
  }
  for await (const [key] of audit.records(keys.allMessages())) {
    const [node, archive] = archiveOfMessageKey(keys, key);
    const made = workspace.sessions.record(workspace.kv, node)?.archives;
    if (
      audit.placeOf(node) === "lost" ||
      (audit.placeOf(node) === "reachable" && (made === undefined || archive > made + 1))
    )
      audit.report(
        "message",
        node,
        `message ${lastNumber(key)} of ${archiveName(archive)} belongs to no archive`,
      );
  }
}

function checkOther(audit: Audit, node: NodeId, kind: string, [key, value]: [string, Uint8Array]): void {
  if (kind === "t") checkTool(audit, node, key, TOOL_RECORDS.decode(value, key));
  else if (kind === "e") NODE_IDS.decode(value, key);
  else if (kind === "p") PATHS.decode(value, key);
  else if (kind === "f") {
    const archive = lastNumber(key);
    if (sessionsArchive(audit, node, archive)?.remembered !== false)
      audit.report(
        "session",
        node,
        `findings of ${archiveName(archive)} are kept, which is remembered or none`,
      );
  } else if (!OTHER_KINDS.includes(kind))
    audit.report("session", node, `no kind of record has the key ${key}`);
}

const sessionsArchive = (
  { workspace: { kv, sessions } }: Audit,
  node: NodeId,
  archive: number,
): ArchiveRecord | undefined => sessions.archiveRecord(kv, node, archive);

async function checkSession(audit: Audit, node: NodeId, record: SessionRecord): Promise<void> {
  const { kv, sessions, keys } = audit.workspace;
  if (!audit.liveEntry(node)?.session)
    audit.report("session", node, "its entry does not say that it is a session");
  let first = 1;
  let turns = 0;
  for (let archive = 1; archive <= record.archives; archive++) {
    const made = sessions.archiveRecord(kv, node, archive);
    if (!made) {
      audit.report("archive", node, `${archiveName(archive)} is missing`);
      return;
    }
    if (made.first !== first)
      audit.report(
        "archive",
        node,
        `${archiveName(archive)} begins with message ${made.first} instead of ${first}`,
      );
    if (made.messages === 0) audit.report("archive", node, `${archiveName(archive)} is empty`);
    await checkMessages(audit, node, archive, made);
    checkLayers(audit, node, archive, made);
    first = made.first + made.messages;
    turns += made.turns;
  }
  if (record.first !== first)
    audit.report("session", node, `its buffer begins with message ${record.first} instead of ${first}`);
  if (record.stats.totalTurns !== turns)
    audit.report("session", node, `it counts ${record.stats.totalTurns} turns, its archives ${turns}`);
  await checkMessages(audit, node, record.archives + 1, { ...record.buffer, first: record.first });
  let tools = 0;
  for await (const _ of audit.records(keys.tools(node))) tools++;
  if (tools !== record.tools)
    audit.report("session", node, `it counts ${record.tools} tool records and has ${tools}`);
}

/** Checks that an archive contains exactly the messages in its record. */
async function checkMessages(
  audit: Audit,
  node: NodeId,
  archive: number,
  volume: Volume & { readonly first: number },
): Promise<void> {
  const name = archiveName(archive);
  let next = volume.first;
  let [bytes, turns] = [0, 0];
  for await (const [key, line] of audit.records(audit.workspace.keys.messages(node, archive))) {
    const sequence = lastNumber(key);
    if (sequence >= volume.first + volume.messages || sequence < next) {
      audit.report(
        "message",
        node,
        `message ${sequence} of ${name} is not one of those that its record names`,
      );
      continue;
    }
    for (; next < sequence; next++) audit.report("message", node, `message ${next} of ${name} is missing`);
    next++;
    bytes += line.byteLength + 1;
    turns += MESSAGES.decode(line, key).role === "user" ? 1 : 0;
  }
  for (; next < volume.first + volume.messages; next++)
    audit.report("message", node, `message ${next} of ${name} is missing`);
  if (bytes !== volume.bytes)
    audit.report(
      "archive",
      node,
      `the messages of ${name} have ${bytes} bytes, its record says ${volume.bytes}`,
    );
  if (turns !== volume.turns)
    audit.report(
      "archive",
      node,
      `${turns} messages of ${name} are the user's, its record says ${volume.turns}`,
    );
}

function checkLayers(audit: Audit, node: NodeId, archive: number, { remembered }: ArchiveRecord): void {
  const { kv, sessions } = audit.workspace;
  const made = ([0, 1] as const).filter(
    (level) => sessions.layer(kv, node, archive, level) !== undefined,
  ).length;
  if (made !== (remembered ? 2 : 0))
    audit.report(
      "layer",
      node,
      `${archiveName(archive)} has ${made} layers, which is not what its record says`,
    );
}

function checkTool(audit: Audit, node: NodeId, key: string, tool: ToolRecord): void {
  const { kv, sessions } = audit.workspace;
  if (sessions.message(kv, node, tool.archive, tool.sequence)?.parts[tool.part]?.type !== "tool")
    audit.report(
      "session",
      node,
      `the tool record ${key.slice(key.lastIndexOf("/") + 1)} names message ${tool.sequence}, which has no such part`,
    );
}
