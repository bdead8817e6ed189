import { unauthenticated } from "../accounts/standing.ts";
import type { Budget, Lease } from "../base/budget.ts";
import type { Span } from "../base/trace.ts";
import type { Caller } from "../domain/caller.ts";
import { deadlineExceeded, type ServiceError, unavailable } from "../domain/errors.ts";
import type { ServiceCall } from "../service/service-call.ts";
import type { HeldPlace } from "../service/workspace-guard.ts";
import type { SecretReport } from "../workspace/secret-guard.ts";
import type { PaceLimits } from "./body-pace.ts";
import { FairScheduler } from "./fair-scheduler.ts";
import type { HeaderView } from "./identity.ts";

export type Wire = "rest" | "connect" | "grpc" | "grpc-web" | "mcp" | "gateway" | "dav" | "internal";

/** Response headers (REST) or metadata (gRPC, Connect) set by an operation. */
export interface Reply extends SecretReport {
  /** Content hash without quotes, sent as a strong ETag. */
  etag?: string;
}

/** A call as seen by an operation. */
export interface Call {
  readonly caller: Caller;
  /** Such as `SystemService.GetStatus`. */
  readonly operation: string;
  readonly wire: Wire;
  readonly requestId: string;
  /**
   * Aborts when the client disconnects, the deadline passes or the server shuts down; the reason is the
   * ServiceError to throw. Waits must end then; a running transaction should not.
   */
  readonly signal: AbortSignal;
  /** Total time in seconds that the client allows, if given (grpc-timeout, Connect-Timeout-Ms). */
  readonly deadline?: number;
  /** Accepted content hashes without quotes; `*` accepts any content. */
  readonly ifMatch?: readonly string[];
  readonly idempotencyKey?: string;
  readonly keepAnswer?: ServiceCall["keepAnswer"];
  readonly laterAnswer?: ServiceCall["laterAnswer"];
  readonly reserve?: ServiceCall["reserve"];
  readonly maxAnswerBytes?: number | undefined;
  readonly reply: Reply;
}

export const clientLeft = () => unavailable("the client has closed the connection");
export const shuttingDown = () => unavailable("the server is shutting down; try again later");

/** Maximum response size in bytes that most gRPC clients accept by default, with some reserve. */
export const MAX_GRPC_ANSWER_BYTES = 3 * 1024 * 1024;

/** Minimum size in bytes for counting pending responses and incoming bodies. */
const COUNTED_FROM_BYTES = 4096;

/** Memory budget by account, for data read by calls and for pending responses. */
export type CallMemory = Budget<string>;

/** Maximum bytes of request bodies in memory, per account and in total. */
export const BODY_MEMORY = { perKey: 128 * 1024 * 1024, total: 512 * 1024 * 1024 } as const;

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Spreads aborts over time: a client may close thousands of connections at once, and thousands of calls may
 * use a key that is revoked.
 */
const LEAVING = new FairScheduler<string>({ ms: 6, started: 256 });

export interface CallFacts extends Pick<Call, "operation" | "wire" | "requestId"> {
  /** Value of performance.now() in ms. */
  readonly started: number;
  /** In seconds. */
  readonly deadline?: number | undefined;
  readonly peer?: string | undefined;
  /** Whether another server of the store writes the call's audit entry. */
  readonly isAudited?: boolean | undefined;
  readonly span: Span;
  readonly memory: CallMemory;
  /** Memory budget for request bodies. */
  readonly bodies: CallMemory;
  readonly pace: PaceLimits;
}

/** A running call. Its abort signal is created on first use. */
export class RunningCall implements Call {
  readonly operation: string;
  readonly wire: Wire;
  readonly requestId: string;
  readonly deadline: number | undefined;
  readonly started: number;
  readonly span: Span;
  /** How fast the body must arrive. */
  readonly pace: PaceLimits;
  readonly reply: Reply = {};
  ifMatch: readonly string[] | undefined;
  idempotencyKey: string | undefined;
  keepAnswer: ServiceCall["keepAnswer"];
  laterAnswer: ServiceCall["laterAnswer"];
  readonly peer: string | undefined;
  readonly isAudited: boolean;
  readonly #memory: CallMemory;
  readonly #bodies: CallMemory;
  /** Memory for the part of the body received so far. */
  #body: Lease | undefined;
  /** Memory for the response being sent. */
  #answer: Lease | undefined;
  #isClosed = false;
  /** Credentials, which are checked again during the call. */
  admitted: { readonly headers: HeaderView; readonly isAdministration: boolean } | undefined;
  /** Workspaces that the response depends on, if several servers share the store. */
  readonly places: HeldPlace[] = [];
  #revoked: ServiceError | undefined;
  /** Subject of an administrative call, for the audit log. */
  subject: string | undefined;
  #caller: Caller | undefined;
  #controller: AbortController | undefined;
  #reason: ServiceError | undefined;
  #waits: AbortController | undefined;
  #waitsEnd: ServiceError | undefined;
  #timer: NodeJS.Timeout | undefined;
  #expiry: NodeJS.Timeout | undefined;
  #onAbort: ((reason: ServiceError) => void) | undefined;
  #ended = false;

