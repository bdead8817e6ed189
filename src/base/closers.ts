import { before } from "./deadline.ts";

interface Closer {
  readonly name: string;
  readonly close: () => Promise<void> | void;
}

/** What was opened, to be closed in reverse order. */
export class Closers {
  readonly #limitMs: number;
  readonly #open: Closer[] = [];

  /** `limitMs` bounds the closing of each. */
  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  add(name: string, close: () => Promise<void> | void): void {
    this.#open.push({ name, close });
  }

  /** Closes the latest first, one after the other. What fails or takes too long is passed over and returned. A second call finds nothing left to do. */
  async close(): Promise<Error[]> {
    const failures: Error[] = [];
    for (let next = this.#open.pop(); next; next = this.#open.pop()) {
      const limit = new AbortController();
      const { name } = next;
      const timer = setTimeout(() => limit.abort(new Error(`not closed within ${this.#limitMs} ms`)), this.#limitMs);
      try {
        await before(
          limit.signal,
          Promise.resolve(next).then((closer) => closer.close()),
        );
      } catch (cause) {
        failures.push(new Error(`${name}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause }));
      } finally {
        clearTimeout(timer);
      }
    }
    return failures;
  }
}
