import type { Log } from "../../base/log.ts";
import { ServiceError, unavailable } from "../../domain/errors.ts";
import {
  type Change,
  type KeyRange,
  type Kv,
  type KvReader,
  type KvSnapshot,
  MAX_CHANGE_BYTES,
  type TransactOptions,
} from "../kv.ts";
import { CommitGroup, type Decided, type PendingCommit } from "./commit-group.ts";
import { LevelFile } from "./level-file.ts";

/** Transactions decided together; the rest waits for the next batch. */
const MAX_GROUP_TRANSACTIONS = 256;
/**
 * How long transactions are decided for one group, which keeps the main thread: what it folds takes about as
 * long.
 */
const MAX_GROUP_MS = 8;
const START_AGAIN =
  "the server stops: start it again, every acknowledged write is on the disk. If this comes again, run `ctxdb verify` and report it";
/** Transactions that may wait; beyond, callers are told to come back. */
const MAX_WAITING = 16_384;

/**
 * Kv over LevelDB with group commit: what is asked for while a batch is being written is decided together
 * afterwards and shares one batch and one fsync. Reads made meanwhile come from a snapshot, so that no record
 * is ahead of the tables in memory.
 */
export class LevelKv implements Kv {
  readonly #file: LevelFile;
  readonly #log: Log;
  readonly #queue: PendingCommit[] = [];
  /** Decided over the group before it, for which it was too large. */
  #carried: Decided | undefined;
  #running: Promise<void> | undefined;
  #closed = false;
  /** Why nothing is read or written any more. */
  #broken: ServiceError | undefined;
  readonly #onBroken: (error: Error) => void;

  private constructor(file: LevelFile, log: Log, onBroken: (error: Error) => void) {
    this.#file = file;
    this.#log = log;
    this.#onBroken = onBroken;
  }

  /**
   * The caller holds the ProcessLock of the data directory. `onBroken` is called once where the tables in
   * memory, or what readers see, may differ from the disk: from then on every read and write is refused with
   * UNAVAILABLE.
   */
  static async open(
    folder: string,
    log: Log,
    onBroken: (error: Error) => void = () => undefined,
  ): Promise<LevelKv> {
    return new LevelKv(await LevelFile.open(folder, log), log, onBroken);
  }

  get(key: string): Uint8Array | undefined {
    return this.#sound.get(key);
  }

  touched(): string[] {
    return [];
  }

  async range(range: KeyRange): Promise<[key: string, value: Uint8Array][]> {
    return this.#sound.range(range);
  }

  async texts(range: KeyRange): Promise<[key: string, value: string][]> {
    return this.#sound.texts(range);
  }

  async keys(range: KeyRange): Promise<string[]> {
    return this.#sound.keys(range);
  }

  snapshot(): KvSnapshot {
    return this.#sound.snapshot();
  }

  get #sound(): LevelFile {
    if (this.#broken) throw this.#broken;
    return this.#file;
  }

  transact<T>(decide: (read: KvReader) => Change<T>, options?: TransactOptions): Promise<T> {
    if (this.#broken) return Promise.reject(this.#broken);
    if (this.#closed) return Promise.reject(unavailable("the store is closed"));
    if (this.#queue.length >= MAX_WAITING)
      return Promise.reject(unavailable(`more than ${MAX_WAITING} writes are waiting`));
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

  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
    await this.#file.close();
  }

  async #run(): Promise<void> {
    await undefined; // callers of the same moment share the first group
    while (this.#queue.length > 0 || this.#carried) {
      if (this.#broken) return this.#refuseWaiting(this.#broken);
      const group = this.#nextGroup();
      try {
        if (group.members.some((member) => member.change.ops.length > 0))
          await this.#file.write(group.ops(), group.sync);
        this.#apply(group);
      } catch (error) {
        this.#refuse(group, error);
        if (this.#file.lost)
          this.#break("the state before a failed write could not be read", this.#file.lost);
      }
    }
    this.#running = undefined;
  }

  #nextGroup(): CommitGroup {
    const group = new CommitGroup((key) => this.#file.get(key));
    if (this.#carried) group.add(this.#carried);
    this.#carried = undefined;
    let taken = 0;
    const began = performance.now();
    const hasRoom = () =>
      group.members.length < MAX_GROUP_TRANSACTIONS && performance.now() - began < MAX_GROUP_MS;
    while (taken < this.#queue.length && hasRoom() && !this.#carried) {
      const decided = group.decide(this.#queue[taken++]!);
      if (!decided) continue;
      if (group.bytes + decided.bytes <= MAX_CHANGE_BYTES) group.add(decided);
      else this.#carried = decided;
    }
    this.#queue.splice(0, taken);
    return group;
  }

  #apply(group: CommitGroup): void {
    this.#file.reveal();
    for (const { waiting, change } of group.members) {
      try {
        waiting.resolve(change.apply());
      } catch (error) {
        // a defect of the program: the records are durable, and the tables differ from them until the next
        // start
        this.#break("a durable change could not be applied to the tables in memory", error);
        waiting.reject(error);
      }
    }
  }

  #break(what: string, cause: unknown): void {
    if (this.#broken) return;
    const error = new Error(`${what}; ${START_AGAIN}`, { cause });
    this.#log.fatal({ err: error }, error.message);
    this.#broken = unavailable("the server stops, since its memory may differ from its disk");
    this.#onBroken(error);
  }

  #refuseWaiting(error: ServiceError): void {
    for (const waiting of this.#queue.splice(0)) waiting.reject(error);
    this.#carried?.waiting.reject(error);
    this.#carried = undefined;
    this.#running = undefined;
  }

  /** Transactions decided on top of a failed group fail with it. */
  #refuse(group: CommitGroup, error: unknown): void {
    if (!(error instanceof ServiceError)) this.#log.error({ err: error }, "a batch could not be written");
    for (const { waiting } of group.members) waiting.reject(error);
    this.#carried?.waiting.reject(error);
    this.#carried = undefined;
  }
}
