import { unauthenticated } from "../accounts/standing.ts";
import type { Budget, Lease } from "../base/budget.ts";
import type { Span } from "../base/trace.ts";
import type { Caller } from "../domain/caller.ts";
import { deadlineExceeded, type ServiceError, unavailable } from "../domain/errors.ts";
import type { ServiceCall } from "../service/call.ts";
import type { HeldPlace } from "../service/workspace-guard.ts";
import type { HeaderView } from "./identity.ts";

export type Wire = "rest" | "connect" | "grpc" | "grpc-web" | "mcp" | "gateway" | "dav" | "internal";

/** Headers (REST) or metadata (typed wires) that an operation adds to its answer. */
export interface Reply {
  /** Content hash without quotes: sent as a strong ETag. */
  etag?: string;
}

/** The request in the view of an operation. */
export interface Call {
  readonly caller: Caller;
  /** `SystemService.GetStatus` */
  readonly operation: string;
  readonly wire: Wire;
  readonly requestId: string;
  /**
   * Aborted when the client leaves, the deadline passes or the server shuts down; the reason is the
   * ServiceError to throw. Waits must end on it; a running transaction should not.
   */
  readonly signal: AbortSignal;
  /** Seconds that the client allows for the whole call, if given (grpc-timeout, Connect-Timeout-Ms). */
  readonly deadline?: number;
  /** Accepted content hashes, without quotes; `*` = any content. */
  readonly ifMatch?: readonly string[];
  readonly idempotencyKey?: string;
  readonly keepAnswer?: ServiceCall["keepAnswer"];
  readonly reserve?: ServiceCall["reserve"];
  readonly maxAnswerBytes?: number | undefined;
  readonly reply: Reply;
}

export const clientLeft = () => unavailable("the client has left");
export const shuttingDown = () => unavailable("the server is shutting down");

/** Limit of an answer that most gRPC clients can read. */
export const MAX_GRPC_ANSWER_BYTES = 3 * 1024 * 1024;

/** Minimum size in bytes for counting answers that wait to be sent, and arriving bodies. */
const COUNTED_FROM_BYTES = 4096;

/** Memory for data that calls read and for pending answers, by account. */
export type CallMemory = Budget<string>;

/** Limits in bytes of request bodies in memory, of one account and of all. */
export const BODY_MEMORY = { perKey: 128 * 1024 * 1024, total: 512 * 1024 * 1024 } as const;

const LONGEST_TIMER_MS = 2 ** 31 - 1;

export interface CallFacts extends Pick<Call, "operation" | "wire" | "requestId"> {
  /** performance.now() in ms. */
  readonly started: number;
  /** Seconds. */
  readonly deadline?: number | undefined;
  readonly peer?: string | undefined;
  readonly span: Span;
  readonly memory: CallMemory;
  /** For the bodies of requests. */
  readonly bodies: CallMemory;
}

/** A call in progress; its abort signal is created on first use. */
export class RunningCall implements Call {
  readonly operation: string;
  readonly wire: Wire;
  readonly requestId: string;
  readonly deadline: number | undefined;
  readonly started: number;
  readonly span: Span;
  readonly reply: Reply = {};
  ifMatch: readonly string[] | undefined;
  idempotencyKey: string | undefined;
  keepAnswer: ServiceCall["keepAnswer"];
  readonly peer: string | undefined;
  readonly #memory: CallMemory;
  readonly #bodies: CallMemory;
  /** The part of the body read so far. */
  #body: Lease | undefined;
  /** The answer that is being sent. */
  #answer: Lease | undefined;
  #isClosed = false;
  /** Credentials, checked again during the call. */
  admitted: { readonly headers: HeaderView; readonly isAdministration: boolean } | undefined;
  /** The workspaces that its answer depends on, where several servers share a store. */
  readonly places: HeldPlace[] = [];
  #revoked: ServiceError | undefined;
  /** Subject of an administrative call, for the audit log. */
  subject: string | undefined;
  #caller: Caller | undefined;
  #controller: AbortController | undefined;
  #reason: ServiceError | undefined;
  #timer: NodeJS.Timeout | undefined;
  #expiry: NodeJS.Timeout | undefined;
  #onAbort: ((reason: ServiceError) => void) | undefined;
  #ended = false;

