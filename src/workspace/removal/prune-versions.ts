import type { History, NodeId } from "../../domain/node.ts";
import { pairPages, prefixRange } from "../../storage/kv.ts";
import { encodeRecord } from "../../storage/record-codec.ts";
import { versionOfKey } from "../keys.ts";
import { VERSIONS } from "../records.ts";
import { countedVersions } from "../tree/stored-bytes.ts";
import { shorten, versionOf } from "../tree/versions.ts";
import { MAX_VERSIONS_PER_FILE } from "../version-limits.ts";
import type { Workspace } from "../workspace.ts";
import type { WorkspaceDraft } from "../workspace-draft.ts";
import { BytesByHour, hourOf } from "./bytes-by-hour.ts";

const PAGE = 1000;
/** Maximum number of versions removed per transaction. */
const VERSIONS_PER_CHANGE = MAX_VERSIONS_PER_FILE;
/** A version, and the time when it was replaced (Unix time in ms). */
interface Replaced {
  readonly node: NodeId;
  readonly version: number;
  readonly bytes: number;
  readonly at: number;
}

/**
 * Removes versions that were replaced too long ago, and the oldest ones if a workspace exceeds the limit of
 * bytes. Idempotent; returns whether any versions remain.
 */
export async function pruneVersions(workspace: Workspace, signal: AbortSignal): Promise<boolean> {
  const { lifeMs, bytes } = workspace.limits.versions;
  const oldest = workspace.clock() - lifeMs;
  const byHour = new BytesByHour();
  const oldOnes = (versions: readonly Replaced[]): number => {
    const old = versions.findLastIndex(({ at }) => at <= oldest) + 1;
    for (const { at, bytes } of versions.slice(old)) byHour.add(at, bytes);
    return old;
  };
  await prune(workspace, oldOnes, signal);
  let over = countedVersions(workspace.kv, workspace.keys) - bytes;
  if (over <= 0) return !byHour.isEmpty;
  const lastHour = byHour.hourThatFrees(over);
  const tooMany = (versions: readonly Replaced[]): number => {
    let count = 0;
    for (const { at, bytes } of versions) {
      if (over <= 0 || hourOf(at) > lastHour) break;
      over -= bytes;
      count++;
    }
    return count;
  };
  await prune(workspace, tooMany, signal);
  return countedVersions(workspace.kv, workspace.keys) > 0;
}

/** Removes the `count` oldest versions of each file. */
async function prune(
  workspace: Workspace,
  count: (versions: readonly Replaced[]) => number,
  signal: AbortSignal,
): Promise<void> {
  let batch: Replaced[] = [];
  let waiting = 0;
  for await (const versions of versionsByFile(workspace)) {
    signal.throwIfAborted();
    const going = count(versions);
    const last = versions[going - 1];
    if (!last) continue;
    batch.push(last);
    waiting += going;
    if (waiting < VERSIONS_PER_CHANGE) continue;
    await drop(workspace, batch);
    batch = [];
    waiting = 0;
  }
  if (batch.length > 0) await drop(workspace, batch);
}

/** The stored versions of each existing file, in order. */
async function* versionsByFile(workspace: Workspace): AsyncGenerator<Replaced[]> {
  const { keys } = workspace;
  let found: { node: NodeId; version: number; bytes: number; made: number }[] = [];
  for await (const page of pairPages(workspace.kv, prefixRange(keys.allVersions(), PAGE))) {
    for (const [key, value] of page) {
      const [node, version] = versionOfKey(key);
      const [, bytes, made] = VERSIONS.decode(value, key);
      if (found[0] && found[0].node !== node) {
        yield replacedAt(workspace, found);
        found = [];
      }
      found.push({ node, version, bytes, made });
    }
  }
  if (found.length > 0) yield replacedAt(workspace, found);
}

/** A version was replaced when the next one was written. */
function replacedAt(
  workspace: Workspace,
  found: readonly { node: NodeId; version: number; bytes: number; made: number }[],
): Replaced[] {
  const entry = found[0] && workspace.entryOf(found[0].node)?.entry;
  // versions of removed files are left to the purge
  if (!entry) return [];
  return found.map(({ node, version, bytes }, i) => ({
    node,
    version,
    bytes,
    at: found[i + 1]?.made ?? entry.modified,
  }));
}

function drop(workspace: Workspace, files: readonly Replaced[]): Promise<void> {
  return workspace.transact((draft) => {
    draft.isBeyondQuota = true;
    for (const { node, version } of files) dropUpTo(draft, workspace, node, version);
    return () => undefined;
  });
}

function dropUpTo(draft: WorkspaceDraft, workspace: Workspace, node: NodeId, last: number): void {
  const place = draft.node(node);
  const entry = place && draft.entry(place.directory, place.name);
  if (!place || entry?.node !== node || !entry.history) return;
  const { history, ...kept } = entry;
  const isGoing = ({ first }: History): boolean => first <= last;
  const left = shorten(draft, workspace, node, history, versionOf(entry) - 1, isGoing);
  draft.put(
    draft.keys.entry(place.directory, place.name),
    encodeRecord({ ...kept, ...(left && { history: left }) }),
  );
}
