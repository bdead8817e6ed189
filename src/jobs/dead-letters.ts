import { type DeadLetter, deadLetterKey, deadLettersOf, type Job } from "../domain/job.ts";
import { type Kv, type KvOp, prefixRange } from "../storage/kv.ts";
import { encodeRecord } from "../storage/records.ts";

const PAGE = 1000;
/** Kept of an account; the oldest go. */
const MAX_KEPT = 1000;

/** Jobs that were given up, each with its reason. */
export class DeadLetters {
  /** Removed since the start because later ones came. */
  dropped = 0;
  readonly #kv: Kv;
  readonly #clock: () => number;

  constructor(kv: Kv, clock: () => number) {
    this.#kv = kv;
    this.#clock = clock;
  }

  /** The record of a job that is given up, to be written in the transaction that ends the job. */
  write({ queue, kind, workspace, sequence }: Job, reason: string): KvOp {
    const letter: DeadLetter = { queue, kind, workspace, sequence, reason, at: this.#clock() };
    return { key: deadLetterKey(letter), value: encodeRecord(letter) };
  }

  /** Removes the oldest ones of a workspace beyond those that are kept. */
  async trim(workspace: number): Promise<void> {
    const keys = await this.#kv.keys(prefixRange(deadLettersOf(workspace), MAX_KEPT + PAGE));
    const oldest = keys.slice(0, Math.max(0, keys.length - MAX_KEPT));
    if (oldest.length === 0) return;
    await this.#kv.transact(() => ({
      ops: oldest.map((key) => ({ key, value: undefined })),
      apply: () => {
        this.dropped += oldest.length;
      },
    }));
  }

  /** Removes all of a workspace. */
  async drop(workspace: number): Promise<void> {
    for (;;) {
      const keys = await this.#kv.keys(prefixRange(deadLettersOf(workspace), PAGE));
      if (keys.length === 0) return;
      await this.#kv.transact(() => ({
        ops: keys.map((key) => ({ key, value: undefined })),
        apply: () => undefined,
      }));
    }
  }
}
