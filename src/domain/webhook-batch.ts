export const REDELIVER = "redeliver";

/** Changes that a webhook sends in one message: from `next` up to, but excluding, `to`. */
export interface WebhookBatch {
  /** Id of the message, the same in every attempt. */
  readonly id: string;
  readonly next: number;
  /** Time of the preceding change (see LogPlace). */
  readonly at: number;
  readonly whole: number;
  readonly to: number;
  readonly toAt: number;
  /** Whether the changes are no longer stored; the message then reports the loss. */
  readonly isLost?: true;
}

/** A failed batch that is to be delivered again. */
export interface Redelivery {
  readonly webhook: string;
  readonly user: string;
  readonly batch: WebhookBatch;
}
