/** Longest stretch in ms that long computations, all together, keep the event loop for themselves. */
const TURN_MS = 8;
/** Stands for the server's own work where a party is asked for. */
const SERVER = 0;

/**
 * When a computation first read the clock in this turn of the event loop; undefined before that. Each thread
 * has one event loop.
 */
let turnBegan: number | undefined;
/** Computations that wait for their turn, by party; the party that is next stands first. */
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

/** One computation goes on in each turn of the loop. */
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

/** Goes through steps without a pause: for work that is known to be short. */
export function atOnce<T>(steps: Generator<undefined, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Gives others their turn in the midst of long work, by the clock. */
export class EventLoopYielder {
  readonly #party: number;

  /** `party` shares the loop evenly with others: the workspace for which the work is done. */
  constructor(party = SERVER) {
    this.#party = party;
  }

  /** Goes through steps of a millisecond or less, yielding between them; what they return. */
  async through<T>(steps: Generator<undefined, T>): Promise<T> {
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value;
      await this.yieldIfDue();
    }
  }

  /** To be called between steps of a millisecond or less. */
  async yieldIfDue(): Promise<void> {
    await yieldIfDue(this.#party);
  }
}

/**
 * Gives others their turn in the midst of long work whose steps are too small to look at the clock after
 * each.
 */
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

  /** Counts what was done since the last call; wait for the answer, if there is one, before going on. */
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
