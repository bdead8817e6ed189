import { type ChildProcess as Spawned, spawn } from "node:child_process";
import { Socket } from "node:net";
import { setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import { serialize } from "node:v8";
import { present } from "../expect.ts";
import { messageOf } from "../faults.ts";
import { CALLS_FD, type Frame, type FrameHead, readFrames, sendFrame } from "./child-frames.ts";
import { cpuMs, residentBytes } from "./process-usage.ts";

/**
 * Initial restart delay in ms after a child ended unexpectedly; doubles with each further exit until a call
 * is answered.
 */
const FIRST_WAIT_MS = 100;
const MAX_WAIT_MS = 30_000;
/** Maximum length of the stderr output included in the exit report. */
const MAX_LAST_WORDS = 2000;
/** Interval in ms between memory checks of a busy child. */
const WATCH_MS = 200;
/** Maximum size of an error as JSON in bytes, and in UTF-16 units of the part that is kept. */
const MAX_ERROR_BYTES = 64 * 1024;
const MAX_ERROR = 4096;
/** Maximum stderr output of a child per call, in bytes. */
const MAX_STDERR_BYTES = 4 * 1024 * 1024;
/** Answers of at least this size are received in one turn of the event loop and decoded in the next. */
const LARGE_BYTES = 64 * 1024;
/** File descriptors before CALLS_FD: stdin, stdout, stderr. */
const STDIO = ["ignore", "ignore", "pipe"] as const;

/**
 * Options of Node for a module that is not compiled, as in development and tests. Recent releases need none,
 * and start faster.
 */
export const TYPESCRIPT_LOADER: readonly string[] =
  "typescript" in process.features ? [] : ["--import", "tsx"];

/** Size limits of an answer: a child that announces a larger one is killed before its data is read. */
export interface AnswerLimits {
  /** Bytes of the JSON value, which is parsed without yielding. */
  readonly valueBytes: number;
  /** Size of the attachment in bytes. */
  readonly bytes: number;
}

export interface ChildOptions {
  /** Module to run; it must pass its handler to `answerCalls` (answer-calls.ts). */
  readonly module: URL;
  readonly args?: readonly string[];
  /** The child's complete environment: nothing is inherited from the server, so that keys do not leak. */
  readonly env?: Readonly<Record<string, string>>;
  /** Nice value, 0 to 19. */
  readonly nice?: number;
  /** Maximum JavaScript heap in megabytes. */
  readonly maxHeapMb: number;
  /** Maximum resident memory in megabytes: the child is killed if a call exceeds it. Linux only. */
  readonly maxResidentMb?: number;
  readonly maxAnswer: AnswerLimits;
  /** Maximum number of concurrent calls; further ones are refused. */
  readonly maxCalls: number;
  /** Time limit of a call in ms: when it expires, the child is killed. */
  readonly callLimitMs: number;
  /** Idle timeout in ms, after which the child is stopped. */
  readonly idleMs: number;
  /** Called with the reason when a child ends unexpectedly. */
  readonly report: (error: Error) => void;
}

/**
 * The child is not available: it died during the call, was stopped, has too many calls, or waits to restart.
 * A later call may succeed.
 */
export class ChildGone extends Error {
  override readonly name = "ChildGone";
  /**
   * True if the call cannot have caused the exit: the child was killed from outside, or never received the
   * call.
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
   * Binary input for the handler. It is not serialized; the handler gets it as one buffer. Must not change
   * until the call is answered.
   */
  readonly bytes?: Uint8Array;
  /**
   * CPU time in ms that the child may use during this call, so that a busy machine does not count; elapsed
   * time where the system does not report it.
   */
  readonly cpuLimitMs?: number | undefined;
}

/** An error thrown by the child's handler; the child keeps running. */
export class ChildFailed extends Error {
  override readonly name = "ChildFailed";
}

/** The result of a handler (answer-calls.ts). */
export interface ChildAnswer {
  /** Parsed JSON of any shape; `undefined` arrives as null. */
  readonly value: unknown;
  /** A buffer owned by the receiver. */
  readonly bytes: Uint8Array | undefined;
}

/**
 * Validates an answer and converts it to the call's result. The answer is untrusted: a caller's file may have
 * compromised a library in the child. Throws if the answer is malformed; the child is then killed. Long
 * validations yield to the event loop.
 */
export type ReadAnswer<T> = (answer: ChildAnswer) => T | Promise<T>;

interface Call {
  readonly settle: (answer: ChildAnswer) => Promise<void>;
  readonly reject: (error: unknown) => void;
  readonly limit: NodeJS.Timeout;
  cpuLimit?: NodeJS.Timeout;
  isArriving: boolean;
}

/**
 * A process that answers calls. It starts on the first call, and again after a crash. Messages are copied as
 * by structuredClone and travel in size-limited frames over one pipe, because Node's IPC channel buffers
 * whatever a child announces.
 */
export class ChildProcess {
  readonly #options: ChildOptions;
  #child: Spawned | undefined;
  #calls = new Map<number, Call>();
  #nextId = 0;
  #deaths = 0;
  #notBefore = 0;
  #idle: NodeJS.Timeout | undefined;
  #watch: NodeJS.Timeout | undefined;
  #isStopped = false;
  /** Bytes that the child wrote to stderr since its last call. */
  #stderrBytes = 0;
  /** Number of starts so far. */
  starts = 0;

  constructor(options: ChildOptions) {
    this.#options = options;
  }

  get isRunning(): boolean {
    return this.#child !== undefined;
  }

  /** Resident memory in bytes; 0 if the child is not running or the system does not report it. */
  get residentBytes(): number {
    return this.#child?.pid === undefined ? 0 : residentBytes(this.#child.pid);
  }

  /** Whether calls are refused because the child died and waits for its restart. */
  get isResting(): boolean {
    return this.#child === undefined && performance.now() < this.#notBefore;
  }

  get callsUnderWay(): number {
    return this.#calls.size;
  }

  /**
   * Calls the handler. Rejects with ChildGone, ChildFailed, or the signal's reason once it is aborted; the
   * child then finishes in the background. Calls are not retried: the caller decides that after ChildGone.
   */
  async call<T>(
    message: unknown,
    read: ReadAnswer<T>,
    { signal, bytes, cpuLimitMs }: CallOptions = {},
  ): Promise<T> {
    signal?.throwIfAborted();
    if (this.#calls.size >= this.#options.maxCalls)
      throw new ChildGone(`${this.#name} has ${this.#calls.size} calls under way`);
    const child = this.#child ?? this.#start();
    const id = this.#nextId;
    this.#nextId = (id + 1) >>> 0;
    this.#stderrBytes = 0;
    clearTimeout(this.#idle);
    const { callLimitMs } = this.#options;
    const answer = new Promise<T>((resolve, reject) => {
      const limit = setTimeout(() => this.#giveUp(child, callLimitMs), callLimitMs);
      const settle = async (found: ChildAnswer) => resolve(await read(found));
      this.#calls.set(id, { settle, reject, limit, isArriving: false });
    });
    if (cpuLimitMs !== undefined) this.#limitCpu(child, id, cpuLimitMs);
    this.#watchOver(child);
    sendFrame(present(pipeOf(child), "pipe to a child"), { kind: "call", id }, serialize(message), bytes);
    if (!signal) return answer;
    const aborted = () => this.#calls.get(id)?.reject(signal.reason);
    signal.addEventListener("abort", aborted, { once: true });
    return answer.finally(() => signal.removeEventListener("abort", aborted));
  }

  /** Ends the child and all calls; later calls are refused. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    const child = this.#child;
    if (!child) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    this.#end(child, new ChildGone(`${this.#name} was stopped`));
    await ended;
  }

  #start(): Spawned {
    if (this.#isStopped) throw new ChildGone(`${this.#name} was stopped`);
    const wait = this.#notBefore - performance.now();
    if (wait > 0) throw new ChildGone(`${this.#name} rests for ${Math.ceil(wait)} ms after it died`);
    const { module, args = [], env = {}, nice, maxHeapMb } = this.#options;
    const path = fileURLToPath(module);
    const loader = path.endsWith(".ts") ? TYPESCRIPT_LOADER : [];
    const child = spawn(process.execPath, [`--max-old-space-size=${maxHeapMb}`, ...loader, path, ...args], {
      env,
      stdio: [...STDIO, "pipe"],
      windowsHide: true,
    });
    this.#child = child;
    this.starts++;
    child.on("error", (error) => this.#died(child, error.message));
    if (!pipeOf(child)) {
      this.#died(child, "cannot be started");
      throw new ChildGone(`${this.#name} cannot be started`, true);
    }
    if (nice !== undefined && child.pid !== undefined) setPriority(child.pid, nice);
    let lastWords = "";
    child.stderr?.on("data", (chunk: Buffer) => {
      lastWords = `${lastWords}${chunk}`.slice(-MAX_LAST_WORDS);
      this.#stderrBytes += chunk.byteLength;
      if (this.#stderrBytes > MAX_STDERR_BYTES) this.#died(child, "wrote too much to its standard error");
    });
    this.#receive(child);
    child.on("exit", (code, signal) => {
      const byOthers = signal === "SIGKILL" || signal === "SIGTERM";
      this.#died(child, `ended with ${signal ?? code}${lastWords ? `: ${lastWords.trim()}` : ""}`, byOthers);
    });
    child.unref();
    return child;
  }

  #receive(child: Spawned): void {
    const pipe = present(pipeOf(child), "pipe to a child");
    // a broken pipe is reported by the child's exit
    pipe.on("error", () => undefined);
    pipe.unref();
    const mayCome = (head: FrameHead | undefined): head is FrameHead => {
      const fault = child === this.#child ? this.#faultOf(head) : "an answer too late";
      if (fault !== undefined) this.#died(child, `sent ${fault}`);
      return fault === undefined;
    };
    readFrames(pipe, mayCome, (frame) => {
      const size = frame.value.byteLength + (frame.content?.byteLength ?? 0);
      const answer = answerIn(frame);
      if (size < LARGE_BYTES) void this.#settle(child, frame.id, answer);
      else setImmediate(() => this.#settle(child, frame.id, answer));
    });
  }

  /** Returns the reason to reject an answer; otherwise marks its call as being answered. */
  #faultOf(head: FrameHead | undefined): string | undefined {
    const call = head && this.#calls.get(head.id);
    if (head === undefined || call === undefined || call.isArriving) return "an answer to no call";
    const { valueBytes, bytes } = this.#options.maxAnswer;
    const isError = head.kind === "error";
    if (head.kind !== "result" && !(isError && head.bytes === undefined)) return "an answer of no known kind";
    if (head.valueBytes > (isError ? MAX_ERROR_BYTES : valueBytes) || (head.bytes ?? 0) > bytes)
      return `an answer of ${head.valueBytes} and ${head.bytes ?? 0} bytes; the limits are ${valueBytes} and ${bytes}`;
    call.isArriving = true;
    return undefined;
  }

  /** Frames from a killed child must not answer calls of its successor. */
  async #settle(child: Spawned, id: number, answer: ReceivedAnswer | undefined): Promise<void> {
    if (child !== this.#child) return;
    try {
      const call = present(this.#calls.get(id), "call of an answer");
      if (answer === undefined) throw new Error("it cannot be read");
      if ("error" in answer) call.reject(new ChildFailed(answer.error));
      else {
        await call.settle(answer);
        if (child !== this.#child) return;
        this.#deaths = 0;
      }
    } catch (error) {
      this.#died(child, `sent an answer of a wrong shape: ${messageOf(error).slice(0, MAX_ERROR)}`);
      return;
    }
    this.#take(id);
    if (this.#calls.size > 0) return;
    clearInterval(this.#watch);
    this.#idle = setTimeout(
      () => this.#end(child, new ChildGone(`${this.#name} was idle`)),
      this.#options.idleMs,
    ).unref();
  }

  #take(id: number): Call | undefined {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    clearTimeout(call?.limit);
    clearTimeout(call?.cpuLimit);
    return call;
  }

  /** Gives the child up when it has used so much CPU time since now and the call is not answered. */
  #limitCpu(child: Spawned, id: number, limitMs: number): void {
    const before = cpuMs(child.pid);
    const look = (afterMs: number): NodeJS.Timeout =>
      setTimeout(() => {
        const call = this.#calls.get(id);
        if (call === undefined) return;
        const used = before === undefined ? limitMs : (cpuMs(child.pid) ?? 0) - before;
        if (used >= limitMs) this.#giveUp(child, limitMs);
        else call.cpuLimit = look(Math.max(WATCH_MS, limitMs - used));
      }, afterMs);
    const call = this.#calls.get(id);
    if (call !== undefined) call.cpuLimit = look(limitMs);
  }

  #watchOver(child: Spawned): void {
    const { maxResidentMb } = this.#options;
    if (maxResidentMb === undefined || this.#calls.size > 1) return;
    clearInterval(this.#watch);
    this.#watch = setInterval(() => {
      if (this.residentBytes > maxResidentMb * 1024 * 1024)
        this.#died(child, `took more than ${maxResidentMb} MB of memory`);
    }, WATCH_MS).unref();
  }

  #giveUp(child: Spawned, limitMs: number): void {
    if (child === this.#child) this.#died(child, `took longer than ${limitMs} ms over a call`);
  }

  #died(child: Spawned, why: string, byOthers = false): void {
    if (child !== this.#child) return;
    this.#notBefore =
      performance.now() + Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(this.#deaths++, 20));
    const error = new ChildGone(`${this.#name} ${why}`, byOthers);
    this.#end(child, error);
    this.#options.report(error);
  }

  #end(child: Spawned, why: ChildGone): void {
    if (child === this.#child) this.#child = undefined;
    clearTimeout(this.#idle);
    clearInterval(this.#watch);
    child.kill("SIGKILL");
    // unread output would keep the pipe open
    pipeOf(child)?.destroy();
    for (const id of [...this.#calls.keys()]) this.#take(id)?.reject(why);
  }

  get #name(): string {
    const { module } = this.#options;
    return `the child process ${module.pathname.slice(module.pathname.lastIndexOf("/") + 1).replace(/\.[jt]s$/, "")}`;
  }
}

type ReceivedAnswer = ChildAnswer | { readonly error: string };

/** Undefined if the frame is malformed. */
function answerIn({ kind, value, content }: Frame): ReceivedAnswer | undefined {
  try {
    const parsed: unknown = JSON.parse(value.toString());
    if (kind === "result") return { value: parsed, bytes: content };
    return typeof parsed === "string" ? { error: parsed.slice(0, MAX_ERROR) } : undefined;
  } catch {
    return undefined;
  }
}

/** Undefined if the spawn failed for lack of file descriptors: the child then has no pipes. */
function pipeOf({ stdio }: Spawned): Socket | undefined {
  const pipe = (stdio as Spawned["stdio"] | undefined)?.[CALLS_FD];
  return pipe instanceof Socket ? pipe : undefined;
}
