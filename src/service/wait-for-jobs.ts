import { type Details, deadlineExceeded, invalidArgument } from "../domain/errors.ts";
import type { Tally, Watch } from "../jobs/job-watch.ts";
import { type ServiceCall, waitSignalOf } from "./service-call.ts";

/** Maximum timeout in seconds: about 24 days, the longest timer. */
const MAX_TIMEOUT_SECONDS = (2 ** 31 - 1) / 1000;

/** Validates a timeout in seconds; undefined if none. */
export function checkTimeout(timeout: number | undefined): number | undefined {
  if (timeout === undefined) return undefined;
  if (!(timeout >= 0)) throw invalidArgument("timeout", "must be 0 or more seconds");
  return Math.min(timeout, MAX_TIMEOUT_SECONDS);
}

export interface WaitOptions {
  readonly operation: string;
  /** In seconds; 0: check once; undefined: wait as long as the caller is connected. */
  readonly timeout: number | undefined;
  readonly call: ServiceCall;
  /** Additional details of DEADLINE_EXCEEDED. */
  readonly details?: Details;
}

/** Waits until the watched jobs have ended; after DEADLINE_EXCEEDED they continue. */
export async function waitForJobs(
  watch: Watch,
  { operation, timeout, call, details }: WaitOptions,
): Promise<void> {
  if (watch.outstanding === 0) return;
  const signal = waitSignalOf(call);
  if (timeout === undefined) return watch.drained(signal);
  const late = deadlineExceeded(operation, timeout, details);
  if (timeout === 0) throw late;
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(late), timeout * 1000);
  try {
    await watch.drained(AbortSignal.any([signal, limit.signal]));
  } finally {
    clearTimeout(timer);
  }
}

export interface QueueCounts {
  processed: number;
  errorCount: number;
  errors: { message: string }[];
}

/** Status of the queues, with the fields of both forms in the specification. */
export interface QueueStatus extends QueueCounts {
  semanticQueue: QueueCounts;
  vectorQueue: QueueCounts;
}

const countsOf = (tally: Tally): QueueCounts => ({
  processed: tally.processed,
  errorCount: tally.errorCount,
  errors: [...tally.errors],
});

export function queueStatus(watch: Watch): QueueStatus {
  const [semanticQueue, vectorQueue] = [countsOf(watch.semantic), countsOf(watch.embedding)];
  return {
    processed: semanticQueue.processed + vectorQueue.processed,
    errorCount: semanticQueue.errorCount + vectorQueue.errorCount,
    errors: [...semanticQueue.errors, ...vectorQueue.errors],
    semanticQueue,
    vectorQueue,
  };
}
