/** Additional time in ms for work that is already storing its result. */
const KEEP_MS = 2000;

/** Thrown if a result is too late to be stored. */
class TooLate extends Error {}

/**
 * Time limit for work whose last step stores its result: either the result is used, or nothing is stored. A
 * turn that was sent without a block thus stays without one.
 */
export class RecallDeadline {
  readonly #limitMs: number;
  readonly #controller = new AbortController();
  #isLate = false;
  #isKept = false;

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  /** Aborts at the time limit. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get isLate(): boolean {
    return this.#isLate;
  }

  /** Must be called by the step that stores the result; throws if it is too late. */
  readonly keep = (): void => {
    if (this.#isLate) throw new TooLate("the call has gone on without it");
    this.#isKept = true;
  };

  /** Settles like `work`, or resolves with `otherwise()` at the time limit. */
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
