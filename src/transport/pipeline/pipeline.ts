import { randomUUID } from "node:crypto";
import type { Message } from "@bufbuild/protobuf";
import type { Logger } from "pino";
import type { LostAccess } from "../../accounts/account-changes.ts";
import type { RequestCounts } from "../../accounts/request-counts.ts";
import { Budget } from "../../base/budget.ts";
import { type Trace, untraced } from "../../base/trace.ts";
import { overBudget, type ServiceError } from "../../domain/errors.ts";
import type { WorkspaceId } from "../../domain/ids.ts";
import type { WorkspaceGuard } from "../../service/workspace-guard.ts";
import { BODY_PACE, type PaceLimits } from "../body-pace.ts";
import { BODY_MEMORY, type CallMemory, RunningCall, shuttingDown, type Wire } from "../call.ts";
import { UnknownCallers } from "../connections/unknown-callers.ts";
import { toServiceError } from "../errors.ts";
import { CallWorkspaces, moved } from "../forward/call-workspaces.ts";
import type { Router } from "../forward/router.ts";
import type { HeaderView } from "../identity.ts";
import { messageFrom, textIn } from "../message-fields.ts";
import {
  type AccessRule,
  type ByteStream,
  checkEffect,
  type DownloadOperation,
  type FeedOperation,
  type IncomingFile,
  type PathPart,
  type UnaryOperation,
  type UploadOperation,
} from "../operation.ts";
import { type AuditLog, auditCall } from "./audit-log.ts";
import type { Authentication } from "./authentication.ts";
import type { Observe } from "./call-metrics.ts";
import { checkRequest, readConditions } from "./check-request.ts";
import { type Idempotency, once } from "./idempotency.ts";
import { holderOf, type RateLimit } from "./rate-limit.ts";
import type { Admission } from "./waiting-calls.ts";

export interface PipelineOptions {
  readonly authentication: Authentication;
  readonly idempotency: Idempotency;
  readonly log: Logger;
  readonly observe: Observe;
  readonly admission: Admission;
  readonly rateLimit?: RateLimit;
  readonly requestCounts?: RequestCounts;
  readonly auditLog?: AuditLog;
  readonly trace?: Trace;
  readonly memory: CallMemory;
  /** How fast bodies must arrive; by default, BODY_PACE. */
  readonly pace?: PaceLimits | undefined;
  /** Set if several servers share the store. */
  readonly workspaces?: Pick<WorkspaceGuard, "enter" | "enterAccount" | "holds">;
  /** Undefined if there is no other server. */
  readonly router?: Pick<Router, "account"> | undefined;
}

/** A request received over any protocol. */
export interface Arrival {
  readonly wire: Wire;
  readonly headers: HeaderView;
  /** Seconds that the client allows. */
  readonly deadline?: number;
}

/** Outcome of a call: a result or an error. */
export type CallAnswer<T> =
  | { readonly call: RunningCall; readonly seconds: number; readonly value: T; readonly error?: undefined }
  | { readonly call: RunningCall; readonly seconds: number; readonly error: ServiceError };

/** Frequent monitoring calls: they skip the queue and are logged only if they fail. */
const PROBES: ReadonlySet<string> = new Set(["Health.Check"]);

const REQUEST_ID = /^[\x20-\x7e]{1,128}$/;

/** The caller's request id if valid, otherwise a new one. */
export function requestIdOf(headers: HeaderView): string {
  const sent = headers.get("x-request-id");
  return sent !== undefined && REQUEST_ID.test(sent) ? sent : randomUUID();
}

/**
 * The request path of every call of every protocol: observe → errors → authentication → access → request →
 * turn → operation. Authentication and access precede reading the body, so that their errors come first.
 */
export class Pipeline {
  readonly #options: PipelineOptions;
  readonly #live = new Set<RunningCall>();
  /** Logger for access lines, which contain nothing to redact. */
  readonly #calls: Logger;
  readonly #trace: Trace;
  readonly #unknown: UnknownCallers;
  readonly #places: CallWorkspaces;
  readonly #bodies: CallMemory = new Budget(BODY_MEMORY, overBudget("memory of request bodies"));
  #stopping = false;

  constructor(options: PipelineOptions) {
    this.#options = options;
    this.#trace = options.trace ?? untraced;
    this.#calls = options.log.child({}, { redact: [] });
    this.#unknown = new UnknownCallers(options);
    this.#places = new CallWorkspaces(options.workspaces);
  }

  /** How fast bodies must arrive. */
  get pace(): PaceLimits {
    return this.#options.pace ?? BODY_PACE;
  }

