import { type ChildProcess as Forked, fork } from "node:child_process";
import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import { deserialize } from "node:v8";
import { isObject } from "./expect.ts";

/** First wait after a child ended by itself; doubled with each further time until a call is answered. */
const FIRST_WAIT_MS = 100;
const MAX_WAIT_MS = 30_000;
/** Last stderr output of a child, for its exit report. */
const MAX_LAST_WORDS = 2000;
/** Interval in ms between checks of a working child's memory. */
const WATCH_MS = 200;
const PAGE_BYTES = 4096;
/** Limit of all answers that arrive at once: a child that announces more is killed. */
const MAX_ANSWER_BYTES = 1024 * 1024 * 1024;
/** Limit of the text of an error, in UTF-16 units. */
const MAX_ERROR = 4096;
/** File descriptor of the byte pipe (answer-calls.ts), after stdin, stdout, stderr and IPC. */
export const BYTES_FD = 4;

export interface ChildOptions {
  /** The module to run, which hands its handler to `answerCalls` (answer-calls.ts). */
  readonly module: URL;
  readonly args?: readonly string[];
  /** The child's whole environment: it inherits nothing from the server, least of all keys. */
  readonly env?: Readonly<Record<string, string>>;
  /** Nice value, 0 to 19. */
  readonly nice?: number;
  /** Megabytes of its JavaScript heap. */
  readonly maxHeapMb: number;
  /** Memory limit in megabytes of any kind; the child is killed if a call exceeds it. Linux only. */
  readonly maxResidentMb?: number;
  /** Limit of concurrent calls; a further one is refused. */
  readonly maxCalls: number;
  /** Time limit of a call in ms: the child is killed after it. */
  readonly callLimitMs: number;
  /** Idle timeout in ms: the child is stopped. */
  readonly idleMs: number;
  /** Called with the reason when a child ends unexpectedly. */
  readonly report: (error: Error) => void;
}

/**
 * The child is gone: it died during this call, was stopped, has too many calls, or is waiting to restart.
 * Another call may succeed.
 */
export class ChildGone extends Error {
  override readonly name = "ChildGone";
  /**
   * True if the call did not cause the child's end: the machine or its operator killed it, or the call never
   * reached it.
   */
  readonly isInnocent: boolean;

  constructor(message: string, isInnocent = false) {
    super(message);
    this.isInnocent = isInnocent;
  }
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * Input of the handler next to its message. Bytes go through a separate pipe, written in place and read
   * into the one buffer that the handler gets, never serialised. They must not change until the call is
   * answered.
   */
  readonly bytes?: Uint8Array;
  /** Time limit of this call in ms, if shorter than that of the process. */
  readonly limitMs?: number | undefined;
}

/** Error thrown by the child's handler; the child stays alive. */
export class ChildFailed extends Error {
  override readonly name = "ChildFailed";
}

interface Call {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly limit: NodeJS.Timeout;
}

/** IPC message of a call; `bytes` counts what comes through the pipe. */
export interface CallMessage<T = unknown> {
  readonly id: number;
  readonly message: T;
  readonly bytes?: number;
}

export type ChildAnswer = { readonly id: number } & (
  | { readonly result: unknown }
  | { readonly error: string }
  /** What comes through the pipe, serialised. */
  | { readonly bytes: number }
);

/**
 * A message of a child; undefined if it is none of answer-calls.ts: a library that reads the files of callers
 * may have been taken over by one of them, so that nothing a child sends is trusted.
 */
function answerOf(message: unknown): ChildAnswer | undefined {
  if (!isObject(message) || typeof message.id !== "number") return undefined;
  const { id, error, bytes } = message;
  if (error !== undefined)
    return typeof error === "string" ? { id, error: error.slice(0, MAX_ERROR) } : undefined;
  if (bytes === undefined) return { id, result: message.result };
  return typeof bytes === "number" && Number.isInteger(bytes) && bytes >= 0 ? { id, bytes } : undefined;
}

type WholeAnswer = Exclude<ChildAnswer, { readonly bytes: number }>;

/** What the bytes of an answer hold; undefined if they are no serialised value. */
function readable(bytes: Uint8Array): { readonly value: unknown } | undefined {
  try {
    return { value: deserialize(bytes) };
  } catch {
    return undefined;
  }
}

/** An answer that is arriving through the byte pipe. */
interface Arriving {
  readonly id: number;
  readonly bytes: Buffer;
  length: number;
}

