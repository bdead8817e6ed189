import type { Lease } from "../base/budget.ts";
import type { Caller } from "../domain/caller.ts";
import type { Draft } from "../storage/draft.ts";

/** The request in the service layer; every wire's call satisfies it. */
export interface ServiceCall {
  readonly caller: Caller;
  /**
   * Aborted when the client leaves, the deadline passes or the server stops; its reason is the error to
   * return.
   */
  readonly signal: AbortSignal;
  /** Accepted content hashes, without quotes; `*` = any content. */
  readonly ifMatch?: readonly string[] | undefined;
  /**
   * Stores the first answer with its change, for a call under an idempotency key: if the process dies before
   * the caller gets it, a retry gets the answer and not a second effect.
   */
  readonly keepAnswer?: ((draft: Draft, answer: object) => void) | undefined;
  /**
   * Counts bytes of memory against the budgets of the account and of the server until the operation releases
   * the lease at its end. An amount above the account's budget counts as all of it, so that such a call runs
   * alone. Throws RESOURCE_EXHAUSTED {used, more, limit, retry_after}. For contents that are read whole.
   */
  readonly reserve?: ((bytes: number) => Lease) | undefined;
  /** Limit of an answer in bytes on this wire; undefined if the wire has none. */
  readonly maxAnswerBytes?: number | undefined;
  /** Content hash of the answer, without quotes. */
  readonly reply: { etag?: string };
}
