import { before } from "../base/deadline.ts";
import { unavailable } from "../domain/errors.ts";

/** Limits the number of concurrent calls and of waiting ones, which continue in order of arrival. */
export class ConcurrencyLimit {
  readonly #most: number;
  readonly #mostWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  constructor(most: number, mostWaiting: number) {
    this.#most = most;
    this.#mostWaiting = mostWaiting;
  }

  /**
   * Waits for a slot, and resolves with the function that frees it. Rejects with UNAVAILABLE if too many
   * calls wait, or with the signal's reason.
   */
  async take(signal: AbortSignal): Promise<() => void> {
    if (this.#taken >= this.#most) {
      if (this.#waiting.length >= this.#mostWaiting)
        throw unavailable("too many calls are waiting for a model provider; try again later");
      let begin: () => void = () => undefined;
      const turn = new Promise<void>((resolve) => {
        begin = resolve;
      });
      this.#waiting.push(begin);
      try {
        // the slot is passed on directly, so that a new caller cannot take it
        await before(signal, turn);
      } catch (error) {
        const at = this.#waiting.indexOf(begin);
        if (at >= 0) this.#waiting.splice(at, 1);
        else this.#end();
        throw error;
      }
    } else this.#taken++;
    return () => this.#end();
  }

  #end(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#taken--;
  }
}
