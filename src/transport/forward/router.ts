import { constants, type OutgoingHttpHeaders } from "node:http2";
import type { DescMethodUnary, Message } from "@bufbuild/protobuf";
import { Counter, Gauge, type Registry } from "prom-client";
import { Budget, type Lease } from "../../base/budget.ts";
import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import { invalidArgument, overBudget, type ServiceError, unavailable } from "../../domain/errors.ts";
import type { WorkspaceId } from "../../domain/ids.ts";
import type { CallPlace, ElsewherePlace, WorkspaceGuard } from "../../service/workspace-guard.ts";
import type { Member, Members } from "../../storage/stores.ts";
import type { RunningCall } from "../call.ts";
import { type HttpRequest, type HttpResponse, reportKnown, reportPeer } from "../connections/connections.ts";
import { networkOf } from "../connections/network.ts";
import { toServiceError } from "../errors.ts";
import { refuseLater } from "../headers.ts";
import { type HeaderView, readIdentity } from "../identity.ts";
import { hasLeft, writeHead } from "../respond.ts";
import { accountHeaders, askOwner, pathOf } from "./account-call.ts";
import { headersOn } from "./forwarded-headers.ts";
import { ForwardedRequest, type Passed } from "./forwarded-request.ts";
import { COMPLETE, HOP, type Hop, HopSigner, MOVED, noteHop } from "./hop.ts";
import { Peers } from "./peers.ts";

/** Maximum time in ms that a call waits for a server to hold its workspace, and pauses between attempts. */
const HELD_MS = 8000;
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 500;
/** Informational status sent when the owner accepts a request (Early Hints, without headers). */
const ACCEPTED = 103;
/** Maximum number of calls being forwarded, per workspace and in total; each may buffer one window. */
const MAX_FORWARDED = { perKey: 1000, total: 4000 } as const;

export interface RouterOptions {
  readonly guard: Pick<WorkspaceGuard, "locate" | "locateAccount" | "forget" | "forgetAccount">;
  readonly members: Members;
  readonly secret: Uint8Array;
  readonly clock: Clock;
  readonly log: Log;
  readonly registry: Registry;
}

/** A request with the information that routing needs. */
export interface RoutedRequest {
  readonly request: HttpRequest;
  readonly response: HttpResponse;
  /** Path and query, still encoded. */
  readonly url: string;
  /** Host and port by which the caller addressed the server. */
  readonly authority: string | undefined;
  /** Headers with the caller's identity; undefined if there is none. */
  readonly view: HeaderView | undefined;
  readonly isEncrypted: boolean;
}

type Result = Passed | "unreachable";
const RESULTS: readonly Result[] = [
  "answered",
  "broken",
  "left",
  "untouched",
  "refused",
  "unknown",
  "unreachable",
];

/**
 * Forwards calls to the servers that own their workspaces. A call is forwarded at most once: a server that
 * receives one for a workspace of another server answers 421, and the sender looks up the owner again.
 */
export class Router {
  readonly #options: RouterOptions;
  readonly #signer: HopSigner;
  readonly #peers: Peers;
  readonly #forwarded = new Budget<WorkspaceId>(MAX_FORWARDED, overBudget("forwarded calls", "calls"));
  readonly #count: (result: Result) => void;
  #isStopping = false;

