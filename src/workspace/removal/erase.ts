import type { WorkspaceId } from "../../domain/ids.ts";
import type { Purge } from "../../domain/job.ts";
import { AGENTS, type Entry, SESSIONS, TRASH, USERS } from "../../domain/node.ts";
import { manifestOf } from "../../index/manifest.ts";
import { type Kv, prefixRange } from "../../storage/kv.ts";
import { NUMBERS } from "../../storage/record-codec.ts";
import { Keys, UNFINISHED_TASKS } from "../keys.ts";
import { relationKeysBelow } from "../relations/relations.ts";
import { listSchedules } from "../schedules/schedules.ts";
import type { Workspace } from "../workspace.ts";
import type { WorkspaceDraft } from "../workspace-draft.ts";

/** Small enough for one transaction: the key of a relation contains two paths and may have 8 KB. */
const KEYS_PER_CHANGE = 400;

/** Deletes everything under the prefix of an incarnation. Idempotent. */
export async function eraseIncarnation(kv: Kv, incarnation: WorkspaceId, signal: AbortSignal): Promise<void> {
  const { prefix } = new Keys(incarnation);
  for (const range of [prefix, `${UNFINISHED_TASKS}${prefix.slice(2)}`]) {
    for (;;) {
      signal.throwIfAborted();
      const keys = await kv.keys(prefixRange(range, KEYS_PER_CHANGE));
      if (keys.length === 0) break;
      await kv.transact(
        () => ({ ops: keys.map((key) => ({ key, value: undefined })), apply: () => undefined }),
        { sync: false },
      );
    }
  }
}

/** Keys of a user's records outside the tree. Read them before the transaction that removes the user. */
export async function userRecordKeys(workspace: Workspace, user: string): Promise<string[]> {
  const { keys, kv } = workspace;
  const prefixes = [
    keys.tasks(user),
    keys.unfinishedOf(user),
    keys.firstAnswers(user),
    keys.forgetPlans(user),
    keys.webhooksOf(user),
    keys.trashOf(user),
  ];
  const lists = await Promise.all(prefixes.map((prefix) => kv.keys(prefixRange(prefix))));
  const schedules = await listSchedules(kv, workspace.incarnation);
  const scheduled = schedules
    .filter(({ record }) => record.user === user)
    .map(({ node }) => keys.schedule(node));
  return [...lists.flat(), ...scheduled, ...(await relationKeysOf(workspace, user))];
}

/** An even number, because a relation has two keys; each contains two paths and may have 8 KB. */
const RELATION_KEYS_PER_CHANGE = 200;

/**
 * Removes the relations of a user's spaces that are stored by path, in steps, because there may be more than
 * fit into the transaction that removes the user. Call within `alone`.
 */
export async function dropRelations(workspace: Workspace, user: string): Promise<void> {
  const found = await relationKeysOf(workspace, user);
  for (let at = 0; at < found.length; at += RELATION_KEYS_PER_CHANGE)
    await workspace.transact((draft) => {
      draft.isBeyondQuota = true;
      for (const key of found.slice(at, at + RELATION_KEYS_PER_CHANGE)) draft.delete(key);
      return () => undefined;
    });
}

/** Relations of a user's spaces that are stored by path; those stored by node are purged with the nodes. */
async function relationKeysOf(workspace: Workspace, user: string): Promise<string[]> {
  const spaces = ["user", "agents", "session"].map((scope) =>
    relationKeysBelow(workspace, `${scope}/${user}`),
  );
  return (await Promise.all(spaces)).flat();
}

/**
 * Removes a user's spaces from the tree in one transaction; returns what a job must purge, if anything. The
 * user's partition gets a new number, in case the name is registered again.
 */
export function removeSpaces(
  draft: WorkspaceDraft,
  user: string,
  recordKeys: readonly string[],
): Purge | undefined {
  const removed: Entry[] = [];
  for (const scope of [USERS, AGENTS, SESSIONS, TRASH]) {
    const entry = draft.entry(scope, user);
    if (!entry) continue;
    draft.deleteEntry(scope, user, entry);
    removed.push(entry);
  }
  const partition = NUMBERS.read(draft, draft.keys.partition(user));
  draft.delete(draft.keys.partition(user));
  for (const key of recordKeys) draft.delete(key);
  if (partition === undefined) return removed.length > 0 ? { removed, ofOwner: true } : undefined;
  const manifest = draft.keys.manifest(partition);
  // a partition with files keeps its manifest until they are purged
  if (manifestOf(draft.get(manifest)).segments.length === 0) draft.delete(manifest);
  return { removed, partition, ofOwner: true };
}
