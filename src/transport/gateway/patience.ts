/** Extra time in ms for work whose result is already being stored. */
const KEEP_MS = 2000;

/** Thrown when a result comes too late to be stored. */
class TooLate extends Error {}

/**
 * A time limit for work whose last step stores the result: either the result is used, or nothing is stored,
 * so that a turn sent without it stays without it.
 */
export class Patience {
  readonly #limitMs: number;
  readonly #controller = new AbortController();
  #isLate = false;
  #isKept = false;

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  /** Aborted when the time is up. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get isLate(): boolean {
    return this.#isLate;
  }

  /** Called by the step that stores the result; throws if it is too late. */
  readonly keep = (): void => {
    if (this.#isLate) throw new TooLate("the call has gone on without it");
    this.#isKept = true;
  };

  /** The result of `work`, or of `otherwise` when the time is up. Rejects like `work`. */
  within<T>(work: Promise<T>, otherwise: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      let timer = setTimeout(() => {
        if (this.#isKept) timer = setTimeout(() => resolve(otherwise()), KEEP_MS);
        else {
          this.#isLate = true;
          this.#controller.abort(new TooLate("the time is over"));
          resolve(otherwise());
        }
      }, this.#limitMs);
      work.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  }
}
