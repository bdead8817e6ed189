/** Longest stretch in ms for which all long computations together hold the event loop. */
const TURN_MS = 8;
/** The party of the server's own work. */
const SERVER = 0;

/**
 * When a computation first read the clock in this turn of the event loop; undefined before that. Each thread
 * has one event loop.
 */
let turnBegan: number | undefined;
/** Computations waiting for their turn, by party; the next party comes first. */
const waiting = new Map<number, (() => void)[]>();

/**
 * Resolves at once while the turn is short, else when it is the computation's turn: after I/O and timers, and
 * after one computation of each other party. However many run at once, the loop comes round every few
 * milliseconds.
 */
function yieldIfDue(party: number): Promise<void> | undefined {
  const now = performance.now();
  if (turnBegan === undefined) {
    turnBegan = now;
    setImmediate(nextTurn);
  }
  if (now - turnBegan < TURN_MS) return undefined;
  return new Promise((resolve) => {
    const others = waiting.get(party);
    if (others) others.push(resolve);
    else waiting.set(party, [resolve]);
  });
}

/** One computation continues in each turn of the loop. */
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

/** Runs all steps without a pause: for work that is known to be short. */
export function atOnce<T>(steps: Generator<undefined, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Yields to others during long work, by the clock. */
export class EventLoopYielder {
  readonly #party: number;

  /** `party` shares the loop evenly with others: the workspace for which the work is done. */
  constructor(party = SERVER) {
    this.#party = party;
  }

  /** Runs steps of a millisecond or less, yielding between them; their result. */
  async through<T>(steps: Generator<undefined, T>): Promise<T> {
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value;
      const turn = yieldIfDue(this.#party);
      if (turn) await turn;
    }
  }

  /** Call it between steps of a millisecond or less. */
  async yieldIfDue(): Promise<void> {
    await yieldIfDue(this.#party);
  }
}

/** Yields to others during long work whose steps are too small to read the clock after each. */
export class YieldBudget {
  readonly #budget: number;
  readonly #signal: AbortSignal | undefined;
  readonly #party: number;
  #left: number;

  /**
   * `budget` is a few milliseconds of work, in whatever unit `spend` is given. An aborted `signal` ends the
   * work when its budget is spent. `party` as for EventLoopYielder.
   */
  constructor(budget: number, signal?: AbortSignal, party = SERVER) {
    this.#budget = budget;
    this.#signal = signal;
    this.#party = party;
    this.#left = budget;
  }

  /** Counts the work done since the last call; await the result, if there is one, before continuing. */
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
