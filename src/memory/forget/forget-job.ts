import { FORGET, type Forget } from "../../domain/forget.ts";
import type { WorkspaceId } from "../../domain/ids.ts";
import type { JobOwner, NewJob } from "../../domain/job.ts";

/** Clears forgotten content from the disk. In the semantic queue, so that a task fails with it. */
export const forgetJob = (
  workspace: WorkspaceId,
  owner: JobOwner,
  forget: Forget,
  origins: readonly string[],
  dueAt = 0,
): NewJob => ({
  queue: "semantic",
  class: "interactive",
  kind: FORGET,
  workspace,
  owner,
  payload: forget,
  origins,
  sameAs: undefined,
  dueAt,
});
