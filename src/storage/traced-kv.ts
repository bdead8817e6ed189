import type { Trace } from "../base/trace.ts";
import type { Change, KeyRange, Kv, KvReader, KvSnapshot, TransactOptions } from "./kv.ts";

/** A Kv that traces its transactions: the wait for the previous batch, and the time until durable. */
export class TracedKv implements Kv {
  readonly #kv: Kv;
  readonly #trace: Trace;

  constructor(kv: Kv, trace: Trace) {
    this.#kv = kv;
    this.#trace = trace;
  }

  get(key: string): Uint8Array | undefined {
    return this.#kv.get(key);
  }

  touched(prefix: string): string[] {
    return this.#kv.touched(prefix);
  }

  range(range: KeyRange): Promise<[key: string, value: Uint8Array][]> {
    return this.#kv.range(range);
  }

  texts(range: KeyRange): Promise<[key: string, value: string][]> {
    return this.#kv.texts(range);
  }

  keys(range: KeyRange): Promise<string[]> {
    return this.#kv.keys(range);
  }

  snapshot(): KvSnapshot {
    return this.#kv.snapshot();
  }

  transact<T>(decide: (read: KvReader) => Change<T>, options?: TransactOptions): Promise<T> {
    return this.#trace.step("commit", {}, (span) => {
      const began = performance.now();
      const traced = (read: KvReader) => {
        const waited_ms = performance.now() - began;
        // many transactions are decided in one turn; this decision belongs to this span
        const change = span.within(() => decide(read));
        span.tell({ waited_ms, operations: change.ops.length });
        return change;
      };
      return this.#kv.transact(traced, options);
    });
  }

  scrub(ranges: readonly Pick<KeyRange, "gte" | "lt">[]): Promise<void> {
    return this.#kv.scrub(ranges);
  }

  close(): Promise<void> {
    return this.#kv.close();
  }
}
