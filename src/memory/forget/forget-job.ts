import { FORGET, type Forget } from "../../domain/forget.ts";
import type { WorkspaceId } from "../../domain/ids.ts";
import type { JobOwner, NewJob } from "../../domain/job.ts";

/**
 * A job that erases forgotten content from disk. It is in the semantic queue, so that the task fails if the
 * job fails.
 */
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