  begin(operation: string, arrival: Arrival): RunningCall {
    const { wire, headers, deadline } = arrival;
    const call = new RunningCall({
      operation,
      wire,
      requestId: requestIdOf(headers),
      started: performance.now(),
      deadline,
      peer: headers.peer,
      isAudited: headers.isAudited,
      memory: this.#options.memory,
      bodies: this.#bodies,
      pace: this.pace,
      span: this.#trace.begin(operation, "call", headers.get("traceparent")),
    });
    this.#live.add(call);
    if (this.#stopping) call.abort(shuttingDown());
    return call;
  }

  /**
   * Checks the caller's access to an operation, given the path (or the same fields of a typed request).
   * Called before the body is read, if possible. Throws PERMISSION_DENIED.
   */
  allow(call: RunningCall, operation: AccessRule, path: PathPart): void {
    call.subject = subjectOf(path.account_id, path.group_id, path.user_id);
    checkEffect(call.knownCaller, operation);
    if (typeof operation.access === "function") operation.access(call.caller, path);
  }

  /**
   * Like `allow`, if only the body names the subject: a caller without the right in its own account has it in
   * no other account.
   */
  allowSomewhere(call: RunningCall, operation: AccessRule): void {
    checkEffect(call.knownCaller, operation);
    if (typeof operation.access === "function")
      operation.access(call.caller, { account_id: call.caller.account, user_id: call.caller.user });
  }

  /** Runs an operation on a decoded request: checks required fields, idempotency and the deadline. */
  async unary(call: RunningCall, operation: UnaryOperation, request: Message): Promise<Message> {
    const { input, output } = operation.method;
    checkRequest(input, request);
    await this.turn(call);
    readConditions(call, request);
    const [account, group, user] = ["accountId", "groupId", "userId"].map((name) => textIn(request, name));
    call.subject = subjectOf(account, group, user);
    // only ROOT has rights in other accounts, and this server holds the caller's own
    if (account !== undefined && call.knownCaller?.role === "root") {
      const answer = await this.#fromOwner(call, account, operation, request);
      if (answer) return answer;
    }
    const work = async () => messageFrom(output, await operation.handle(call, request));
    const key = call.idempotencyKey;
    const run = () =>
      key === undefined
        ? work()
        : once(this.#options.idempotency, call, key, operation.method, request, work);
    return call.untilDeadline(call.span.within(run));
  }

  /** Runs a download with the same checks as a unary request. */
  async download(call: RunningCall, operation: DownloadOperation, request: Message): Promise<ByteStream> {
    checkRequest(operation.method.input, request);
    await this.turn(call);
    const stream = await call.untilDeadline(call.span.within(() => operation.open(call, request)));
    return { ...stream, read: (range) => this.#whileAllowed(call, stream.read(range)) };
  }

  /** Runs a feed with the same checks as a unary request. */
  async *feed(call: RunningCall, operation: FeedOperation, request: Message): AsyncGenerator<Message> {
    const { input, output } = operation.method;
    checkRequest(input, request);
    await this.turn(call);
    for await (const message of this.#whileAllowed(call, operation.follow(call, request)))
      yield messageFrom(output, message);
  }

  async upload(call: RunningCall, operation: UploadOperation, file: IncomingFile): Promise<Message> {
    const { output } = operation.method;
    const received = call.span.within(() => operation.receive(call, file));
    return messageFrom(output, await call.untilEnded(received));
  }

  /** Ends a call: logs and counts it. Returns the error for the caller, if it failed. */
  end(call: RunningCall, failure?: unknown): { readonly seconds: number; readonly error?: ServiceError } {
    call.end();
    this.#live.delete(call);
    this.#places.left(call);
    const seconds = secondsSince(call.started);
    const error = failure === undefined ? undefined : this.#reasonOf(call, toServiceError(failure));
    const code = error?.code ?? "OK";
    this.#options.observe(call.operation, call.wire, code, seconds);
    const facts = {
      operation: call.operation,
      wire: call.wire,
      code,
      request_id: call.requestId,
      account: call.knownCaller?.account,
    };
    const line = { ...facts, ms: Math.round(seconds * 1e6) / 1e3 };
    call.span.tell(facts);
    call.span.end(error !== undefined && error.http >= 500 ? error : undefined);
    const isLogged = this.#isLogged(call, error);
    if (isLogged && this.#options.auditLog) auditCall(this.#options.auditLog, call, error);
    if (error?.http === 500) this.#options.log.error({ ...line, err: error.cause ?? error }, "call");
    else if (isLogged)
      this.#calls.info(call.knownCaller === undefined ? { ...line, peer: call.peer } : line, "call");
    return error === undefined ? { seconds } : { seconds, error };
  }

  /** Authenticates and runs `work` as one call, from its beginning to its end. Never rejects. */
  serve<T>(
    operation: AccessRule,
    arrival: Arrival,
    work: (call: RunningCall) => Promise<T>,
  ): Promise<CallAnswer<T>> {
    const call = this.begin(operation.name, arrival);
    return this.settle(call, async () => {
      const entering = this.enter(call, operation, arrival.headers);
      if (entering) await entering;
      return work(call);
    });
  }

  /** Authenticates once this server holds the caller's workspace; synchronously if it already does. */
  enter(call: RunningCall, operation: AccessRule, headers: HeaderView): Promise<void> | undefined {
    if (operation.access === "open") return undefined;
    return this.#places.enter(call, headers, () => this.authenticate(call, operation, headers));
  }

  authenticate(call: RunningCall, operation: AccessRule, headers: HeaderView): void {
    if (operation.access === "open") return;
    const isNew = call.knownCaller === undefined;
    call.caller = this.#options.authentication.identify(headers);
    checkEffect(call.knownCaller, operation);
    if (call.caller.key?.expiresAt !== undefined) call.endAt(call.caller.key.expiresAt);
    call.admitted = { headers, isAdministration: typeof operation.access === "function" };
    if (!isNew) return;
    this.#options.rateLimit?.take(holderOf(call.caller));
    if (!call.admitted.isAdministration) this.#options.requestCounts?.take(call.caller);
  }

  /** Whether the headers authenticate; neither counts nor logs. */
  async isIdentified(headers: HeaderView): Promise<boolean> {
    try {
      await this.#places.check(headers);
      return this.#options.authentication.identifyAgain(headers) !== undefined;
    } catch {
      return false;
    }
  }

  /**
   * Repeats authentication and the access check after the body was received, which may have taken long: a
   * revoked key or role must not count.
   */
  admit(call: RunningCall, operation: AccessRule, headers: HeaderView, path: PathPart): void {
    this.authenticate(call, operation, headers);
    this.allow(call, operation, path);
  }

  /**
   * Must be called when somebody loses access: ends running calls of those affected. Streams and waits end at
   * once with UNAUTHENTICATED, other calls before they are answered.
   */
  recheck(lost: LostAccess): void {
    const reasonOf = this.#options.authentication.afterLoss(lost);
    for (const call of this.#live) {
      const reason = reasonOf(call);
      if (reason !== undefined) call.revoke(reason);
    }
  }

  /**
   * The error to report for a failed call: UNAVAILABLE if it depends on a workspace that this server no
   * longer holds, UNAUTHENTICATED if the caller has lost access, because any other error may be a consequence
   * of that; otherwise `error`.
   */
  #reasonOf(call: RunningCall, error: ServiceError): ServiceError {
    if (this.#places.haveMoved(call)) return error.code === "UNAVAILABLE" ? error : moved();
    return error.code === "UNAUTHENTICATED" ? error : (this.#options.authentication.lostBy(call) ?? error);
  }

  /**
   * The response of the server that owns an account other than the caller's; undefined if this server owns
   * it.
   */
  async #fromOwner(
    call: RunningCall,
    account: string,
    { method }: UnaryOperation,
    request: Message,
  ): Promise<Message | undefined> {
    const asked = this.#options.router?.account(call, account, method, request);
    const answer = asked ? await call.untilDeadline(asked) : undefined;
    if (!answer) await this.#places.enterAccount(call, account);
    return answer;
  }

  /** Throws if the call must not be answered any more. */
  #checkAnswerable(call: RunningCall): void {
    call.throwIfRevoked();
    if (this.#places.haveMoved(call)) throw moved();
  }

  /** Passes a stream on while the caller still has access. */
  async *#whileAllowed<T>(call: RunningCall, parts: AsyncIterable<T>): AsyncGenerator<T> {
    for await (const part of parts) {
      this.#checkAnswerable(call);
      yield part;
    }
  }

  /** Waits for the call's turn. Fails if the client disconnects or the deadline passes meanwhile. */
  async turn(call: RunningCall): Promise<void> {
    if (PROBES.has(call.operation)) return;
    const turn = this.#options.admission.turn(call.knownCaller?.account);
    if (turn === undefined) return;
    await call.untilDeadline(turn);
    call.throwIfAborted();
  }

  #isLogged(call: RunningCall, error: ServiceError | undefined): boolean {
    if (call.knownCaller !== undefined || error?.http === 500) return true;
    if (error === undefined && PROBES.has(call.operation)) return false;
    return this.#unknown.admit(error?.code ?? "OK");
  }

  /** Runs `work` and ends the call. Never rejects. */
  async settle<T>(call: RunningCall, work: () => Promise<T>): Promise<CallAnswer<T>> {
    try {
      const value = await work();
      this.#checkAnswerable(call);
      return { call, value, seconds: this.end(call).seconds };
    } catch (failure) {
      const { seconds, error } = this.end(call, failure);
      return { call, seconds, error: error ?? toServiceError(failure) };
    }
  }

  /** See CallWorkspaces. */
  leave(workspace: WorkspaceId, graceMs: number): Promise<void> {
    return this.#places.leave(workspace, graceMs);
  }

  /** Ends waits with UNAVAILABLE; other work continues. */
  stop(): void {
    this.#stopping = true;
    this.#unknown.summarize();
    for (const call of this.#live) call.abort(shuttingDown());
  }
}

/** Processing time in seconds, rounded to microseconds, never 0. `started`: a value of performance.now(). */
export const secondsSince = (started: number): number =>
  Math.max(1, Math.round((performance.now() - started) * 1000)) / 1e6;

const subjectOf = (
  account: string | undefined,
  ...parts: readonly (string | undefined)[]
): string | undefined => account && [account, ...parts].filter(Boolean).join("/");
