import { availableParallelism } from "node:os";
import { setTimeout } from "node:timers/promises";
import { z } from "zod";
import type { Log } from "../../base/log.ts";
import {
  type ChildAnswer,
  ChildFailed,
  ChildGone,
  ChildProcess,
} from "../../base/processes/child-process.ts";
import { invalidArgument, ServiceError } from "../../domain/errors.ts";
import { type InstantEmbedder, MAX_EMBED_TEXTS, type QueuedEmbedder } from "../embedding.ts";
import { MINILM_DIMENSIONS } from "./minilm-model.ts";
import { understood } from "./wordpiece.ts";

/** Identifies model, revision, dimensions and normalisation; must change with the model file. */
export const MINILM_SPACE = "minilm-l6-int8";

const MODULE = new URL(`./minilm-child${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url);
/** Prevents onnxruntime from sending usage data, with a machine id, to its vendor. */
const TELEMETRY = { ORT_DISABLE_TELEMETRY: "1" };
/** Makes malloc return the memory used while loading the model to the system. */
const MEMORY = { MALLOC_MMAP_THRESHOLD_: "65536" };
const MAX_HEAP_MB = 128;
const MAX_ANSWER = { valueBytes: 16 * 1024, bytes: MINILM_DIMENSIONS * Float32Array.BYTES_PER_ELEMENT };
const IDLE_MS = 10 * 60_000;
/** Time limit in ms of a text, including loading the model and waiting for other texts. */
const CALL_LIMIT_MS = 60_000;
/** Maximum number of waiting queries; further ones continue without a vector. */
const MAX_QUERIES = 64;
const MAX_TEXTS = 256;
/** Nice value of bulk embedding processes. */
const BULK_NICE = 10;
/**
 * Number of bulk embedding processes. Two processes with one thread each are faster than one process with two
 * threads, which would wait for each other in every layer.
 */
const BULK_PROCESSES = Math.min(2, availableParallelism());
const BULK_THREADS = Math.floor(Math.min(4, availableParallelism()) / BULK_PROCESSES);
/**
 * Maximum number of texts sent at once per call. Enough to keep the processes busy, and small enough that a
 * cancelled call ends soon.
 */
const WINDOW = 2 * BULK_PROCESSES;
/** Texts per call of `embed`: a limited amount of work between checks for other pending work. */
const TEXTS_PER_CALL = 8;
/** Number of successive crashes, without any success, after which the model is given up. */
const HOPELESS_DEATHS = 3;

/** Maximum retries of a text whose process died, and the initial delay, which doubles each time. */
const MAX_RETRIES = 7;
const FIRST_RETRY_MS = 100;

type Way = "query" | "bulk";

/**
 * MiniLM on onnxruntime in child processes, because inference blocks: one process for queries, others for
 * bulk work. Each starts on demand and stops when idle. `folder` as in staticEmbedder; the tokenizer is
 * shared. After a crash, texts are retried and queries fail with UNAVAILABLE. If the model cannot be loaded,
 * every text fails with EMBEDDING_FAILED.
 */
export function miniLmEmbedder(folder: string, instant: InstantEmbedder, log: Log): QueuedEmbedder {
  return new MiniLm(folder, instant, log);
}

class MiniLm implements QueuedEmbedder {
  readonly space = { name: MINILM_SPACE, dimensions: MINILM_DIMENSIONS };
  readonly instant = false;
  isUsable = true;
  readonly textsPerCall = TEXTS_PER_CALL;
  readonly #words: InstantEmbedder;
  readonly #log: Log;
  readonly #processes: Readonly<Record<Way, readonly ChildProcess[]>>;
  #deaths = 0;
  #hasWorked = false;

  constructor(folder: string, words: InstantEmbedder, log: Log) {
    this.#words = words;
    this.#log = log;
    const open = (nice: number, threads: number, maxCalls: number) =>
      new ChildProcess({
        module: MODULE,
        args: [folder, String(threads)],
        env: { ...TELEMETRY, ...MEMORY },
        nice,
        maxHeapMb: MAX_HEAP_MB,
        maxAnswer: MAX_ANSWER,
        maxCalls,
        callLimitMs: CALL_LIMIT_MS,
        idleMs: IDLE_MS,
        report: (error) => this.#died(error),
      });
    const bulk = Array.from({ length: BULK_PROCESSES }, () => open(BULK_NICE, BULK_THREADS, MAX_TEXTS));
    this.#processes = { query: [open(0, 1, MAX_QUERIES)], bulk };
  }

  knownShare(text: string): number {
    return this.#words.knownShare(text);
  }

  embedQuery(text: string, signal?: AbortSignal): Promise<Float32Array> {
    return this.#embed("query", understood(text), signal);
  }

  async embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> {
    if (texts.length > MAX_EMBED_TEXTS)
      throw invalidArgument("texts", `must have at most ${MAX_EMBED_TEXTS} texts`);
    const vectors: Float32Array[] = [];
    const waiting = texts.entries();
    const work = async () => {
      for (const [i, text] of waiting) vectors[i] = await this.#embedPatiently(text, signal);
    };
    await Promise.all(Array.from({ length: WINDOW }, work));
    return vectors;
  }

  async close(): Promise<void> {
    await Promise.all(
      Object.values(this.#processes).flatMap((children) => children.map((child) => child.stop())),
    );
  }

  /** Embeds a text; retries after a restart if the process dies. */
  async #embedPatiently(text: string, signal: AbortSignal | undefined): Promise<Float32Array> {
    for (let retry = 0; ; retry++) {
      try {
        return await this.#embed("bulk", text, signal);
      } catch (error) {
        if (!(error instanceof ServiceError) || error.code !== "UNAVAILABLE" || retry === MAX_RETRIES)
          throw error;
        await setTimeout(FIRST_RETRY_MS * 2 ** retry, undefined, { signal, ref: false });
      }
    }
  }

  async #embed(way: Way, text: string, signal: AbortSignal | undefined): Promise<Float32Array> {
    if (!this.isUsable) throw unusable();
    try {
      const answer = await readiest(this.#processes[way]).call(text, readVector, { signal });
      if (answer instanceof Float32Array) {
        this.#hasWorked = true;
        return answer;
      }
      this.#giveUp(answer.unusable);
    } catch (error) {
      if (error instanceof ChildGone)
        throw new ServiceError(
          "UNAVAILABLE",
          "the embedding process is not running; try again later",
          undefined,
          {
            cause: error,
          },
        );
      if (error instanceof ChildFailed)
        throw new ServiceError(
          "EMBEDDING_FAILED",
          "the built-in embedding model failed; see the server log",
          undefined,
          { cause: error },
        );
      throw error;
    }
    throw unusable();
  }

  #died(error: Error): void {
    this.#log.warn({ err: error }, "an embedding process ended");
    if (!this.#hasWorked && ++this.#deaths >= HOPELESS_DEATHS) this.#giveUp(error.message);
  }

  #giveUp(reason: string): void {
    if (!this.isUsable) return;
    this.isUsable = false;
    this.#log.warn(
      { reason },
      "the embedding model cannot be used on this machine: searches go by the instant vectors alone, as with the provider light",
    );
  }
}

const unusableAnswer = z.strictObject({ unusable: z.string() });

/** Parses an answer: a vector, or why the model cannot be loaded. Throws if the answer is malformed. */
function readVector({ value, bytes }: ChildAnswer): Float32Array | z.infer<typeof unusableAnswer> {
  if (bytes === undefined) return unusableAnswer.parse(value);
  if (bytes.byteLength !== MAX_ANSWER.bytes) throw new Error(`a vector of ${bytes.byteLength} bytes`);
  const vector = new Float32Array(bytes.buffer, bytes.byteOffset, MINILM_DIMENSIONS);
  if (!vector.every(Number.isFinite)) throw new Error("a component of the vector is not a number");
  return vector;
}

/** The child process that can respond first: running, with the fewest pending texts. */
function readiest(children: readonly ChildProcess[]): ChildProcess {
  const waitOf = ({ isResting, callsUnderWay }: ChildProcess) =>
    isResting ? Number.POSITIVE_INFINITY : callsUnderWay;
  return children.reduce((best, child) => (waitOf(child) < waitOf(best) ? child : best));
}

const unusable = () =>
  new ServiceError(
    "EMBEDDING_FAILED",
    "the built-in embedding model does not run on this machine: run `ctxdb doctor`, or configure another model",
  );
