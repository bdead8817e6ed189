import { ServiceError } from "../../domain/errors.ts";
import type { WorkspaceId } from "../../domain/ids.ts";

/** Burst: processor time in ms that an account may use for patterns at once. */
const BURST_MS = 30_000;
/** Refill rate: processor time in ms per ms. */
const REFILL = 0.25;
/** Maximum number of tracked accounts. The least recently used one is dropped; its budget is full again. */
const MAX_ACCOUNTS = 10_000;

/**
 * Budget of processor time in pattern workers, per account. Time is counted after its use, so a budget may be
 * overdrawn.
 */
export class PatternBudget {
  readonly #now: () => number;
  /** Least recently used first. */
  readonly #left = new Map<number, { ms: number; at: number }>();

  /** `now`: monotonic time in ms. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Throws RESOURCE_EXHAUSTED {retry_after} if the account has used up its time. */
  check(workspace: WorkspaceId): void {
    const { ms } = this.#of(workspace);
    if (ms > 0) return;
    const retryAfter = Math.max(1, Math.ceil((1 - ms) / REFILL / 1000));
    const reason = `patterns of the account have used more than ${BURST_MS / 1000} s of CPU time`;
    throw new ServiceError(
      "RESOURCE_EXHAUSTED",
      `patterns: ${reason}; try again in ${retryAfter} s, or use simpler patterns`,
      {
        resource: "patterns",
        reason,
        limit: BURST_MS / 1000,
        retry_after: retryAfter,
      },
    );
  }

  spend(workspace: WorkspaceId, ms: number): void {
    this.#of(workspace).ms -= ms;
  }

  #of(workspace: WorkspaceId): { ms: number } {
    const at = this.#now();
    const known = this.#left.get(workspace);
    const left = { ms: known ? Math.min(BURST_MS, known.ms + (at - known.at) * REFILL) : BURST_MS, at };
    this.#left.delete(workspace);
    const [oldest] = this.#left.keys();
    if (this.#left.size >= MAX_ACCOUNTS && oldest !== undefined) this.#left.delete(oldest);
    this.#left.set(workspace, left);
    return left;
  }
}
