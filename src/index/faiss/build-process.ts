import { unlink } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { ChildGone, ChildProcess, type ReadAnswer } from "../../base/processes/child-process.ts";
import type { IndexFile } from "../vectors/neighbours.ts";
import type { IndexFiles } from "./index-files.ts";
import type { BuildCall } from "./protocol.ts";
import { readBuilt, readCount } from "./read-answers.ts";

/** Time limit in ms of one build step: reading the vectors, adding some of them, or writing the index. */
const CALL_LIMIT_MS = 120_000;
/** Idle timeout of the process in ms. */
const IDLE_MS = 2000;
const MAX_HEAP_MB = 512;
const MAX_ANSWER = { valueBytes: 1024, bytes: 0 };
const NICE = 10;
/**
 * Maximum attempts of a build that crashes the process, and base of the doubling pause between them in ms.
 */
const MAX_TRIES = 5;
const PAUSE_MS = 250;

interface BuildsOptions {
  readonly module: URL;
  readonly env: Readonly<Record<string, string>>;
  readonly files: IndexFiles;
  readonly report: (error: Error) => void;
}

/** The process that builds indexes, and its results. */
export class BuildProcess {
  readonly #child: ChildProcess;
  readonly #files: IndexFiles;
  /** Running builds by vector file: a segment may be reloaded while its index is being built. */
  readonly #wanted = new Map<string, Promise<string>>();
  #last: Promise<unknown> = Promise.resolve();
  built = 0;
  rows = 0;

  constructor({ module, env, files, report }: BuildsOptions) {
    this.#files = files;
    this.#child = new ChildProcess({
      module,
      env,
      nice: NICE,
      maxHeapMb: MAX_HEAP_MB,
      maxAnswer: MAX_ANSWER,
      maxCalls: 1,
      callLimitMs: CALL_LIMIT_MS,
      idleMs: IDLE_MS,
      report,
    });
  }

  get starts(): number {
    return this.#child.starts;
  }

  build(vectors: IndexFile & { readonly space: string }, signal: AbortSignal): Promise<string> {
    const key = `${vectors.bucket}/${vectors.file}`;
    const known = this.#wanted.get(key);
    if (known) return known;
    const turn = this.#last
      .then(() => this.#tryBuild(vectors, signal))
      .finally(() => this.#wanted.delete(key));
    this.#wanted.set(key, turn);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  stop(): Promise<void> {
    return this.#child.stop();
  }

  async #tryBuild(vectors: IndexFile & { readonly space: string }, signal: AbortSignal): Promise<string> {
    for (let tried = 1; ; tried++) {
      signal.throwIfAborted();
      try {
        return await this.#build(vectors, signal);
      } catch (error) {
        if (!(error instanceof ChildGone) || tried === MAX_TRIES) throw error;
        await sleep(PAUSE_MS * 2 ** tried, undefined, { signal, ref: false });
      }
    }
  }

  async #build(
    { bucket, file, space }: IndexFile & { readonly space: string },
    signal: AbortSignal,
  ): Promise<string> {
    const aside = this.#files.aside();
    const call = <T>(message: BuildCall, read: ReadAnswer<T>) => this.#child.call(message, read, { signal });
    try {
      const path = this.#files.pathOf(bucket, file);
      const beginning: BuildCall = { do: "begin", path, hash: file, space, aside: this.#files.aside() };
      const rows = await call(beginning, readCount);
      for (let added = 0, more = -1; more !== 0; added += more) {
        if (added > rows)
          throw new Error(`the build process added ${added} vectors, expected at most ${rows}`);
        more = await call({ do: "add" }, readCount);
      }
      const { hash } = await call({ do: "finish", path: aside }, readBuilt);
      await this.#files.adopt(bucket, aside, hash);
      this.built++;
      this.rows += rows;
      return hash;
    } finally {
      await unlink(aside).catch(() => undefined);
    }
  }
}
