import type { WorkspaceId } from "./ids.ts";
import type { NewJob } from "./job.ts";

export const PRUNE_VERSIONS = "prune-versions";
export const PRUNE_TRASH = "prune-trash";
export const PRUNE_SNAPSHOTS = "prune-snapshots";
export const PRUNE_EXPIRED = "prune-expired";

/** Interval in ms between removals of expired tasks and sessions. */
export const EXPIRED_PAUSE_MS = 24 * 3600_000;

/** A job that removes expired or excess data of a workspace; repeated requests merge until it starts. */
const pruneJob = (kind: string, workspace: WorkspaceId, dueAt: number): NewJob => ({
  queue: "purge",
  class: "bulk",
  kind,
  workspace,
  payload: null,
  origins: [],
  sameAs: kind,
  dueAt,
});

/** Removes versions of files above the limits of age and bytes. */
export const pruneVersionsJob = (workspace: WorkspaceId, dueAt: number): NewJob =>
  pruneJob(PRUNE_VERSIONS, workspace, dueAt);

/** Counts the bytes of the trash, and removes items above the limits of age, number and size. */
export const pruneTrashJob = (workspace: WorkspaceId, dueAt: number): NewJob =>
  pruneJob(PRUNE_TRASH, workspace, dueAt);

/** Removes expired snapshots, and data kept only for removed snapshots. */
export const pruneSnapshotsJob = (workspace: WorkspaceId, dueAt: number): NewJob =>
  pruneJob(PRUNE_SNAPSHOTS, workspace, dueAt);

/** Removes finished tasks and sessions that are older than the account's retention. */
export const pruneExpiredJob = (workspace: WorkspaceId, dueAt: number): NewJob =>
  pruneJob(PRUNE_EXPIRED, workspace, dueAt);