/**
 * One process that answers calls; starts with the first call and again after it has died. Messages are copied
 * as by structuredClone.
 */
export class ChildProcess {
  readonly #options: ChildOptions;
  #child: Forked | undefined;
  #calls = new Map<number, Call>();
  #nextId = 0;
  #deaths = 0;
  #notBefore = 0;
  #idle: NodeJS.Timeout | undefined;
  #watch: NodeJS.Timeout | undefined;
  #isStopped = false;
  /** Children started so far. */
  starts = 0;

  constructor(options: ChildOptions) {
    this.#options = options;
  }

  get isRunning(): boolean {
    return this.#child !== undefined;
  }

  /** Memory in bytes; 0 if the child is not running or the system does not report it. */
  get residentBytes(): number {
    return this.#child?.pid === undefined ? 0 : residentBytes(this.#child.pid);
  }

  /** The child has died and not restarted: a call would be refused. */
  get isResting(): boolean {
    return this.#child === undefined && performance.now() < this.#notBefore;
  }

  get callsUnderWay(): number {
    return this.#calls.size;
  }

  /**
   * The handler's answer. Throws ChildGone, ChildFailed, or the reason of `signal` once it is aborted; the
   * child then continues what it has begun. A call is made once; the caller decides whether to repeat it
   * after ChildGone.
   */
  async call(
    message: unknown,
    { signal, bytes, limitMs = this.#options.callLimitMs }: CallOptions = {},
  ): Promise<unknown> {
    signal?.throwIfAborted();
    if (this.#calls.size >= this.#options.maxCalls)
      throw new ChildGone(`${this.#name} has ${this.#calls.size} calls under way`);
    const child = this.#child ?? this.#start();
    const id = this.#nextId++;
    clearTimeout(this.#idle);
    const allowedMs = Math.min(this.#options.callLimitMs, limitMs);
    const answer = new Promise<unknown>((resolve, reject) => {
      const limit = setTimeout(() => this.#giveUp(child, allowedMs), allowedMs);
      this.#calls.set(id, { resolve, reject, limit });
    });
    this.#watchOver(child);
    child.send({ id, message, ...(bytes && { bytes: bytes.byteLength }) } satisfies CallMessage, (error) => {
      if (error)
        this.#take(id)?.reject(new ChildGone(`${this.#name} cannot be reached: ${error.message}`, true));
    });
    if (bytes) (child.stdio[BYTES_FD] as Socket).write(bytes);
    if (!signal) return answer;
    const aborted = () => this.#calls.get(id)?.reject(signal.reason);
    signal.addEventListener("abort", aborted, { once: true });
    return answer.finally(() => signal.removeEventListener("abort", aborted));
  }

  /** Ends the child and every call; further ones are refused. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    const child = this.#child;
    if (!child) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    this.#end(child, new ChildGone(`${this.#name} was stopped`));
    await ended;
  }

  #start(): Forked {
    if (this.#isStopped) throw new ChildGone(`${this.#name} was stopped`);
    const wait = this.#notBefore - performance.now();
    if (wait > 0) throw new ChildGone(`${this.#name} rests for ${Math.ceil(wait)} ms after it died`);
    const { module, args = [], env = {}, nice, maxHeapMb } = this.#options;
    const path = fileURLToPath(module);
    // uncompiled modules run in development and tests only
    const loader = path.endsWith(".ts") ? ["--import", "tsx"] : [];
    const child = fork(path, args, {
      env,
      execArgv: [`--max-old-space-size=${maxHeapMb}`, ...loader],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "pipe", "ipc", "pipe"],
    });
    this.#child = child;
    this.starts++;
    if (nice !== undefined && child.pid !== undefined) setPriority(child.pid, nice);
    let lastWords = "";
    child.stderr?.on("data", (chunk: Buffer) => {
      lastWords = `${lastWords}${chunk}`.slice(-MAX_LAST_WORDS);
    });
    const bytes = child.stdio[BYTES_FD] as Socket;
    // a broken pipe is reported by the child's exit
    bytes.on("error", () => undefined);
    bytes.unref();
    this.#receive(child, bytes);
    child.on("error", (error) => this.#died(child, error.message));
    child.on("exit", (code, signal) => {
      const byOthers = signal === "SIGKILL" || signal === "SIGTERM";
      this.#died(child, `ended with ${signal ?? code}${lastWords ? `: ${lastWords.trim()}` : ""}`, byOthers);
    });
    child.unref();
    child.channel?.unref();
    return child;
  }

  #receive(child: Forked, pipe: Socket): void {
    const arriving: Arriving[] = [];
    const refuse = (what: string) => this.#died(child, `sent ${what}`);
    // what a killed child has sent must not answer the calls of the next one
    const settle = (answer: WholeAnswer) => {
      if (child === this.#child) this.#settle(answer);
    };
    // bytes may arrive before the message that announces them: they wait in the pipe
    const pull = () => {
      for (let [first] = arriving; first !== undefined; [first] = arriving) {
        const missing = first.bytes.byteLength - first.length;
        const part: Buffer | null = missing > 0 ? pipe.read() : null;
        if (part === null && missing > 0) return;
        if (part !== null) first.length += part.copy(first.bytes, first.length);
        if (part !== null && part.byteLength > missing) pipe.unshift(part.subarray(missing));
        if (first.length < first.bytes.byteLength) continue;
        arriving.shift();
        const result = readable(first.bytes);
        if (!result) return refuse("an answer that cannot be read");
        // reading many megabytes takes one turn of the event loop; the caller's work takes the next
        setImmediate(() => settle({ id: first.id, result: result.value }));
      }
    };
    pipe.on("readable", pull);
    child.on("message", (message) => {
      if (child !== this.#child) return;
      const answer = answerOf(message);
      const isAwaited =
        answer !== undefined && this.#calls.has(answer.id) && !arriving.some(({ id }) => id === answer.id);
      if (!isAwaited) return refuse("an answer to no call");
      if (!("bytes" in answer)) return settle(answer);
      const announced = arriving.reduce((sum, { bytes }) => sum + bytes.byteLength, answer.bytes);
      if (announced > MAX_ANSWER_BYTES) return refuse("an answer without measure");
      arriving.push({ id: answer.id, bytes: Buffer.allocUnsafeSlow(answer.bytes), length: 0 });
      pull();
    });
  }

  #settle(answer: WholeAnswer): void {
    const call = this.#take(answer.id);
    if (!call) return;
    if ("error" in answer) {
      call.reject(new ChildFailed(answer.error));
    } else {
      this.#deaths = 0;
      call.resolve(answer.result);
    }
    if (this.#calls.size > 0 || !this.#child) return;
    clearInterval(this.#watch);
    const child = this.#child;
    this.#idle = setTimeout(
      () => this.#end(child, new ChildGone(`${this.#name} was idle`)),
      this.#options.idleMs,
    ).unref();
  }

  #take(id: number): Call | undefined {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    clearTimeout(call?.limit);
    return call;
  }

  #watchOver(child: Forked): void {
    const { maxResidentMb } = this.#options;
    if (maxResidentMb === undefined || this.#calls.size > 1) return;
    clearInterval(this.#watch);
    this.#watch = setInterval(() => {
      if (this.residentBytes > maxResidentMb * 1024 * 1024)
        this.#died(child, `took more than ${maxResidentMb} MB of memory`);
    }, WATCH_MS).unref();
  }

  #giveUp(child: Forked, limitMs: number): void {
    if (child === this.#child) this.#died(child, `took longer than ${limitMs} ms over a call`);
  }

  #died(child: Forked, why: string, byOthers = false): void {
    if (child !== this.#child) return;
    this.#notBefore =
      performance.now() + Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(this.#deaths++, 20));
    const error = new ChildGone(`${this.#name} ${why}`, byOthers);
    this.#end(child, error);
    this.#options.report(error);
  }

  #end(child: Forked, why: ChildGone): void {
    if (child === this.#child) this.#child = undefined;
    clearTimeout(this.#idle);
    clearInterval(this.#watch);
    child.kill("SIGKILL");
    for (const id of [...this.#calls.keys()]) this.#take(id)?.reject(why);
  }

  get #name(): string {
    const { module } = this.#options;
    return `the child process ${module.pathname.slice(module.pathname.lastIndexOf("/") + 1).replace(/\.[jt]s$/, "")}`;
  }
}

/** Memory of a process in bytes from /proc; 0 if the process or /proc does not exist. */
function residentBytes(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, "latin1").split(" ", 2)[1]) * PAGE_BYTES;
  } catch {
    return 0;
  }
}
