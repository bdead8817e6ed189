import {
  AGENTS,
  type Author,
  type ChangeKind,
  type Entry,
  FIRST_FREE_NODE,
  type History,
  type NodeId,
  USERS,
} from "../../domain/node.ts";
import { type KvReader, prefixRange } from "../../storage/kv.ts";
import { encodeRecord } from "../../storage/record-codec.ts";
import type { Keys } from "../keys.ts";
import { NODE_RECORDS, VERSIONS, type VersionRecord } from "../records.ts";
import { NO_VERSIONS } from "../version-limits.ts";
import type { Workspace } from "../workspace.ts";
import type { WorkspaceDraft } from "../workspace-draft.ts";
import { dropTexts } from "./layers.ts";

/**
 * Earlier versions of files: one record per version, whose content stays in place (decision 22). A file's
 * versions are numbered without gaps, so that its entry needs only the first number.
 */

/** Versions removed per transaction of a purge. */
const KEYS_PER_CHANGE = 500;

export const versionOf = (entry: Pick<Entry, "version">): number => entry.version ?? 1;

const recordOf = ({ generation, size, modified, by, change }: Entry): VersionRecord =>
  change === undefined ? [generation, size, modified] : [generation, size, modified, by ?? null, change];

/**
 * The entry of an earlier version, for reading its content (layers and chunks are the current ones).
 * Undefined if the version is not stored.
 */
export function entryOfVersion(
  reader: KvReader,
  keys: Keys,
  entry: Entry,
  version: number,
): Entry | undefined {
  if (version === versionOf(entry)) return entry;
  const { hash: _, history: __, chunks: ___, ...kept } = withoutAuthor(entry);
  const isKept = entry.history && version >= entry.history.first && version < versionOf(entry);
  const record = isKept ? VERSIONS.read(reader, keys.version(entry.node, version)) : undefined;
  if (!record) return undefined;
  const [generation, size, modified, by, change] = record;
  return { ...kept, generation, size, modified, version, ...authorOf(by, change) };
}

const authorOf = (by: Author | null | undefined, change: ChangeKind | undefined) => ({
  ...(by !== undefined && by !== null && { by }),
  ...(change && { change }),
});

function withoutAuthor({ by: _, change: __, ...entry }: Entry): Entry {
  return entry;
}

/** Stores the previous content of a file as a version, in the transaction that links the new one. */
export function keepVersion(
  draft: WorkspaceDraft,
  workspace: Workspace,
  directory: NodeId,
  before: Entry,
  made: Entry,
): Entry {
  const { version, history, by, change } = before;
  if (before.hash === made.hash)
    return {
      ...withoutAuthor(made),
      ...(version !== undefined && { version }),
      ...(history && { history }),
      ...authorOf(by, change),
    };
  const number = versionOf(before);
  const limits = isMemoryDirectory(draft, directory) ? NO_VERSIONS : workspace.limits.versions;
  const kept = limits.perFile > 0 && before.size <= limits.bytesPerFile;
  const longer: History = { first: history?.first ?? number, bytes: (history?.bytes ?? 0) + before.size };
  draft.put(draft.keys.version(before.node, number), encodeRecord(recordOf(before)));
  const left = shorten(
    draft,
    workspace,
    before.node,
    longer,
    number,
    ({ first, bytes }) => !kept || number - first >= limits.perFile || bytes > limits.bytesPerFile,
  );
  if (left) noteKept(draft, workspace, before.node);
  return { ...made, version: number + 1, ...(left && { history: left }) };
}

function noteKept(draft: WorkspaceDraft, workspace: Workspace, node: NodeId): void {
  draft.keepsVersions = true;
  draft.sheddable.push(() => {
    const place = draft.node(node);
    const entry = place && draft.entry(place.directory, place.name);
    if (!place || !entry?.history) return;
    const { history, ...kept } = entry;
    shorten(draft, workspace, node, history, versionOf(entry) - 1, () => true);
    draft.put(draft.keys.entry(place.directory, place.name), encodeRecord(kept));
  });
}

/**
 * Removes a file's oldest versions while `isTooLong` returns true; returns the remaining range up to `last`.
 */
export function shorten(
  draft: WorkspaceDraft,
  workspace: Workspace,
  node: NodeId,
  history: History,
  last: number,
  isTooLong: (history: History) => boolean,
): History | undefined {
  let left = history;
  while (left.first <= last && isTooLong(left)) {
    const size = dropKept(draft, workspace, draft.keys.version(node, left.first), node);
    left = { first: left.first + 1, bytes: left.bytes - size };
  }
  return left.first > last ? undefined : left;
}

/** Removes a version with its content; returns its size in bytes. */
function dropKept(draft: WorkspaceDraft, workspace: Workspace, key: string, node: NodeId): number {
  const record = VERSIONS.read(draft, key);
  if (!record) return 0;
  const [generation, size] = record;
  draft.delete(key);
  dropTexts(draft, workspace, node, generation);
  return size;
}

/** Whether the content of a replaced entry is stored as a version. */
export const isKept = (draft: WorkspaceDraft, entry: Entry): boolean =>
  VERSIONS.read(draft, draft.keys.version(entry.node, versionOf(entry)))?.[0] === entry.generation;

/** Removes all versions of a purged file, with their contents. Idempotent. */
export async function purgeVersions(workspace: Workspace, node: NodeId, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const found = await workspace.kv.keys(prefixRange(workspace.keys.versions(node), KEYS_PER_CHANGE));
    if (found.length === 0) return;
    await workspace.transact((draft) => {
      draft.isBeyondQuota = true;
      for (const key of found) dropKept(draft, workspace, key, node);
      return () => undefined;
    });
  }
}

/**
 * Whether a directory belongs to memories of a user or agent. Their files keep no versions, because deleted
 * memories must leave no trace.
 */
function isMemoryDirectory(draft: WorkspaceDraft, directory: NodeId): boolean {
  const recordOf = (node: NodeId) => NODE_RECORDS.readShared(draft, draft.keys.node(node));
  let at = recordOf(directory);
  while (at && at.directory >= FIRST_FREE_NODE) {
    const above = recordOf(at.directory);
    const isSpace = above?.directory === USERS || (above && recordOf(above.directory)?.directory === AGENTS);
    if (at.name === "memories" && isSpace) return true;
    at = above;
  }
  return false;
}
