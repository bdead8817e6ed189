import type { Lease } from "../base/budget.ts";
import type { Caller } from "../domain/caller.ts";
import type { Draft } from "../storage/draft.ts";

/** The request as the service layer sees it; every wire's call satisfies it. */
export interface ServiceCall {
  readonly caller: Caller;
  /**
   * Aborted when the client has left, the deadline has passed or the server stops; its reason is the error to
   * answer.
   */
  readonly signal: AbortSignal;
  /** Content hashes of which the caller expects one, without quotes; `*` = any content. */
  readonly ifMatch?: readonly string[] | undefined;
  /**
   * Keeps the answer with the change that it is about, for a call under an Idempotency-Key: should the
   * process end before the caller hears it, another try repeats the answer and not the effect.
   */
  readonly keepAnswer?: ((draft: Draft, answer: object) => void) | undefined;
  /**
   * Counts bytes of memory against the budgets of the account and of the server until the lease is released,
   * which the operation does when it ends. An amount above the account's budget counts as all of it, so that
   * such a call goes alone. Throws RESOURCE_EXHAUSTED {used, more, limit, retry_after}. For contents that are
   * read whole.
   */
  readonly reserve?: ((bytes: number) => Lease) | undefined;
  /** Bytes that an answer on this wire may have; undefined where the wire has no limit of its own. */
  readonly maxAnswerBytes?: number | undefined;
  /** Content hash of what is answered, without quotes. */
  readonly reply: { etag?: string };
}
