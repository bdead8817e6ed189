import type { Log } from "../../base/log.ts";
import { GroupCommit } from "../group-commit.ts";
import type { Change, KeyRange, Kv, KvReader, KvSnapshot, TransactOptions } from "../kv.ts";
import { LevelFile } from "./level-file.ts";

const SCRUB_ROUNDS = 2;

/**
 * Kv over LevelDB with group commit: one batch and one fsync per group. Reads during a batch come from a
 * snapshot, so that no record is ahead of the tables in memory.
 */
export class LevelKv implements Kv {
  readonly #file: LevelFile;
  readonly #commits: GroupCommit<LevelFile>;

  private constructor(file: LevelFile, log: Log, onBroken: (error: Error) => void) {
    this.#file = file;
    this.#commits = new GroupCommit(file, log, onBroken);
  }

  /**
   * The caller holds the ProcessLock of the data directory. `onBroken` is called once if the tables in
   * memory, or the readers' state, may differ from the disk: from then on every read and write throws
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
    // LevelDB does not rewrite files of its last level: a second round writes above those that the first one
    // has moved there, so that both are merged
    for (let round = 0; round < SCRUB_ROUNDS; round++)
      for (const { gte, lt } of ranges) {
        await this.#rewriteBounds(gte, lt);
        await this.#commits.sound.compact(gte, lt);
      }
  }

  /**
   * Rewrites both ends of a range unchanged, so that a new file spans the range. They may belong to different
   * workspaces.
   */
  async #rewriteBounds(gte: string, lt: string): Promise<void> {
    const rewrite = (key: string) =>
      this.#commits.transact((read) => ({ ops: [{ key, value: read.get(key) }], apply: () => undefined }));
    await Promise.all([rewrite(gte), rewrite(lt)]);
  }

  async close(): Promise<void> {
    await this.#commits.close();
    await this.#file.close();
  }
}
