import type { Watched } from "./job-watch.ts";
import { subjectOf } from "./job-watches.ts";

/** Maximum number of jobs placed per turn of the event loop. */
const AT_ONCE = 1000;

interface Deps {
  /** Keys of the unfinished jobs that a watch may cover; the set may change during iteration. */
  readonly keysOf: (watched: Watched) => Iterable<string>;
  /** Moves a pending job to the sublist where it belongs now; false if it is no longer pending. */
  readonly place: (key: string) => boolean;
  /** Called when jobs may have become ready. */
  readonly wake: () => void;
}

/** The remaining jobs of a subject. */
interface Pass {
  readonly keys: Iterator<string>;
  /** The latest further watch of the subject, because the first caller may have left in the meantime. */
  again?: Watched;
}

/**
 * Ends the delay of jobs for which callers wait, in steps: an account may have 100,000, and any number of
 * callers may wait for them.
 */
export class ExpeditedJobs {
  readonly #deps: Deps;
  /** By subject of a watch; the first one continues next. */
  readonly #passes = new Map<string | number, Pass>();
  #isRunning = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  add(watched: Watched): void {
    const subject = subjectOf(watched);
    const running = this.#passes.get(subject);
    if (running) {
      running.again = watched;
      return;
    }
    const pass = this.#passFor(watched);
    if (this.#placeSome(pass)) return;
    this.#passes.set(subject, pass);
    if (this.#isRunning) return;
    this.#isRunning = true;
    setImmediate(() => this.#goOn());
  }

  #goOn(): void {
    const [next] = this.#passes;
    if (next) {
      const [subject, pass] = next;
      const isLast = this.#placeSome(pass);
      this.#passes.delete(subject);
      if (!isLast) this.#passes.set(subject, pass);
      else if (pass.again !== undefined) this.#passes.set(subject, this.#passFor(pass.again));
    }
    this.#isRunning = this.#passes.size > 0;
    if (this.#isRunning) setImmediate(() => this.#goOn());
  }

  #passFor(watched: Watched): Pass {
    return { keys: this.#deps.keysOf(watched)[Symbol.iterator]() };
  }

  /** Returns whether the pass is complete. */
  #placeSome({ keys }: Pass): boolean {
    let isLast = false;
    let hasPlaced = false;
    for (let left = AT_ONCE; left > 0 && !isLast; left--) {
      const { done, value } = keys.next();
      if (done) isLast = true;
      else if (this.#deps.place(value)) hasPlaced = true;
    }
    if (hasPlaced) this.#deps.wake();
    return isLast;
  }
}
