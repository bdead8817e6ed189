import type { Timing } from "../../src/providers/provider-guard.ts";

/**
 * A clock under the test's control: pauses end at once and advance the clock, time limits expire only on
 * demand.
 */
export class ManualTiming implements Timing {
  now = 1_000_000;
  readonly pauses: number[] = [];
  #limits: AbortController[] = [];

  readonly clock = () => this.now;
  readonly random = () => 1;

  readonly pause = async (ms: number, signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted();
    this.pauses.push(ms);
    this.now += ms;
  };

  readonly limit = (): AbortSignal => {
    const controller = new AbortController();
    this.#limits.push(controller);
    return controller.signal;
  };

  /** Makes the time limits of all attempts so far expire. */
  expire(): void {
    for (const limit of this.#limits) limit.abort(new Error("too late"));
    this.#limits = [];
  }
}
