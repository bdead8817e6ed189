import { failedPrecondition, notFound } from "../../domain/errors.ts";
import { type Job, payloadOf, REDELIVER } from "../../domain/job.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import type { Kv } from "../../storage/kv.ts";
import { changeProgress } from "../../workspace/webhooks/webhooks.ts";
import type { Webhooks } from "./webhooks.ts";

/** Given up batches that wait for their redelivery, of one webhook. */
const MAX_AGAIN = 100;

/** Hands a given up batch back to its webhook, which delivers it beside the others. Repeatable. */
export async function redeliver(
  { kv, queue, webhooks }: { kv: Kv; queue: JobQueue; webhooks: Pick<Webhooks, "wake"> },
  job: Job,
): Promise<void> {
  const { webhook: id, user, batch } = payloadOf(job, REDELIVER);
  const ref = { workspace: job.workspace, user, id };
  const stored = await changeProgress(kv, ref, ({ progress }, draft) => {
    const others = progress.again.filter((one) => one.id !== batch.id);
    if (others.length >= MAX_AGAIN)
      throw failedPrecondition(`webhook ${id}`, `${MAX_AGAIN} deliveries are waiting to be sent once more`);
    queue.settle(draft, job);
    return { ...progress, again: [...others, { ...batch, attempts: 0, dueAt: 0 }] };
  });
  if (!stored) throw notFound("webhook", id);
  webhooks.wake(ref, stored.record.paused !== undefined);
}
