/** Delay in ms before a call's first report, and interval of reports without news. */
const TICK_MS = 2000;
/** Minimum interval in ms between reports, so that a busy task sends a limited number. */
const LEAST_MS = 250;

/** A progress report: seconds since the call began (always increasing), and what it is doing. */
export interface Reported {
  readonly progress: number;
  readonly message: string;
}

/**
 * Reports a call's progress until it ends: news at most every LEAST_MS, and every TICK_MS in any case,
 * because clients with an inactivity timeout would give up otherwise. A report that is too early is delayed;
 * a later one replaces it.
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

  /** Reports what the call is doing now. */
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