  constructor({ operation, wire, requestId, started, deadline, peer, span, memory, bodies }: CallFacts) {
    this.operation = operation;
    this.wire = wire;
    this.requestId = requestId;
    this.started = started;
    this.deadline = deadline;
    this.peer = peer;
    this.span = span;
    this.#memory = memory;
    this.#bodies = bodies;
    if (deadline !== undefined) {
      const late = () => this.abort(deadlineExceeded(operation, deadline));
      this.#timer = setTimeout(late, Math.min(deadline * 1000, LONGEST_TIMER_MS));
    }
  }

  get caller(): Caller {
    if (this.#caller === undefined) throw new Error("the caller is not known before authentication");
    return this.#caller;
  }

  set caller(caller: Caller) {
    this.#caller = caller;
  }

  /** For logs; undefined before authentication. */
  get knownCaller(): Caller | undefined {
    return this.#caller;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** The first reason wins. */
  abort(reason: ServiceError): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.#controller?.abort(reason);
    this.#onAbort?.(reason);
  }

  /**
   * Ends the call because its caller has lost access: waits and streams end with the reason, and nothing more
   * is answered.
   */
  revoke(reason: ServiceError): void {
    this.#revoked ??= reason;
    this.abort(reason);
  }

  /** Revokes the call when the key of its caller expires: at a Unix time in ms. */
  endAt(expiresAt: number): void {
    clearTimeout(this.#expiry);
    if (this.#ended) return;
    const left = expiresAt - Date.now();
    const end = () => this.revoke(unauthenticated("the API key expired while the request was under way"));
    const next = left > LONGEST_TIMER_MS ? () => this.endAt(expiresAt) : end;
    this.#expiry = setTimeout(next, Math.min(Math.max(left, 0), LONGEST_TIMER_MS));
  }

  throwIfRevoked(): void {
    if (this.#revoked !== undefined) throw this.#revoked;
  }

  throwIfAborted(): void {
    if (this.#reason !== undefined) throw this.#reason;
  }

  get maxAnswerBytes(): number | undefined {
    return this.wire === "grpc" ? MAX_GRPC_ANSWER_BYTES : undefined;
  }

  /** As ServiceCall has it. */
  reserve(bytes: number): Lease {
    return this.#memory.take(this.#caller?.account ?? "", Math.min(bytes, this.#memory.perKey));
  }

  /** Counts received bytes of the request's body until the call ends. RESOURCE_EXHAUSTED above the limits. */
  holdBody(bytes: number): void {
    if (bytes < COUNTED_FROM_BYTES || this.#ended) return;
    if (this.#body === undefined) this.#body = this.#bodies.take(this.#caller?.account ?? "", bytes);
    else this.#body.resize(bytes);
  }

  /**
   * Counts the bytes of an answer until its response is closed: its reader may never take it.
   * RESOURCE_EXHAUSTED above the limits.
   */
  holdAnswer(bytes: number): void {
    if (bytes < COUNTED_FROM_BYTES) return;
    const lease = this.reserve(bytes);
    this.#answer?.release();
    this.#answer = lease;
    if (this.#isClosed) lease.release();
  }

  /** Call it when the response is closed, which every call reaches, answered or not. */
  closed(): void {
    this.#isClosed = true;
    this.#answer?.release();
    if (!this.#ended) this.abort(clientLeft());
  }

  /** The outcome of `work`, or the deadline if that passes first; the work then continues. */
  untilDeadline<T>(work: Promise<T>): Promise<T> {
    return this.deadline === undefined ? work : this.untilEnded(work);
  }

  /** Like untilDeadline, but also ends when the caller loses access. */
  untilEnded<T>(work: Promise<T>): Promise<T> {
    work.catch(() => undefined);
    return new Promise<T>((resolve, reject) => {
      this.#onAbort = (reason) => {
        if (reason.code === "DEADLINE_EXCEEDED" || reason === this.#revoked) reject(reason);
      };
      if (this.#reason !== undefined) this.#onAbort(this.#reason);
      work.then(resolve, reject);
    });
  }

  end(): void {
    this.#ended = true;
    this.#body?.release();
    clearTimeout(this.#timer);
    clearTimeout(this.#expiry);
  }
}
