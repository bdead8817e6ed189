/** Ms from the begin of a call to its first report, and between reports of a call that reaches nothing new. */
const TICK_MS = 2000;
/** Ms between reports at least, so that a busy task sends a bounded number of them. */
const LEAST_MS = 250;

/** One report: seconds since the call began, which always grow, and what it does. */
export interface Reported {
  readonly progress: number;
  readonly message: string;
}

/**
 * Tells a caller how far its call is, until it ends: when there is something new, at most every LEAST_MS, and
 * every TICK_MS in any case, so that a client that waits as long as it hears something does not give up. A
 * report that comes too early waits; a later one replaces it.
 */
export class ProgressReport {
  readonly #send: (report: Reported) => void;
  readonly #began = performance.now();
  #message = "running";
  #sentAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #isEnded = false;

  constructor(send: (report: Reported) => void) {
    this.#send = send;
    this.#schedule(TICK_MS);
  }

  /** What the call does now. */
  tell(message: string): void {
    if (message === this.#message) return;
    this.#message = message;
    this.#schedule(Math.max(0, this.#sentAt + LEAST_MS - performance.now()));
  }

  end(): void {
    this.#isEnded = true;
    clearTimeout(this.#timer);
  }

  #schedule(ms: number): void {
    clearTimeout(this.#timer);
    if (!this.#isEnded) this.#timer = setTimeout(() => this.#report(), ms);
  }

  #report(): void {
    this.#sentAt = performance.now();
    const seconds = Math.round(this.#sentAt - this.#began) / 1000;
    this.#send({ progress: seconds, message: this.#message });
    this.#schedule(TICK_MS);
  }
}
