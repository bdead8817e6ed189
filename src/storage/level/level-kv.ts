import type { Log } from "../../base/log.ts";
import { ServiceError, unavailable } from "../../domain/errors.ts";
import { type Change, type Kv, type KvReader, type KvSnapshot, MAX_CHANGE_BYTES, type Range, type TransactOptions } from "../kv.ts";
import { CommitGroup, type Decided, type Waiting } from "./commit-group.ts";
import { LevelFile } from "./level-file.ts";

/** Transactions decided together; the rest waits for the next batch. */
const MAX_GROUP_TRANSACTIONS = 256;
/** How long transactions are decided for one group, which keeps the main thread: what it folds takes about as long. */
const MAX_GROUP_MS = 8;
/** Transactions that may wait; beyond, callers are told to come back. */
const MAX_WAITING = 16_384;

/**
 * Kv over LevelDB with group commit: what is asked for while a batch is being written is decided together afterwards and shares one batch and one fsync.
 * Reads made meanwhile come from a snapshot, so that no record is ahead of the tables in memory.
 */
export class LevelKv implements Kv {
  readonly #file: LevelFile;
  readonly #log: Log;
  readonly #queue: Waiting[] = [];
  /** Decided over the group before it, for which it was too large. */
  #carried: Decided | undefined;
  #running: Promise<void> | undefined;
  #closed = false;

  private constructor(file: LevelFile, log: Log) {
    this.#file = file;
    this.#log = log;
  }

  /** The caller holds the ProcessLock of the data directory. */
  static async open(folder: string, log: Log): Promise<LevelKv> {
    return new LevelKv(await LevelFile.open(folder, log), log);
  }

  get(key: string): Uint8Array | undefined {
    return this.#file.get(key);
  }

  touched(): string[] {
    return [];
  }

  range(range: Range): Promise<[key: string, value: Uint8Array][]> {
    return this.#file.range(range);
  }

  texts(range: Range): Promise<[key: string, value: string][]> {
    return this.#file.texts(range);
  }

  keys(range: Range): Promise<string[]> {
    return this.#file.keys(range);
  }

  snapshot(): KvSnapshot {
    return this.#file.snapshot();
  }

  transact<T>(decide: (read: KvReader) => Change<T>, options?: TransactOptions): Promise<T> {
    if (this.#closed) return Promise.reject(unavailable("the store is closed"));
    if (this.#queue.length >= MAX_WAITING) return Promise.reject(unavailable(`more than ${MAX_WAITING} writes are waiting`));
    return new Promise<T>((resolve, reject) => {
      const maxBytes = options?.maxBytes ?? MAX_CHANGE_BYTES;
      this.#queue.push({ decide, sync: options?.sync ?? true, maxBytes, resolve: resolve as (value: unknown) => void, reject });
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
      const group = this.#nextGroup();
      try {
        if (group.members.some((member) => member.change.ops.length > 0)) await this.#file.write(group.ops(), group.sync);
        this.#apply(group);
      } catch (error) {
        this.#refuse(group, error);
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
    const hasRoom = () => group.members.length < MAX_GROUP_TRANSACTIONS && performance.now() - began < MAX_GROUP_MS;
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
        // a defect of the program: the records are durable and the tables may now differ from them until the next start
        this.#log.fatal({ err: error }, "a durable change could not be applied to the tables in memory");
        waiting.reject(error);
      }
    }
  }

  /** What was decided over a group that failed falls with it. */
  #refuse(group: CommitGroup, error: unknown): void {
    if (!(error instanceof ServiceError)) this.#log.error({ err: error }, "a batch could not be written");
    for (const { waiting } of group.members) waiting.reject(error);
    this.#carried?.waiting.reject(error);
    this.#carried = undefined;
  }
}
