import type { JobQueue } from "../../jobs/queue.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenants } from "../tenants.ts";
import { checkTimeout, type QueueCounts, queueStatus, waitForJobs } from "../wait-for-jobs.ts";

export interface Processed {
  semanticQueue: QueueCounts;
  vectorQueue: QueueCounts;
  pending: number;
  inProgress: number;
  processed: number;
  errors: number;
}

/**
 * POST system/wait: waits until the queues of the caller's account are empty; for ROOT without an account,
 * all queues.
 */
export async function waitProcessed(
  deps: { tenants: Tenants; queue: JobQueue },
  call: ServiceCall,
  input: { readonly timeout?: number | undefined },
): Promise<Processed> {
  const timeout = checkTimeout(input.timeout);
  const { role, user, accountNamed } = call.caller;
  const everything = role === "root" && !accountNamed;
  const { workspace } = await deps.tenants.openOrEmpty(call.caller);
  // administrators may read the reasons of all dead letters of the account
  const errorsFor = role === "user" ? user : undefined;
  const watch = deps.queue.watch(everything ? "everything" : { workspace: workspace.incarnation, errorsFor });
  try {
    await waitForJobs(watch, { operation: "system/wait", timeout, call });
    const { semanticQueue, vectorQueue, processed, errorCount } = queueStatus(watch);
    return {
      semanticQueue,
      vectorQueue,
      pending: watch.pending,
      inProgress: watch.inProgress,
      processed,
      errors: errorCount,
    };
  } finally {
    watch.release();
  }
}