  constructor(facts: CallFacts) {
    const { operation, wire, requestId, started, deadline, peer, span, memory, bodies } = facts;
    this.operation = operation;
    this.wire = wire;
    this.requestId = requestId;
    this.started = started;
    this.deadline = deadline;
    this.peer = peer;
    this.isAudited = facts.isAudited ?? false;
    this.span = span;
    this.pace = facts.pace;
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

  /** The caller for logs; undefined before authentication. */
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

  /** See ServiceCall.waitSignal. */
  get waitSignal(): AbortSignal {
    if (this.#waits === undefined) {
      this.#waits = new AbortController();
      if (this.#waitsEnd !== undefined) this.#waits.abort(this.#waitsEnd);
    }
    return this.#waits.signal;
  }

  /** Ends waits and streams of the call; other work continues. */
  endWaits(reason: ServiceError): void {
    if (this.#waitsEnd !== undefined) return;
    this.#waitsEnd = reason;
    this.#waits?.abort(reason);
  }

  /** Like `endWaits`, for many calls at once. */
  endWaitsInTurn(reason: ServiceError): void {
    this.#inTurn(() => this.endWaits(reason));
  }

  /** Aborts the call; only the first reason counts. */
  abort(reason: ServiceError): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.endWaits(reason);
    this.#controller?.abort(reason);
    this.#onAbort?.(reason);
  }

  /** Like `abort`, for many calls at once. */
  abortInTurn(reason: ServiceError): void {
    this.#inTurn(() => this.abort(reason));
  }

  /**
   * Ends the call because its caller lost access: waits and streams end with the reason, and from now on
   * nothing else is sent.
   */
  revoke(reason: ServiceError): void {
    this.#revoked ??= reason;
    this.abortInTurn(reason);
  }

  /** Revokes the call when the caller's key expires (Unix time in ms). */
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

  /** See ServiceCall.reserve. */
  reserve(bytes: number): Lease {
    return this.#memory.take(this.#caller?.account ?? "", Math.min(bytes, this.#memory.perKey));
  }

  /** Counts received bytes of the body until the call ends. Throws RESOURCE_EXHAUSTED above the limits. */
  holdBody(bytes: number): void {
    if (bytes < COUNTED_FROM_BYTES || this.#ended) return;
    if (this.#body === undefined) this.#body = this.#bodies.take(this.#caller?.account ?? "", bytes);
    else this.#body.resize(bytes);
  }

  /**
   * Hands over the memory counted for the body, for work that needs the body after the call; that work must
   * release it.
   */
  takeBody(): Lease | undefined {
    const body = this.#body;
    this.#body = undefined;
    return body;
  }

  /**
   * Counts the bytes of the response until it is closed, because its reader may be slow. Throws
   * RESOURCE_EXHAUSTED above the limits.
   */
  holdAnswer(bytes: number): void {
    if (bytes < COUNTED_FROM_BYTES) return;
    const lease = this.reserve(bytes);
    this.#answer?.release();
    this.#answer = lease;
    if (this.#isClosed) lease.release();
  }

  /** Must be called when the response closes, which happens for every call, answered or not. */
  closed(): void {
    this.#isClosed = true;
    this.#answer?.release();
    if (this.#ended) return;
    this.#inTurn(() => this.abort(clientLeft()));
  }

  /** Settles like `work`, or rejects at the deadline; `work` then continues. */
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

  /** Runs `act` soon unless the call has ended: many calls may have to end at once. */
  #inTurn(act: () => void): void {
    if (LEAVING.isOpen()) act();
    else LEAVING.later("", () => !this.#ended && act());
  }

  end(): void {
    this.#ended = true;
    this.#body?.release();
    clearTimeout(this.#timer);
    clearTimeout(this.#expiry);
  }
}
