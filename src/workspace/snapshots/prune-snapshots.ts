import type { NodeId } from "../../domain/node.ts";
import { pairPages, prefixRange } from "../../storage/kv.ts";
import { encodeRecord } from "../../storage/record-codec.ts";
import { keptEntryParts, nodeOfKey } from "../keys.ts";
import type { Workspace } from "../workspace.ts";
import type { WorkspaceDraft } from "../workspace-draft.ts";
import {
  type EntryOfSnapshot,
  KEPT_ENTRIES,
  KEPT_NODES,
  type KeptContent,
  type KeptNode,
} from "./records.ts";

const PAGE = 500;
/** Maximum number of records removed per transaction; small, so that other transactions are not delayed. */
const RECORDS_PER_CHANGE = 200;

/**
 * Removes expired snapshots, and everything kept only for removed snapshots. Idempotent. Returns the time of
 * the next expiry (Unix time in ms); undefined if no snapshot expires.
 */
export async function pruneSnapshots(workspace: Workspace, signal: AbortSignal): Promise<number | undefined> {
  await dropExpired(workspace, signal);
  await pruneEntries(workspace, signal);
  await pruneNodes(workspace, signal);
  let next: number | undefined;
  for (const { expires } of workspace.snapshots.all)
    if (expires !== undefined) next = Math.min(next ?? expires, expires);
  return next;
}

async function dropExpired(workspace: Workspace, signal: AbortSignal): Promise<void> {
  const { snapshots } = workspace;
  const now = workspace.clock();
  const expired = [...snapshots.all].filter(({ expires }) => expires !== undefined && expires <= now);
  for (let at = 0; at < expired.length; at += RECORDS_PER_CHANGE) {
    signal.throwIfAborted();
    await change(workspace, (draft) => {
      for (const snapshot of expired.slice(at, at + RECORDS_PER_CHANGE)) {
        // another snapshot may have got the name meanwhile
        const { owner, name } = snapshot;
        if (snapshots.find(owner, name) === snapshot) snapshots.drop(draft, snapshot);
      }
    });
  }
}

/**
 * Removes kept entries that no snapshot reads. A snapshot reads the first entry of a name that was kept after
 * it, so a kept entry is needed only by snapshots made since the previous kept entry.
 */
async function pruneEntries(workspace: Workspace, signal: AbortSignal): Promise<void> {
  const { kv, keys, snapshots } = workspace;
  let last: { readonly directory: NodeId; readonly name: string; readonly number: number } | undefined;
  let going: string[] = [];
  for await (const page of pairPages(kv, prefixRange(keys.allKeptEntries(), PAGE))) {
    signal.throwIfAborted();
    for (const [key, value] of page) {
      const at = keptEntryParts(keys, key);
      const before = last?.directory === at.directory && last.name === at.name ? last.number : 0;
      const [needed] = KEPT_ENTRIES.decode(value, key);
      if (!needed.some((number) => number > before && snapshots.numbers.has(number))) going.push(key);
      last = at;
    }
    for (; going.length >= RECORDS_PER_CHANGE; going = going.slice(RECORDS_PER_CHANGE))
      await dropEntries(workspace, going.slice(0, RECORDS_PER_CHANGE));
  }
  await dropEntries(workspace, going);
}

async function dropEntries(workspace: Workspace, going: readonly string[]): Promise<void> {
  if (going.length === 0) return;
  await change(workspace, (draft) => {
    for (const key of going) {
      const entry = KEPT_ENTRIES.read(draft, key)?.[1];
      draft.delete(key);
      if (entry?.kind === "file") release(draft, workspace, entry);
    }
  });
}

/** Removes the content of a kept entry if nothing else needs it. */
function release(draft: WorkspaceDraft, workspace: Workspace, { node, generation }: EntryOfSnapshot): void {
  const key = draft.keys.keptNode(node);
  const kept = KEPT_NODES.read(draft, key);
  const found = kept?.contents?.find(([of]) => of === generation);
  if (!kept || !found) return;
  const [, entries, state] = found;
  const { contents = [], ...rest } = kept;
  const others = contents.filter(([of]) => of !== generation);
  const left: readonly KeptContent[] = entries > 1 ? [...others, [generation, entries - 1, state]] : others;
  draft.put(key, encodeRecord({ ...rest, ...(left.length > 0 && { contents: left }) } satisfies KeptNode));
  if (entries === 1 && state === "alone") workspace.contents.drop(draft, node, generation);
}

/** Removes node records that were kept for removed snapshots, and grants on nodes that no longer exist. */
async function pruneNodes(workspace: Workspace, signal: AbortSignal): Promise<void> {
  const { kv, keys, snapshots } = workspace;
  for await (const page of pairPages(kv, prefixRange(keys.allKeptNodes(), PAGE))) {
    signal.throwIfAborted();
    const stale = page.flatMap(([key, value]) => {
      const { needed } = KEPT_NODES.decode(value, key);
      return needed.every((number) => snapshots.numbers.has(number)) ? [] : [key];
    });
    for (let at = 0; at < stale.length; at += RECORDS_PER_CHANGE)
      await change(workspace, (draft) => {
        for (const key of stale.slice(at, at + RECORDS_PER_CHANGE)) pruneNode(draft, workspace, key);
      });
  }
}

function pruneNode(draft: WorkspaceDraft, workspace: Workspace, key: string): void {
  const kept = KEPT_NODES.read(draft, key);
  if (!kept) return;
  const needed = kept.needed.filter((number) => workspace.snapshots.numbers.has(number));
  if (needed.length > 0 || kept.contents) {
    draft.put(key, encodeRecord({ ...kept, needed } satisfies KeptNode));
    return;
  }
  draft.delete(key);
  const node = nodeOfKey(key);
  if (!draft.node(node)) workspace.sharing.dropNode(draft, node);
}

const change = (workspace: Workspace, step: (draft: WorkspaceDraft) => void): Promise<void> =>
  workspace.transact((draft) => {
    draft.isBeyondQuota = true;
    step(draft);
    return () => undefined;
  });
