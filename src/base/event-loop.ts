/** Maximum time in ms for which long computations together may block the event loop. */
const TURN_MS = 8;
/** Party number for the server's own work. */
const SERVER = 0;

/**
 * Time at which a computation first read the clock in this turn of the event loop; undefined before that. Per
 * thread, like the event loop.
 */
let turnBegan: number | undefined;
/** Paused computations by party; the first party in the map continues next. */
const waiting = new Map<number, (() => void)[]>();

/**
 * Resolves at once while this turn of the event loop is short; otherwise after I/O, timers and one
 * computation of each other party. The event loop thus stays responsive however many computations run.
 */
function yieldIfDue(party: number): Promise<void> | undefined {
  if (!isTurnOver()) return undefined;
  return new Promise((resolve) => {
    const others = waiting.get(party);
    if (others) others.push(resolve);
    else waiting.set(party, [resolve]);
  });
}

/** Whether this turn has lasted TURN_MS; measured from the first call in the turn. */
function isTurnOver(): boolean {
  const now = performance.now();
  return now - startTurn(now) >= TURN_MS;
}

/** The time at which this turn began; `now` if it has not begun yet. */
function startTurn(now: number): number {
  if (turnBegan === undefined) {
    turnBegan = now;
    setImmediate(nextTurn);
  }
  return turnBegan;
}

/**
 * Resolves in the next turn if this one is over; undefined otherwise. For short work that many wait for: it
 * does not queue behind paused computations.
 */
export const nextTurnIfOver = (): Promise<void> | undefined =>
  isTurnOver() ? new Promise((resolve) => setImmediate(() => startAgain(resolve))) : undefined;

function startAgain(resume: () => void): void {
  startTurn(performance.now());
  resume();
}

/** Continues one computation per turn of the event loop. */
function nextTurn(): void {
  turnBegan = undefined;
  const [next] = waiting;
  if (!next) return;
  const [party, computations] = next;
  waiting.delete(party);
  const resume = computations.shift();
  if (computations.length > 0) waiting.set(party, computations);
  turnBegan = performance.now();
  setImmediate(nextTurn);
  resume?.();
}

/** Runs all steps without yielding, for work that is known to be short. */
export function atOnce<T>(steps: Generator<undefined, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Yields to the event loop during long work, based on elapsed time. */
export class EventLoopYielder {
  readonly #party: number;

  /** `party`: the workspace that the work is for; parties share the event loop evenly. */
  constructor(party = SERVER) {
    this.#party = party;
  }

  /** Runs steps of at most a millisecond each, yielding between them, and returns their result. */
  async through<T>(steps: Generator<undefined, T>): Promise<T> {
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value;
      const turn = yieldIfDue(this.#party);
      if (turn) await turn;
    }
  }

  /** Call this between steps of at most a millisecond each. */
  async yieldIfDue(): Promise<void> {
    await yieldIfDue(this.#party);
  }
}

/** Yields to the event loop during long work whose steps are too short to read the clock after each. */
export class YieldBudget {
  readonly #budget: number;
  readonly #signal: AbortSignal | undefined;
  readonly #party: number;
  #left: number;

  /**
   * `budget`: a few milliseconds of work, in the unit passed to `spend`. If `signal` is aborted, the work
   * ends when the budget is spent. `party`: see EventLoopYielder.
   */
  constructor(budget: number, signal?: AbortSignal, party = SERVER) {
    this.#budget = budget;
    this.#signal = signal;
    this.#party = party;
    this.#left = budget;
  }

  /** Counts the work done since the last call. If a promise is returned, await it before continuing. */
  spend(work: number): Promise<void> | undefined {
    this.#left -= work;
    return this.#left > 0 ? undefined : this.#turn();
  }

  async #turn(): Promise<void> {
    this.#left = this.#budget;
    await yieldIfDue(this.#party);
    this.#signal?.throwIfAborted();
  }
}
