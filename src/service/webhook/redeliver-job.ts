import { failedPrecondition, notFound } from "../../domain/errors.ts";
import type { WorkspaceId } from "../../domain/ids.ts";
import type { Job, JobOwner, NewJob } from "../../domain/job.ts";
import { REDELIVER, type Redelivery } from "../../domain/webhook-batch.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import type { Kv } from "../../storage/kv.ts";
import { isRedelivery } from "../../workspace/webhooks/records.ts";
import { changeProgress, type WebhookRef } from "../../workspace/webhooks/webhooks.ts";

interface Deps {
  readonly kv: Kv;
  readonly queue: JobQueue;
  readonly webhooks: { wake(ref: WebhookRef, isPaused: boolean): void };
}

/** Maximum number of batches of a webhook waiting for redelivery. */
const MAX_AGAIN = 100;

/** A job that delivers a given-up batch again. It is a dead letter until an administrator retries it. */
export const redeliverJob = (workspace: WorkspaceId, owner: JobOwner, payload: Redelivery): NewJob => ({
  queue: "purge",
  class: "interactive",
  kind: REDELIVER,
  workspace,
  owner,
  payload,
  origins: [],
  sameAs: undefined,
});

/** Returns a batch to its webhook, which delivers it along with others. Idempotent. */
export async function redeliver({ kv, queue, webhooks }: Deps, job: Job): Promise<void> {
  if (!isRedelivery(job.payload)) throw new Error(`the job ${job.sequence} names no delivery`);
  const { webhook: id, user, batch } = job.payload;
  const ref = { workspace: job.workspace, user, id };
  const stored = await changeProgress(kv, ref, ({ progress }, draft) => {
    const others = progress.again.filter((one) => one.id !== batch.id);
    if (others.length >= MAX_AGAIN)
      throw failedPrecondition(
        `webhook ${id}`,
        `${MAX_AGAIN} deliveries already wait to be sent again; try again later`,
      );
    queue.settle(draft, job);
    return { ...progress, again: [...others, { ...batch, attempts: 0, dueAt: 0 }] };
  });
  if (!stored) throw notFound("webhook", id);
  webhooks.wake(ref, stored.record.paused !== undefined);
}
