import { append } from "../base/append.ts";
import type { Change, KvReader } from "./kv.ts";

/**
 * A transaction under construction: reads see its own writes before those of the reader, so that the steps of
 * a change compose. Callbacks passed to `onDurable` run in order once the writes are durable (see
 * Change.apply).
 */
export class Draft implements KvReader {
  #reader: KvReader;
  readonly #writes = new Map<string, Uint8Array | undefined>();
  readonly #last: ((draft: Draft) => void)[] = [];
  readonly #applies: (() => void)[] = [];
  readonly #takeBacks: (() => void)[] = [];

  constructor(reader: KvReader) {
    this.#reader = reader;
  }

  get(key: string): Uint8Array | undefined {
    return this.#writes.has(key) ? this.#writes.get(key) : this.#reader.get(key);
  }

  touched(prefix: string): string[] {
    const keys = new Set(this.#reader.touched(prefix));
    for (const key of this.#writes.keys()) if (key.startsWith(prefix)) keys.add(key);
    return [...keys];
  }

  put(key: string, value: Uint8Array): void {
    this.#writes.set(key, value);
  }

  delete(key: string): void {
    this.#writes.set(key, undefined);
  }

  /** Keys that are written or deleted. */
  written(): Iterable<string> {
    return this.#writes.keys();
  }

  /** Continues with another reader, when a prepared draft reaches the commit point. */
  over(reader: KvReader): void {
    this.#reader = reader;
  }

  /** Runs a step at the end of the decision, at the commit point, even if the draft is prepared earlier. */
  atCommit(step: (draft: Draft) => void): void {
    this.#last.push(step);
  }

  onDurable(fold: () => void): void {
    this.#applies.push(fold);
  }

  /**
   * Takes back what a step at the commit point has changed in memory, if the transaction is not written (see
   * Change.refused).
   */
  onRefused(takeBack: () => void): void {
    this.#takeBacks.push(takeBack);
  }

  /** Takes over the writes and callbacks of a draft that was built on top of this one. */
  absorb(inner: Draft): void {
    for (const [key, value] of inner.#writes) this.#writes.set(key, value);
    append(this.#applies, inner.#applies);
    append(this.#takeBacks, inner.#takeBacks);
    append(this.#last, inner.#last);
  }

  /** Completes the change; `result` is called after the `onDurable` callbacks. */
  toChange<T>(result: () => T): Change<T> {
    for (const step of this.#last) step(this);
    const ops = [...this.#writes].map(([key, value]) => ({ key, value }));
    const applies = this.#applies;
    const takeBacks = this.#takeBacks;
    return {
      ops,
      apply: () => {
        for (const fold of applies) fold();
        return result();
      },
      ...(takeBacks.length > 0 && {
        refused: () => {
          for (const takeBack of takeBacks.toReversed()) takeBack();
        },
      }),
    };
  }
}
