import { nextTurnIfOver } from "../base/event-loop.ts";
import { itemAt } from "../base/expect.ts";
import type { Log } from "../base/log.ts";
import { ServiceError, unavailable } from "../domain/errors.ts";
import { type Admitted, CommitGroup, type Decided, type PendingCommit, refuse } from "./commit-group.ts";
import { type Change, type KvOp, type KvReader, MAX_CHANGE_BYTES, type TransactOptions } from "./kv.ts";

/** Maximum number of transactions decided together; the rest waits for the next batch. */
const MAX_GROUP_TRANSACTIONS = 256;
/**
 * Maximum time in ms for deciding one group, which blocks the main thread; applying it takes about as long.
 */
const MAX_GROUP_MS = 8;
const START_AGAIN =
  "the server stops: start it again, every acknowledged write is on the disk. If this comes again, run `ctxdb verify` and report it";
/** Maximum number of waiting transactions; above it, callers get UNAVAILABLE. */
const MAX_WAITING = 16_384;

/** Durable target of a group commit; it writes one group at a time. */
export interface Place {
  /** Reads the state without the group that is being written. */
  get(key: string): Uint8Array | undefined;
  /**
   * Writes atomically; with `sync`, durable when the promise resolves. Readers see the previous state until
   * `reveal`, and after a failed write.
   */
  write(ops: readonly KvOp[], sync: boolean): Promise<void>;
  reveal(): void;
  /** Throws if the change cannot be written to this store. */
  admit?(ops: readonly KvOp[]): Admitted;
  /** The error after which the readers' state is unknown; undefined as long as it is known. */
  readonly lost: unknown;
}

/**
 * Group commit: transactions that arrive during a write are then decided together and share the next write. A
 * group is decided, written, revealed and applied before the next one is decided.
 */
export class GroupCommit<P extends Place> {
  readonly #place: P;
  readonly #log: Log;
  readonly #queue: PendingCommit[] = [];
  /** A decided transaction that did not fit into its group; it is the first of the next one. */
  #carried: Decided | undefined;
  #running: Promise<void> | undefined;
  #closed = false;
  /** Why all reads and writes are refused. */
  #broken: ServiceError | undefined;
  readonly #onBroken: (error: Error) => void;

  /**
   * `onBroken` is called once if the tables in memory or the readers' state may differ from the store. From
   * then on, every transaction and `sound` throw UNAVAILABLE.
   */
  constructor(place: P, log: Log, onBroken: (error: Error) => void) {
    this.#place = place;
    this.#log = log;
    this.#onBroken = onBroken;
  }

  /** The store, for reading. Throws UNAVAILABLE if memory and disk may differ. */
  get sound(): P {
    if (this.#broken) throw this.#broken;
    return this.#place;
  }

  /** See Kv.transact. */
  transact<T>(decide: (read: KvReader) => Change<T>, options?: TransactOptions): Promise<T> {
    if (this.#broken) return Promise.reject(this.#broken);
    if (this.#closed)
      return Promise.reject(
        unavailable("the store is closed, because the server is shutting down; try again later"),
      );
    if (this.#queue.length >= MAX_WAITING)
      return Promise.reject(unavailable(`more than ${MAX_WAITING} writes are waiting; try again later`));
    return new Promise<T>((resolve, reject) => {
      const maxBytes = options?.maxBytes ?? MAX_CHANGE_BYTES;
      this.#queue.push({
        decide,
        sync: options?.sync ?? true,
        maxBytes,
        resolve: resolve as (value: unknown) => void,
        reject,
      });
      this.#running ??= this.#run();
    });
  }

  /** Refuses further transactions and waits for running ones; the store stays open. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    await undefined; // concurrent callers share the first group
    while (this.#queue.length > 0 || this.#carried) {
      if (this.#broken) return this.#refuseWaiting(this.#broken);
      // deciding and writing a group block the event loop, and so may the work of the callers before
      await nextTurnIfOver();
      const group = this.#nextGroup();
      await nextTurnIfOver();
      try {
        if (group.members.some((member) => member.change.ops.length > 0))
          await this.#place.write(group.ops(), group.sync);
        this.#apply(group);
      } catch (error) {
        this.#refuse(group, error);
        if (this.#place.lost)
          this.#break("the state before a failed write could not be read", this.#place.lost);
      }
    }
    this.#running = undefined;
  }

  #nextGroup(): CommitGroup {
    const group = new CommitGroup(this.#place);
    if (this.#carried) group.addLater(this.#carried);
    this.#carried = undefined;
    let taken = 0;
    const began = performance.now();
    const hasRoom = () =>
      group.members.length < MAX_GROUP_TRANSACTIONS && performance.now() - began < MAX_GROUP_MS;
    while (taken < this.#queue.length && hasRoom() && !this.#carried && !group.isAlone) {
      const decided = group.decide(itemAt(this.#queue, taken++));
      if (!decided) continue;
      const fits = group.bytes + decided.bytes <= MAX_CHANGE_BYTES && !decided.admitted.isAlone;
      if (fits || group.members.length === 0) group.add(decided);
      else this.#carried = decided;
    }
    this.#queue.splice(0, taken);
    return group;
  }

  #apply(group: CommitGroup): void {
    this.#place.reveal();
    for (const { waiting, change } of group.members) {
      try {
        waiting.resolve(change.apply());
      } catch (error) {
        // a bug: the records are durable, but tables in memory differ from them until the next start
        this.#break("a durable change could not be applied to the tables in memory", error);
        waiting.reject(error);
      }
    }
  }

  #break(what: string, cause: unknown): void {
    if (this.#broken) return;
    const error = new Error(`${what}; ${START_AGAIN}`, { cause });
    this.#log.fatal({ err: error }, error.message);
    this.#broken = unavailable("the server is shutting down after a failed write; try again later");
    this.#onBroken(error);
  }

  #refuseWaiting(error: ServiceError): void {
    for (const waiting of this.#queue.splice(0)) waiting.reject(error);
    if (this.#carried) refuse(this.#carried, error);
    this.#carried = undefined;
    this.#running = undefined;
  }

  /** Fails a group, including transactions decided on top of it. */
  #refuse(group: CommitGroup, error: unknown): void {
    if (!(error instanceof ServiceError)) this.#log.error({ err: error }, "a batch could not be written");
    if (this.#carried) refuse(this.#carried, error);
    this.#carried = undefined;
    for (const member of group.members.toReversed()) refuse(member, error);
  }
}
