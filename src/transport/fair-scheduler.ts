export interface TurnLimits {
  /**
   * Time in ms within one turn of the event loop after which nothing further starts, so that running work,
   * probes and new requests go first.
   */
  readonly ms: number;
  /** Maximum number of tasks that start in a turn after waiting; at least one is started. */
  readonly started: number;
}

/**
 * Decides when tasks start: at once while the main thread has time, otherwise round robin between parties. A
 * flood of tasks thus delays neither running work nor, beyond its share, the tasks of other parties.
 */
export class FairScheduler<Party> {
  readonly #lines = new Map<Party, (() => void)[]>();
  readonly #limits: TurnLimits;
  #waiting = 0;
  /** Value of performance.now() in ms at the start of the turn. */
  #began: number | undefined;
  #scheduled = false;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  /** Number of waiting tasks. */
  get waiting(): number {
    return this.#waiting;
  }

  waitingOf(party: Party): number {
    return this.#lines.get(party)?.length ?? 0;
  }

  /** Whether a task may start now; must be called immediately before it starts. */
  isOpen(): boolean {
    if (this.#waiting > 0 || !this.#hasTime()) return false;
    this.#schedule();
    return true;
  }

  /** Starts a task in a later turn. */
  later(party: Party, task: () => void): void {
    const line = this.#lines.get(party);
    if (line) line.push(task);
    else this.#lines.set(party, [task]);
    this.#waiting++;
    this.#schedule();
  }

  #hasTime(): boolean {
    this.#began ??= performance.now();
    return performance.now() - this.#began < this.#limits.ms;
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => this.#nextRound());
  }

  #nextRound(): void {
    this.#scheduled = false;
    this.#began = undefined;
    if (this.#waiting === 0) return;
    // work done before the callbacks below counts toward this turn
    this.#began = performance.now();
    // one callback per task: its first part continues in microtasks, which run when that callback ends
    setImmediate(() => this.#startNext());
    for (let i = Math.min(this.#waiting, this.#limits.started) - 1; i > 0; i--)
      setImmediate(() => this.#hasTime() && this.#startNext());
    this.#schedule();
  }

  #startNext(): void {
    for (const [party, line] of this.#lines) {
      this.#lines.delete(party);
      const task = line.shift();
      if (line.length > 0) this.#lines.set(party, line);
      this.#waiting--;
      task?.();
      return;
    }
  }
}
