import { setTimeout } from "node:timers/promises";
import type { Clock } from "../base/clock.ts";
import { before } from "../base/deadline.ts";
import type { Log } from "../base/log.ts";
import { ServiceError, unavailable } from "../domain/errors.ts";
import type { ConcurrencyLimit } from "./concurrency-limit.ts";
import { ProviderFault } from "./fault.ts";

/** Number of successive failures after which the circuit opens. */
const FAILURES_TO_REST = 3;
/** First pause of the open circuit in ms; doubles with each failed attempt. */
const FIRST_REST_MS = 5000;
const MAX_REST_MS = 60_000;
/** Maximum accepted Retry-After, and maximum wait of a call, in ms. */
const MAX_RETRY_AFTER_MS = 10 * 60_000;
const MAX_PAUSE_MS = 30_000;
const FIRST_PAUSE_MS = 200;
/** Random share added to a pause, so that callers do not return all at once. */
const JITTER = 0.5;

/** Clock, timers and random source of a guard. */
export interface Timing {
  readonly clock: Clock;
  /** Returns a random number from 0 to 1. */
  readonly random: () => number;
  /** Waits; rejects with the signal's reason once it is aborted. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  /** A signal that aborts after `ms` milliseconds. */
  readonly limit: (ms: number) => AbortSignal;
}

export const systemTiming = ({ clock, random }: Pick<Timing, "clock" | "random">): Timing => ({
  clock,
  random,
  pause: (ms, signal) => setTimeout(ms, undefined, { signal, ref: false }),
  limit: (ms) => AbortSignal.timeout(ms),
});

/** Concurrency, timeout and retries for one kind of call. */
export interface CallPolicy {
  /** Concurrency limit; calls beyond it are refused. */
  readonly slots: ConcurrencyLimit;
  /** Time limit of an attempt in ms. */
  readonly limitMs: number;
  /** Number of retries if the provider is unreachable or busy. */
  readonly retries: number;
  /** Number of circuit-breaker pauses that a call waits for; 0: an open circuit rejects it at once. */
  readonly rests: number;
}

/** The guarded provider: its name, and the code of errors that must not be retried unchanged. */
export interface GuardedProvider {
  readonly name: string;
  readonly failed: "EMBEDDING_FAILED" | "VLM_FAILED";
  /** Consequence of an outage, for the log. */
  readonly meanwhile: string;
}

/**
 * Guards calls to a provider: limits concurrency and the time of each attempt, retries with growing, jittered
 * pauses that respect Retry-After, and has a circuit breaker. An outage is logged once, until a call succeeds
 * again.
 */
export class ProviderGuard {
  readonly #timing: Timing;
  readonly #log: Log;
  readonly #guarded: GuardedProvider;
  readonly #stop = new AbortController();
  #failures = 0;
  #restMs = 0;
  #restsUntil = 0;
  #isWell = true;

  /** `log`: child logger that is bound to the provider's name. */
  constructor(guarded: GuardedProvider, timing: Timing, log: Log) {
    this.#guarded = guarded;
    this.#timing = timing;
    this.#log = log;
  }

  /**
   * Returns the result of `attempt`, which may throw ProviderFault. Rejects with the guarded code for a fault
   * of kind `input`; with UNAVAILABLE for other faults, while the circuit is open and after `close`; with the
   * signal's reason once it is aborted.
   */
  async call<T>(
    { slots, limitMs, retries, rests }: CallPolicy,
    attempt: (signal: AbortSignal) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const ended = signal ? AbortSignal.any([signal, this.#stop.signal]) : this.#stop.signal;
    ended.throwIfAborted();
    const release = await slots.take(ended);
    try {
      await this.#enter(rests, ended);
      for (let retry = 0; ; retry++) {
        try {
          const answer = await this.#attempt(attempt, limitMs, ended);
          this.#succeeded();
          return answer;
        } catch (error) {
          ended.throwIfAborted();
          if (!(error instanceof ProviderFault)) throw error;
          const pauseMs =
            Math.max(FIRST_PAUSE_MS * 2 ** retry, error.retryAfterMs) * (1 + JITTER * this.#timing.random());
          if (error.kind !== "later" || retry === retries || pauseMs > MAX_PAUSE_MS)
            throw this.#failed(error);
          await this.#timing.pause(pauseMs, ended);
        }
      }
    } finally {
      release();
    }
  }

  /**
   * Opens the circuit when the caller finds that the provider refuses every input. `reason`: message of the
   * ProviderFault. Returns the error to throw.
   */
  blame(reason: string): ServiceError {
    return this.#failed(new ProviderFault("wrong", reason));
  }

  /** Aborts running calls. */
  close(): void {
    this.#stop.abort(unavailable("the server is shutting down; try again later"));
  }

  async #attempt<T>(
    attempt: (signal: AbortSignal) => Promise<T>,
    limitMs: number,
    ended: AbortSignal,
  ): Promise<T> {
    const limit = this.#timing.limit(limitMs);
    const signal = AbortSignal.any([ended, limit]);
    try {
      return await before(signal, attempt(signal));
    } catch (error) {
      if (limit.aborted) throw new ProviderFault("later", `it did not answer within ${limitMs / 1000} s`);
      throw error;
    }
  }

  /**
   * Waits while the circuit is open. One call then probes the provider; if it succeeds, all calls pass again.
   */
  async #enter(maxRests: number, ended: AbortSignal): Promise<void> {
    for (let rests = 0; ; rests++) {
      const now = this.#timing.clock();
      const pauseMs = this.#restsUntil - now;
      if (pauseMs <= 0) {
        if (this.#restMs > 0) this.#restsUntil = now + this.#restMs;
        return;
      }
      if (rests === maxRests || pauseMs > MAX_PAUSE_MS) throw this.#notNow();
      await this.#timing.pause(pauseMs, ended);
    }
  }

  #succeeded(): void {
    this.#failures = 0;
    this.#restMs = 0;
    this.#restsUntil = 0;
    if (this.#isWell) return;
    this.#isWell = true;
    this.#log.info("the provider answers again");
  }

  #failed(fault: ProviderFault): ServiceError {
    if (fault.kind === "input") {
      // half open: the next call decides
      this.#restsUntil = 0;
      const { name, failed } = this.#guarded;
      return new ServiceError(
        failed,
        `the ${name} returned an unusable answer; see the server log`,
        undefined,
        { cause: fault },
      );
    }
    this.#failures++;
    if (fault.kind === "wrong" || fault.retryAfterMs > MAX_PAUSE_MS || this.#failures >= FAILURES_TO_REST)
      this.#rest(fault.retryAfterMs);
    if (this.#isWell)
      this.#log.warn({ reason: fault.message }, `${SAYS[fault.kind]}; ${this.#guarded.meanwhile}`);
    this.#isWell = false;
    return this.#notNow(fault);
  }

  #notNow(cause?: ProviderFault): ServiceError {
    return new ServiceError(
      "UNAVAILABLE",
      `the ${this.#guarded.name} is not available at the moment; try again later`,
      undefined,
      {
        cause,
      },
    );
  }

  #rest(leastMs: number): void {
    this.#restMs = Math.min(MAX_REST_MS, this.#restMs === 0 ? FIRST_REST_MS : this.#restMs * 2);
    this.#restsUntil = this.#timing.clock() + Math.max(this.#restMs, Math.min(leastMs, MAX_RETRY_AFTER_MS));
  }
}

const SAYS = {
  later: "the provider is not available at the moment; try again later",
  wrong: "the provider cannot be used until its settings or the provider itself are put right",
};