  constructor(options: RouterOptions) {
    const { secret, clock, log, members, registry } = options;
    this.#options = options;
    this.#signer = new HopSigner(secret, clock);
    this.#peers = new Peers(log);
    members.onRefresh((living) => this.#peers.keep(living));
    const results = new Counter({
      name: "ctxdb_forwarded_calls_total",
      help: "Attempts to forward a call to the server that owns its workspace, by result",
      labelNames: ["result"] as const,
      registers: [registry],
    });
    for (const result of RESULTS) results.inc({ result }, 0);
    this.#count = (result) => results.inc({ result });
    const forwarded = this.#forwarded;
    new Gauge({
      name: "ctxdb_forwarding_calls",
      help: "Calls that are being forwarded to other servers",
      registers: [registry],
      collect() {
        this.set(forwarded.used());
      },
    });
  }

  /** The verified header of a request that another server of the store has forwarded. */
  hopIn(request: HttpRequest): Hop | undefined {
    const header = request.headers[HOP];
    if (typeof header !== "string" || !("stream" in request)) return undefined;
    return this.#signer.verify(header, request.method, request.url);
  }

  /**
   * Handles a request that belongs to another server: forwards it, or answers 421 if it was forwarded itself.
   * Returns false if this server must serve it.
   */
  async passes(target: RoutedRequest, hop: Hop | undefined): Promise<boolean> {
    return hop ? !(await this.#receive(target, hop)) : this.#forward(target);
  }

  /**
   * Accepts a forwarded request if this server holds or can take its workspace; otherwise responds with 421
   * and returns false.
   */
  async #receive({ request, response, view }: RoutedRequest, hop: Hop): Promise<boolean> {
    if (!("stream" in request)) return false;
    noteHop(request, hop);
    reportPeer(request);
    if (this.#isStopping || hop.to !== this.#options.members.self || (await this.#isElsewhere(view))) {
      writeHead(response, constants.HTTP_STATUS_MISDIRECTED_REQUEST, { [MOVED]: "1" });
      response.end();
      return false;
    }
    const { stream } = request;
    if (stream.destroyed || stream.closed) return false;
    response.addTrailers({ [COMPLETE]: "1" });
    stream.additionalHeaders({ ":status": ACCEPTED });
    return true;
  }

  /**
   * Forwards a request if another server owns its workspace. Returns true if it is answered; otherwise this
   * server must serve it, and refuses it if forwarding has failed. Never rejects.
   */
  async #forward(target: RoutedRequest): Promise<boolean> {
    const { request, response, view } = target;
    if (view === undefined) return false;
    const { guard } = this.#options;
    const claims = readIdentity(view);
    try {
      const passed = await this.#toOwner(
        () => guard.locate(claims, networkOf(view.peer)),
        () => guard.forget(claims),
        (place) => this.#pass(target, place),
        () => hasLeft(response),
      );
      if (passed === "unknown") throw unknownOutcome();
      if (passed === "refused") throw invalidArgument("request", "its headers cannot be sent over HTTP/2");
      return passed !== undefined;
    } catch (error) {
      refuseLater(request, toServiceError(error));
      return false;
    }
  }

  /**
   * Runs an operation of ROOT on an account owned by another server. Undefined if this server or nobody owns
   * it.
   */
  async account(
    call: RunningCall,
    name: string,
    method: DescMethodUnary,
    message: Message,
  ): Promise<Message | undefined> {
    const { guard } = this.#options;
    const passed = await this.#toOwner<Message | "unreachable" | "untouched" | "unknown">(
      () => guard.locateAccount(name),
      () => guard.forgetAccount(name),
      async ({ owner }) => {
        const session = await this.#peers.session(owner).catch(() => undefined);
        if (!session) return "unreachable";
        const path = pathOf(method);
        const hop = { to: owner.number, kind: "account", peer: call.peer, isEncrypted: true } as const;
        const headers = { ...this.#headersTo(owner, hop, "POST", path), ...accountHeaders(call, name) };
        return askOwner(session, headers, method, message, call.signal);
      },
      () => call.signal.aborted,
    );
    if (passed === "unknown") throw unknownOutcome();
    return typeof passed === "string" ? undefined : passed;
  }

  /** Refuses forwarded requests, so that their senders look up the next owner. */
  stop(): void {
    this.#isStopping = true;
  }

  close(): void {
    this.#peers.close();
  }

  async #isElsewhere(view: HeaderView | undefined): Promise<boolean> {
    if (view === undefined) return false;
    const { guard } = this.#options;
    const claims = readIdentity(view);
    try {
      const place = await guard.locate(claims, networkOf(view.peer));
      if (place === undefined || !("owner" in place)) return false;
    } catch {
      // the pipeline reports this in the format of the protocol
      return false;
    }
    guard.forget(claims);
    return true;
  }

  /**
   * Retries until an owner accepts the call; undefined if this server holds the workspace, or none is needed.
   * Throws UNAVAILABLE if no owner is reachable in time.
   */
  async #toOwner<T>(
    locate: () => Promise<CallPlace> | CallPlace,
    forget: () => void,
    attempt: (place: ElsewherePlace) => Promise<T | "untouched" | "unreachable">,
    isOver: () => boolean,
  ): Promise<T | "left" | undefined> {
    const until = performance.now() + HELD_MS;
    let lease: Lease | undefined;
    try {
      for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
        const place = await locate();
        if (place === undefined || !("owner" in place)) return undefined;
        lease ??= this.#forwarded.take(place.workspace, 1);
        const result = await attempt(place);
        this.#count(RESULTS.find((one) => one === result) ?? "answered");
        if (result !== "untouched" && result !== "unreachable") return result;
        forget();
        if (performance.now() + pause > until) throw unreachable();
        await new Promise((resolve) => setTimeout(resolve, pause));
        if (isOver()) return "left";
      }
    } finally {
      lease?.release();
    }
  }

  async #pass(target: RoutedRequest, { workspace, owner }: ElsewherePlace): Promise<Passed | "unreachable"> {
    const { request, response, url, authority, view, isEncrypted } = target;
    // the store knows the key, so limits for strangers do not apply
    reportKnown(request, String(workspace));
    const session = await this.#peers.session(owner).catch(() => undefined);
    if (!session) return "unreachable";
    if (hasLeft(response)) return "left";
    const method = request.method ?? "GET";
    const hop = { to: owner.number, kind: "call", peer: view?.peer, isEncrypted } as const;
    const headers: OutgoingHttpHeaders = {
      ...headersOn(request),
      ...this.#headersTo(owner, hop, method, url),
      ...(authority !== undefined && { ":authority": authority }),
    };
    return new ForwardedRequest(request, response).run(session, headers);
  }

  #headersTo({ url }: Member, hop: Hop, method: string, path: string): OutgoingHttpHeaders {
    return {
      ":method": method,
      ":path": path,
      ":scheme": new URL(url).protocol.slice(0, -1),
      [HOP]: this.#signer.sign(hop, method, path),
    };
  }
}

const unreachable = (): ServiceError =>
  unavailable("the server that owns the account does not respond; try again later");

const unknownOutcome = (): ServiceError =>
  unavailable(
    "the server that owns the account closed the connection, and it is unknown whether the call was carried out: " +
      "repeat it with the same Idempotency-Key",
  );
