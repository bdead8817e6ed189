import { type Answer, isOk, NoAnswer, say } from "./rest.ts";

/** A call that changes something, with the resulting state. */
export interface Operation<State> {
  readonly name: string;
  readonly send: () => Promise<Answer>;
  /**
   * Adds information from the acknowledged answer (such as a key) to the state; without an answer it is
   * unknown.
   */
  readonly after: (answer: Answer | undefined) => State;
  /** Called once the operation is known to have taken effect. */
  readonly done?: () => void;
}

/**
 * Sends one operation after the other and keeps the acknowledged state. At most one operation is in flight.
 */
export abstract class Caller<State> {
  readonly name: string;
  readonly #complain: (what: string) => void;
  abstract state: State;
  /** The operation without an answer: its effect must exist completely or not at all. */
  #pending: Operation<State> | undefined;
  acknowledged = 0;

  constructor(name: string, complain: (what: string) => void) {
    this.name = name;
    this.#complain = complain;
  }

  abstract choose(): Operation<State> | undefined;

  /** Works until told to stop or until a call remains without an answer. */
  async work(isStopped: () => boolean, isEnding: () => Promise<boolean>): Promise<void> {
    while (!isStopped()) {
      const operation = this.choose();
      if (!operation) continue;
      this.#pending = operation;
      try {
        const answer = await operation.send();
        if (isOk(answer)) this.#acknowledge(operation, answer);
        else if (answer.status === 503 && (await isEnding())) return;
        else {
          this.complain(`${operation.name}: ${say(answer)}`);
          if (answer.status >= 500) return;
          this.#pending = undefined;
        }
      } catch (error) {
        if (!(error instanceof NoAnswer)) throw error;
        if (!(await isEnding()))
          this.complain(`${operation.name}: no answer though the server lives: ${error.message}`);
        return;
      }
    }
  }

  /**
   * Decides about the operation in flight: `differences` must be empty for the state before it or after it.
   */
  protected resolve(differences: (state: State) => string[]): void {
    const pending = this.#pending;
    this.#pending = undefined;
    const before = differences(this.state);
    if (before.length === 0) return;
    const after = pending?.after(undefined);
    const left = after === undefined ? before : differences(after);
    if (after !== undefined && left.length === 0) {
      this.state = after;
      pending?.done?.();
      return;
    }
    this.complain(`${before.length} differences: ${before.slice(0, 5).join("; ")}`);
    if (pending) this.complain(`in flight ${pending.name}, after it: ${left.slice(0, 5).join("; ")}`);
  }

  protected complain(what: string): void {
    this.#complain(`${this.name}: ${what}`);
  }

  #acknowledge(operation: Operation<State>, answer: Answer): void {
    this.state = operation.after(answer);
    operation.done?.();
    this.acknowledged++;
    this.#pending = undefined;
  }
}
