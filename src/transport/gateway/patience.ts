/** What is under way may go on for so long once it is being kept. */
const KEEP_MS = 2000;

/** Thrown by what would be kept too late. */
class TooLate extends Error {}

/**
 * A time limit for work whose result is kept by its last step: either the result is used, or nothing is
 * kept, so that what was sent without it stays what it was.
 */
export class Patience {
  readonly #limitMs: number;
  readonly #controller = new AbortController();
  #isLate = false;
  #isKept = false;

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  /** Aborted when the time is over. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get isLate(): boolean {
    return this.#isLate;
  }

  /** To be called by the step that keeps the result; throws where it comes too late. */
  readonly keep = (): void => {
    if (this.#isLate) throw new TooLate("the call has gone on without it");
    this.#isKept = true;
  };

  /** The result of `work`, or of `otherwise` when the time is over. Rejects as `work` does. */
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
