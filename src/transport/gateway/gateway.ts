import { Budget, type Lease } from "../../base/budget.ts";
import { notFound, overBudget, ServiceError } from "../../domain/errors.ts";
import type { RunningCall } from "../call.ts";
import type { HttpRequest, HttpResponse } from "../connections/connections.ts";
import { FOREIGN_CONTENT_POLICY } from "../guarded-response.ts";
import { headersOf } from "../headers.ts";
import type { HeaderView } from "../identity.ts";
import type { AccessRule } from "../operation.ts";
import type { CallAnswer, Pipeline } from "../pipeline/pipeline.ts";
import { readBody } from "../request-body.ts";
import { hasLeft, respond } from "../respond.ts";
import { answerReader } from "./answer-reader.ts";
import { CallerAnswer } from "./caller-answer.ts";
import { planExchange } from "./exchange-plan.ts";
import { errorAnswer } from "./gateway-error.ts";
import { headersUp, identityOf } from "./passed-headers.ts";
import { type GatewayRoute, gatewayRoute, isGatewayPath } from "./routes.ts";
import { SessionMemory, type SessionMemoryOptions } from "./session-memory.ts";
import { type GatewayUrls, Upstream } from "./upstream.ts";

/** Maximum body size in bytes, as for the providers: images are part of the body. */
export const MAX_GATEWAY_BODY_BYTES = 32 * 1024 * 1024;
const BODY_LIMIT = "of the gateway";
/** Maximum number of concurrent requests, per account and in total. */
const MAX_STREAMS = { perKey: 128, total: 1024 } as const;

export interface GatewayOptions extends SessionMemoryOptions {
  readonly urls: GatewayUrls;
}

interface Exchange {
  readonly request: HttpRequest;
  readonly response: HttpResponse;
  readonly route: GatewayRoute;
  /** Including the question mark; "" if there is none. */
  readonly query: string;
  /** Identity headers sent by the caller. */
  readonly headers: HeaderView;
  readonly rule: AccessRule;
}

/**
 * Forwards calls of chat APIs to their providers, unchanged except for insertions before the user's turns,
 * and captures the conversations. Provider keys are passed through unread.
 */
export class Gateway {
  readonly #pipeline: Pipeline;
  readonly #memory: SessionMemory;
  readonly #upstream: Upstream;
  readonly #streams = new Budget(MAX_STREAMS, overBudget("calls of the gateway", "calls"));

  constructor(pipeline: Pipeline, options: GatewayOptions) {
    this.#pipeline = pipeline;
    this.#memory = new SessionMemory(options);
    this.#upstream = new Upstream(options.urls);
  }

  takes = isGatewayPath;

  /** `path` and `query`: those of the URL, still encoded. Never rejects. */
  async handle(request: HttpRequest, response: HttpResponse, path: string, query: string): Promise<void> {
    const headers = identityOf(headersOf(request));
    const method = request.method ?? "";
    const route = gatewayRoute(method, path);
    const fault = this.#faultOf(route, method, path);
    if (route === undefined || fault !== undefined) {
      const call = this.#pipeline.begin("unknown route", { wire: "gateway", headers });
      const answer = await this.#pipeline.settle(call, () => Promise.reject(fault));
      return sendError(request, response, route, answer);
    }
    const rule: AccessRule = { name: route.operation, access: "caller", effect: "changes" };
    const exchange = { request, response, route, query: query === "" ? "" : `?${query}`, headers, rule };
    const answer = await this.#pipeline.serve(rule, { wire: "gateway", headers }, (call) =>
      this.#serve(call, exchange),
    );
    if (answer.error === undefined) return;
    // a response that has started can only be aborted
    if (response.headersSent) breakOff(response);
    else await sendError(request, response, route, answer);
  }

  close(): Promise<void> {
    return this.#upstream.close();
  }

  #faultOf(route: GatewayRoute | undefined, method: string, path: string): ServiceError | undefined {
    if (route === undefined) return notFound("route", `${method} ${path.slice(0, 200)}`);
    if (this.#upstream.serves(route.provider)) return undefined;
    const setting = `CTXDB_GATEWAY_${route.provider.toUpperCase()}_URL`;
    const resource = `the provider ${route.provider}`;
    return new ServiceError("NOT_FOUND", `${resource} is not enabled: set ${setting}`, {
      resource,
      type: "route",
    });
  }

  async #serve(call: RunningCall, exchange: Exchange): Promise<void> {
    const { request, response, route, headers, rule, query } = exchange;
    response.once("close", () => call.closed());
    // take a slot only after the body has arrived, so that slow senders do not block others
    const sent = await readBody(request, MAX_GATEWAY_BODY_BYTES, call, BODY_LIMIT);
    this.#pipeline.authenticate(call, rule, headers);
    await this.#pipeline.turn(call);
    const stream = this.#streams.take(call.caller.account, 1);
    try {
      const plan = await planExchange(this.#memory, call, route, headers, sent);
      const { body, session, isRead, capture } = plan;
      if (body !== sent) call.holdBody(sent.length + body.length);
      const { api } = route;
      const held = new HeldAnswer(call);
      const answer = new CallerAnswer({
        response,
        headers: {
          "Content-Security-Policy": FOREIGN_CONTENT_POLICY,
          ...(session !== undefined && { "X-Ctxdb-Session": session }),
        },
        reader: (status, header) => {
          if (!api || !isRead || status !== 200) return undefined;
          if ((header("content-encoding") ?? "identity") !== "identity") return undefined;
          const length = header("content-length");
          const type = header("content-type") ?? "";
          return answerReader(api, type, length ? Number(length) : undefined, held.hold);
        },
        onAnswer: (value) => capture?.(value) ?? Promise.resolve(),
      });
      const outgoing = {
        method: request.method ?? "",
        route,
        query,
        headers: headersUp(request, isRead),
        body,
      };
      try {
        await this.#upstream.pass(outgoing, answer, call.signal);
      } finally {
        held.release();
        // capture the user's message even if the response was aborted; a refused request will be sent again
        if (answer.status === 200) await capture?.(undefined);
      }
    } finally {
      stream.release();
    }
  }
}

/** Counts the memory for the part of a response that is buffered to capture it. */
class HeldAnswer {
  readonly #call: RunningCall;
  #lease: Lease | undefined;

  constructor(call: RunningCall) {
    this.#call = call;
  }

  /** Returns false if there is not enough memory; the response is then passed on but not captured. */
  readonly hold = (bytes: number): boolean => {
    try {
      if (this.#lease) this.#lease.resize(bytes);
      else this.#lease = this.#call.reserve(bytes);
      return true;
    } catch (error) {
      if (error instanceof ServiceError) return false;
      throw error;
    }
  };

  release(): void {
    this.#lease?.release();
    this.#lease = undefined;
  }
}

/** Aborts the connection, so that the caller notices the incomplete response. */
function breakOff(response: HttpResponse): void {
  if (!hasLeft(response)) response.destroy();
}

async function sendError(
  request: HttpRequest,
  response: HttpResponse,
  route: GatewayRoute | undefined,
  { call, error }: CallAnswer<unknown>,
): Promise<void> {
  if (error === undefined || response.headersSent || hasLeft(response)) return;
  const { headers, body } = errorAnswer(route?.provider ?? "openai", error, call.requestId);
  await respond(request, response, error.http, headers, body);
}
