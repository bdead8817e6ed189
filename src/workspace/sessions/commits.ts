import type { NodeId } from "../../domain/node.ts";
import { isReadable } from "../../domain/scope.ts";
import { statsView } from "../../domain/session.ts";
import { type KvReader, prefixRange } from "../../storage/kv.ts";
import { encodeRecord, type RecordKind } from "../../storage/record-codec.ts";
import { PATHS } from "../records.ts";
import { getTask, isEnded, putTask } from "../requests/tasks.ts";
import { locate, type Owner } from "../tree/locate.ts";
import { countUse } from "../tree/usage.ts";
import type { Workspace } from "../workspace.ts";
import type { WorkspaceDraft } from "../workspace-draft.ts";
import { type ArchiveRecord, EMPTY } from "./records.ts";
import { putArchive, putSession } from "./session-changes.ts";
import type { FoundSession } from "./sessions.ts";

const USES_PER_CHANGE = 500;

/**
 * Archives the uncommitted messages: they stay where they are, and later ones get the next archive number.
 * Returns the archive's number; undefined if there was nothing to archive.
 */
export function archiveBuffer(
  draft: WorkspaceDraft,
  { node, record }: FoundSession,
  task: string,
  now: number,
): number | undefined {
  const { buffer, first } = record;
  if (buffer.messages === 0) return undefined;
  const archive = record.archives + 1;
  const stats = {
    ...record.stats,
    totalTurns: record.stats.totalTurns + buffer.turns,
    totalTokens: record.stats.totalTokens + buffer.tokens,
    compressionCount: archive,
  };
  putArchive(draft, node, archive, {
    ...buffer,
    first,
    created: now,
    task,
    memories: 0,
    activeCountUpdated: 0,
    remembered: false,
    stats,
  });
  const updated = Math.max(record.updated, now);
  putSession(draft, node, {
    ...record,
    updated,
    archives: archive,
    buffer: EMPTY,
    first: first + buffer.messages,
    stats,
  });
  return archive;
}

/**
 * Counts the uses recorded before a commit, if the node still exists and its owner may read it. Each use is
 * counted in the transaction that removes its record, so that an interrupted job can continue.
 */
export async function countUses(
  workspace: Workspace,
  owner: Owner,
  session: NodeId,
  archive: number,
  signal: AbortSignal,
): Promise<void> {
  const { kv, keys, sessions } = workspace;
  const prefix = keys.pendingUses(session, archive);
  for (;;) {
    signal.throwIfAborted();
    const page = await kv.range(prefixRange(prefix, USES_PER_CHANGE));
    if (page.length === 0) return;
    await workspace.transact((draft) => {
      draft.isBeyondQuota = true;
      const record = sessions.archiveRecord(draft, session, archive);
      let counted = 0;
      for (const [key, value] of page) {
        if (draft.get(key) === undefined) continue;
        draft.delete(key);
        const path = PATHS.decode(value, key);
        const node = isReadable(owner, path) ? locate(draft, keys, owner, path)?.entry?.node : undefined;
        if (node === undefined) continue;
        countUse(draft, node, workspace.clock());
        counted++;
      }
      if (record && counted > 0)
        putArchive(draft, session, archive, {
          ...record,
          activeCountUpdated: record.activeCountUpdated + counted,
        });
      return () => undefined;
    });
  }
}

/**
 * Facts extracted from an archive that are not stored as memories yet. They are kept because another
 * extraction might return different facts; removed at the end of the commit.
 */
export function findingsOf<T>(
  workspace: Workspace,
  session: NodeId,
  archive: number,
  kind: RecordKind<T>,
): T | undefined {
  return kind.read(workspace.kv, workspace.keys.findings(session, archive));
}

/** Stores findings, unless the archive is finished or was removed with its session. */
export function keepFindings(
  workspace: Workspace,
  session: NodeId,
  archive: number,
  findings: unknown,
): Promise<void> {
  return workspace.transact((draft) => {
    draft.isBeyondQuota = true;
    if (isOpen(workspace, draft, session, archive))
      draft.put(draft.keys.findings(session, archive), encodeRecord(findings));
    return () => undefined;
  });
}

function isOpen({ sessions }: Workspace, reader: KvReader, session: NodeId, archive: number): boolean {
  const record = sessions.archiveRecord(reader, session, archive);
  return record !== undefined && !record.remembered;
}

/**
 * Counts an archive's new memories in the transaction that writes them. Returns false if nothing may be
 * written: the archive is finished, or was removed with its session.
 */
export function countMemories(
  draft: WorkspaceDraft,
  workspace: Workspace,
  session: NodeId,
  archive: number,
  count: number,
): boolean {
  const record = workspace.sessions.archiveRecord(draft, session, archive);
  if (!record || record.remembered) return false;
  putArchive(draft, session, archive, { ...record, memories: record.memories + count });
  return true;
}

export interface Remembered {
  readonly layers: { readonly abstract: string; readonly overview: string };
  /** New memories that the archive's record does not count yet. */
  readonly memories: number;
}

/**
 * Ends the second phase of a commit: layers, statistics, the task's result. An archive that is finished, or
 * was removed with its session, is unchanged.
 */
export function finishArchive(
  draft: WorkspaceDraft,
  workspace: Workspace,
  session: NodeId,
  archive: number,
  made: Remembered,
): void {
  const { sessions } = workspace;
  const record = sessions.archiveRecord(draft, session, archive);
  const header = sessions.record(draft, session);
  const place = draft.node(session);
  // a deleted session keeps its records until it is purged
  if (
    !record ||
    record.remembered ||
    !header ||
    !place ||
    draft.entry(place.directory, place.name)?.node !== session
  )
    return;
  draft.delete(draft.keys.findings(session, archive));
  draft.put(draft.keys.archiveLayer(session, archive, 0), Buffer.from(made.layers.abstract));
  draft.put(draft.keys.archiveLayer(session, archive, 1), Buffer.from(made.layers.overview));
  const memories = record.memories + made.memories;
  const memoriesExtracted = header.stats.memoriesExtracted + memories;
  const stats = { ...record.stats, memoriesExtracted };
  const finished: ArchiveRecord = { ...record, memories, remembered: true, stats };
  putArchive(draft, session, archive, finished);
  putSession(draft, session, { ...header, stats: { ...header.stats, memoriesExtracted } });
  const user = draft.node(place.directory)?.name;
  const task = user === undefined ? undefined : getTask(draft, draft.keys, user, record.task);
  if (task && !isEnded(task))
    putTask(draft, {
      ...task,
      stage: "remembered",
      result: resultOf(place.name, finished),
      updated: workspace.clock(),
    });
}

/** State of a commit, with the field names of the API. */
const resultOf = (session: string, { memories, activeCountUpdated, stats }: ArchiveRecord) => ({
  session_id: session,
  status: "committed",
  archived: true,
  memories_extracted: memories,
  active_count_updated: activeCountUpdated,
  stats: statsView(stats),
});
