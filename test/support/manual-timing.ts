import type { Timing } from "../../src/providers/provider-guard.ts";

/**
 * Time that passes where a test says so: pauses end at once and move the clock, limits run out when they are
 * told to.
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

  /** The limits of all attempts so far run out. */
  expire(): void {
    for (const limit of this.#limits) limit.abort(new Error("too late"));
    this.#limits = [];
  }
}
