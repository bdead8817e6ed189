import type { Registry } from "../accounts/registry.ts";
import { EventLoopYielder } from "../base/event-loop.ts";
import type { WorkspaceId } from "../domain/ids.ts";
import { ERASE, eraseJob, fillSpaceJob, type NewJob } from "../domain/job.ts";
import { spacesOf } from "../index/spaces.ts";
import type { JobQueue } from "../jobs/queue.ts";
import { Draft } from "../storage/draft.ts";
import { type Kv, prefixRange } from "../storage/kv.ts";
import { Keys } from "../workspace/keys.ts";

interface Deps {
  readonly kv: Kv;
  readonly registry: Registry;
  readonly queue: JobQueue;
}

/**
 * Enqueues jobs that fill the main space for workspaces whose chunks were written with another model or
 * without one. `space`: the main space.
 */
export async function resumeFilling(
  deps: Deps,
  space: string,
  workspaces: readonly WorkspaceId[],
): Promise<void> {
  const yielder = new EventLoopYielder();
  for (const workspace of workspaces) {
    const keys = new Keys(workspace);
    const isFilled = spacesOf(deps.kv, keys)?.filled === space;
    if (!isFilled && (await deps.kv.keys(prefixRange(keys.allChunks(), 1))).length > 0)
      await enqueue(deps, fillSpaceJob(workspace, { space }));
    await yielder.yieldIfDue();
  }
}

/** Enqueues the purge of deleted accounts again if its job became a dead letter. */
export async function resumeErasures(deps: Deps, of: WorkspaceId | "everything"): Promise<void> {
  for (const workspace of await deps.registry.deletions(of)) {
    const isPending = deps.queue.jobsOf(workspace).some(({ kind }) => kind === ERASE);
    if (!isPending) await enqueue(deps, eraseJob(workspace));
  }
}

function enqueue({ kv, queue }: Deps, job: NewJob): Promise<void> {
  return kv.transact((read) => {
    const draft = new Draft(read);
    queue.enqueue(draft, job);
    return draft.toChange(() => undefined);
  });
}
