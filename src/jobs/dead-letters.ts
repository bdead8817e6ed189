import type { WorkspaceId } from "../domain/ids.ts";
import type { DeadLetter, Job, JobOwner, NewJob } from "../domain/job.ts";
import { deadLetterKey, deadLettersOf } from "../domain/job-keys.ts";
import type { Draft } from "../storage/draft.ts";
import { type Kv, type KvReader, prefixRange } from "../storage/kv.ts";
import { encodeRecord } from "../storage/record-codec.ts";
import { DEAD_LETTERS } from "./job-records.ts";

const PAGE = 1000;
/** Maximum number of dead letters per account; older ones are dropped. */
const MAX_KEPT = 1000;
/** Maximum payload in bytes that is kept for a retry; bounds an account to 64 MiB. */
const MAX_PAYLOAD_BYTES = 64 * 1024;

/** Failed jobs, each with its reason. */
export class DeadLetters {
  /** Number of dead letters dropped since the start to make room for newer ones. */
  dropped = 0;
  readonly #kv: Kv;
  readonly #clock: () => number;

  constructor(kv: Kv, clock: () => number) {
    this.#kv = kv;
    this.#clock = clock;
  }

  /** The record of a failed job; write it in the transaction that ends the job. */
  write(job: Job, reason: string): { readonly key: string; readonly value: Uint8Array } {
    const { queue, kind, workspace, sequence, attempts } = job;
    const isSmall = encodeRecord(job.payload).byteLength <= MAX_PAYLOAD_BYTES;
    const letter: DeadLetter = {
      queue,
      kind,
      workspace,
      sequence,
      reason,
      at: this.#clock(),
      attempts,
      ...(isSmall && { job: retryOf(job) }),
    };
    return { key: deadLetterKey(letter), value: encodeRecord(letter) };
  }

  /** Dead letters of a workspace with sequence numbers below `before`, newest first. */
  async list(workspace: WorkspaceId, limit: number, before?: number): Promise<DeadLetter[]> {
    const all = prefixRange(deadLettersOf(workspace), limit);
    const lt = before === undefined ? all.lt : deadLetterKey({ workspace, sequence: before });
    const found = await this.#kv.range({ ...all, lt, reverse: true });
    return found.map(([key, value]) => DEAD_LETTERS.decode(value, key));
  }

  /** The dead letter of a job, as read within a transaction. */
  of(read: KvReader, workspace: WorkspaceId, sequence: number): DeadLetter | undefined {
    return DEAD_LETTERS.read(read, deadLetterKey({ workspace, sequence }));
  }

  /** Removes a dead letter in a transaction and returns the job to enqueue there. */
  take(draft: Draft, { queue, kind, workspace, sequence, job }: Required<DeadLetter>): NewJob {
    draft.delete(deadLetterKey({ workspace, sequence }));
    const { bytes = 0, class: jobClass, payload, owner, sameAs } = job;
    const waitingBytes = Math.max(0, bytes - encodeRecord(payload).byteLength);
    const made = { queue, class: jobClass, kind, workspace, payload, origins: [], sameAs, waitingBytes };
    return owner ? { ...made, owner } : made;
  }

  /** Removes the oldest dead letters of a workspace beyond the limit. */
  async trim(workspace: WorkspaceId): Promise<void> {
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

  /** Removes the dead letters of a removed user, because they can no longer be retried. */
  async dropOf(workspace: WorkspaceId, { user, incarnation }: JobOwner): Promise<void> {
    const found = await this.#kv.range(prefixRange(deadLettersOf(workspace), MAX_KEPT + PAGE));
    const keys = found.flatMap(([key, value]) => {
      const owner = DEAD_LETTERS.decode(value, key).job?.owner;
      return owner?.user === user && owner.incarnation === incarnation ? [key] : [];
    });
    if (keys.length > 0) await this.#remove(keys);
  }

  /** Removes all dead letters of a workspace. */
  async drop(workspace: WorkspaceId): Promise<void> {
    for (;;) {
      const keys = await this.#kv.keys(prefixRange(deadLettersOf(workspace), PAGE));
      if (keys.length === 0) return;
      await this.#remove(keys);
    }
  }

  async #remove(keys: readonly string[]): Promise<void> {
    const ops = keys.map((key) => ({ key, value: undefined }));
    await this.#kv.transact(() => ({ ops, apply: () => undefined }));
  }
}

const retryOf = ({ class: jobClass, payload, bytes, owner, sameAs }: Job): DeadLetter["job"] => ({
  class: jobClass,
  payload,
  ...(bytes !== undefined && { bytes }),
  ...(owner && { owner }),
  ...(sameAs !== undefined && { sameAs }),
});
