import type { Lease } from "../base/budget.ts";
import type { Caller } from "../domain/caller.ts";
import type { Draft } from "../storage/draft.ts";
import type { LaterAnswer } from "../workspace/requests/first-answers.ts";
import type { SecretReport } from "../workspace/secret-guard.ts";

/** A request in the service layer; the calls of all protocols satisfy it. */
export interface ServiceCall {
  readonly caller: Caller;
  /**
   * Aborts when the client disconnects, the deadline passes or the server stops; the reason is the error to
   * return.
   */
  readonly signal: AbortSignal;
  /**
   * For waits and streams without a known end. Aborts like `signal`, and also as soon as another server is to
   * take the caller's workspace, when other calls still have time to finish. Undefined: `signal`.
   */
  readonly waitSignal?: AbortSignal | undefined;
  /** Accepted content hashes without quotes; `*` accepts any content. */
  readonly ifMatch?: readonly string[] | undefined;
  /**
   * Stores the first answer in the transaction of the change, for a call with an idempotency key. If the
   * process dies before responding, a retry gets this answer instead of repeating the effect.
   */
  readonly keepAnswer?: ((draft: Draft, answer: object) => void) | undefined;
  /** The first answer as a record, for work that another process may complete. */
  readonly laterAnswer?: ((answer: object) => LaterAnswer) | undefined;
  /**
   * Reserves memory in the budgets of the account and the server until the operation releases the lease, for
   * contents that are read as a whole. An amount above the account's budget counts as the whole budget, so
   * that such a call runs alone. Throws RESOURCE_EXHAUSTED {used, more, limit, retry_after}.
   */
  readonly reserve?: ((bytes: number) => Lease) | undefined;
  /** Maximum response size in bytes for this protocol; undefined if unlimited. */
  readonly maxAnswerBytes?: number | undefined;
  /**
   * Receives information in addition to the result: its content hash without quotes, and secrets in the
   * request.
   */
  readonly reply: { etag?: string } & SecretReport;
}

/** The signal that ends waits and streams of a call. */
export const waitSignalOf = ({ signal, waitSignal }: ServiceCall): AbortSignal => waitSignal ?? signal;
