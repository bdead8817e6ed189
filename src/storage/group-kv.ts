import type { Log } from "../base/log.ts";
import { GroupCommit, type Place } from "./group-commit.ts";
import type { Change, KeyRange, Kv, KvPages, KvReader, KvSnapshot, TransactOptions } from "./kv.ts";

const SCRUB_ROUNDS = 2;

/** A store that can also be read: a LevelDB, or a copy that follows a shared store. */
export interface ReadablePlace extends Place, Omit<KvPages, "touched"> {
  snapshot(): KvSnapshot;
  /** Waits until the currently open snapshots are closed. */
  olderSnapshots(): Promise<void>;
  /** Rewrites the files that contain keys of a range. */
  compact(gte: string, lt: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * Kv with group commit: one write per group. Reads during a write see the state before it, so that no record
 * is newer than the tables in memory.
 */
export class GroupKv implements Kv {
  readonly #place: ReadablePlace;
  readonly #commits: GroupCommit<ReadablePlace>;

  /**
   * `onBroken` is called once if the tables in memory or the readers' state may differ from the store. From
   * then on, every read and write throws UNAVAILABLE.
   */
  constructor(place: ReadablePlace, log: Log, onBroken: (error: Error) => void = () => undefined) {
    this.#place = place;
    this.#commits = new GroupCommit(place, log, onBroken);
  }

  get(key: string): Uint8Array | undefined {
    return this.#commits.sound.get(key);
  }

  touched(): string[] {
    return [];
  }

  async range(range: KeyRange): Promise<[key: string, value: Uint8Array][]> {
    return this.#commits.sound.range(range);
  }

  async texts(range: KeyRange): Promise<[key: string, value: string][]> {
    return this.#commits.sound.texts(range);
  }

  async keys(range: KeyRange): Promise<string[]> {
    return this.#commits.sound.keys(range);
  }

  snapshot(): KvSnapshot {
    return this.#commits.sound.snapshot();
  }

  transact<T>(decide: (read: KvReader) => Change<T>, options?: TransactOptions): Promise<T> {
    return this.#commits.transact(decide, options);
  }

  async scrub(ranges: readonly Pick<KeyRange, "gte" | "lt">[]): Promise<void> {
    await this.#commits.sound.olderSnapshots();
    // LevelDB does not rewrite files of its last level; a second round writes new files above those moved
    // there by the first, so that both are merged
    for (let round = 0; round < SCRUB_ROUNDS; round++)
      for (const { gte, lt } of ranges) {
        await this.#rewriteBounds(gte, lt);
        await this.#commits.sound.compact(gte, lt);
      }
  }

  /**
   * Rewrites both ends of a range unchanged, so that a new file covers the range. The ends may belong to
   * different workspaces.
   */
  async #rewriteBounds(gte: string, lt: string): Promise<void> {
    const rewrite = (key: string) =>
      this.#commits.transact((read) => ({ ops: [{ key, value: read.get(key) }], apply: () => undefined }));
    await Promise.all([rewrite(gte), rewrite(lt)]);
  }

  async close(): Promise<void> {
    await this.#commits.close();
    await this.#place.close();
  }
}
