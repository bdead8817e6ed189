export const REDELIVER = "redeliver";

/** Changes that a webhook sends as one message: those from `next` up to and without `to`. */
export interface WebhookBatch {
  /** Id of the message: the same in every attempt. */
  readonly id: string;
  readonly next: number;
  /** Time of the change before it (see LogPlace). */
  readonly at: number;
  readonly whole: number;
  readonly to: number;
  readonly toAt: number;
  /** Its changes are not kept any more: the message says so. */
  readonly isLost?: true;
}

/** A batch that was given up and is to be delivered once more. */
export interface Redelivery {
  readonly webhook: string;
  readonly user: string;
  readonly batch: WebhookBatch;
}
