import { before } from "./deadline.ts";

/** Order of closing: stop accepting work, finish running work, write state, close storage. */
const STAGES = ["intake", "work", "state", "storage"] as const;
export type Stage = (typeof STAGES)[number];

interface Closer {
  readonly name: string;
  readonly stage: Stage;
  readonly close: () => Promise<void> | void;
}

export interface CloseLimits {
  /** Time limit per component in ms. */
  readonly eachMs: number;
  /** Total time limit in ms. Components that have not begun to close by then are closed without waiting. */
  readonly totalMs: number;
}

/** A component did not close within its limit. */
export class NotClosed extends Error {}

/**
 * Components to close, stage by stage. Within a stage they close concurrently, started in reverse order of
 * opening.
 */
export class Closers {
  readonly #limits: CloseLimits;
  readonly #open = new Set<Closer>();

  constructor(limits: CloseLimits) {
    this.#limits = limits;
  }

  add(name: string, stage: Stage, close: () => Promise<void> | void): void {
    this.#open.add({ name, stage, close });
  }

  /** Names of the components that are still open. */
  get open(): string[] {
    return [...this.#open].map(({ name }) => name);
  }

  /** Continues past components that fail or time out, and returns their errors. */
  async close(): Promise<Error[]> {
    const end = performance.now() + this.#limits.totalMs;
    const failures: Error[] = [];
    for (const stage of STAGES) {
      const parts = [...this.#open].filter((part) => part.stage === stage).reverse();
      const closed = await Promise.allSettled(
        parts.map((part) => this.#close(part, end - performance.now())),
      );
      for (const outcome of closed) if (outcome.status === "rejected") failures.push(outcome.reason);
    }
    return failures;
  }

  async #close(part: Closer, leftMs: number): Promise<void> {
    const limitMs = Math.max(0, Math.round(Math.min(this.#limits.eachMs, leftMs)));
    const limit = new AbortController();
    const timer = setTimeout(
      () => limit.abort(new NotClosed(`${part.name}: not closed within ${limitMs} ms`)),
      limitMs,
    );
    try {
      await before(
        limit.signal,
        Promise.resolve(part).then(({ close }) => close()),
      );
      this.#open.delete(part);
    } catch (cause) {
      if (cause instanceof NotClosed) throw cause;
      this.#open.delete(part);
      throw new Error(`${part.name}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    } finally {
      clearTimeout(timer);
    }
  }
}
