import type { Change, KvReader } from "../../src/storage/kv.ts";
import { RamKv } from "../../src/storage/ram/ram-kv.ts";
import { encodeRecord } from "../../src/storage/record-codec.ts";

/** A store that simulates a crash after a number of transactions; its records survive. */
export class DyingKv extends RamKv {
  #left = Number.POSITIVE_INFINITY;

  override transact<T>(decide: (read: KvReader) => Change<T>): Promise<T> {
    return this.#left-- > 0 ? super.transact(decide) : Promise.reject(new Error("killed"));
  }

  put(key: string, record: unknown): Promise<void> {
    return this.transact(() => ({ ops: [{ key, value: encodeRecord(record) }], apply: () => undefined }));
  }

  /**
   * Runs work that crashes after the given number of transactions. Returns true if it finished before that.
   */
  async interrupted(transactions: number, work: () => Promise<void>): Promise<boolean> {
    this.#left = transactions;
    const ended = await work().then(
      () => true,
      () => false,
    );
    this.#left = Number.POSITIVE_INFINITY;
    return ended;
  }
}
