import type { WorkspaceId } from "./ids.ts";
import type { NewJob } from "./job.ts";

export const PRUNE_TRASH = "prune-trash";

/** Counts the bytes of the trash, and removes items above the limits of age and size. */
export const pruneTrashJob = (workspace: WorkspaceId, dueAt: number): NewJob => ({
  queue: "purge",
  class: "bulk",
  kind: PRUNE_TRASH,
  workspace,
  payload: null,
  origins: [],
  sameAs: PRUNE_TRASH,
  dueAt,
});
