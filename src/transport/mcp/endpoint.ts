import { randomUUID } from "node:crypto";
import {
  createMcpHandler,
  isLegacyRequest,
  type McpHttpHandler,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { isObject, present } from "../../base/expect.ts";
import { invalidArgument, type ServiceError } from "../../domain/errors.ts";
import type { RunningCall } from "../call.ts";
import type { HttpRequest, HttpResponse } from "../connections/connections.ts";
import { retryAfter } from "../errors.ts";
import { headersOf } from "../headers.ts";
import type { HeaderView } from "../identity.ts";
import type { AccessRule, Operation } from "../operation.ts";
import type { Pipeline } from "../pipeline/pipeline.ts";
import { readBody } from "../request-body.ts";
import { type Headers, respond } from "../respond.ts";
import { type JsonObject, parseBody } from "../rest/json-body.ts";
import { MAX_WATCHED, MAX_WATCHED_LENGTH, type Wanted } from "./change-notices.ts";
import { OperationInvoker, OperationTable, type Served } from "./operation-invoker.ts";
import { challenge } from "./protected-resource.ts";
import { changesReply, factsOf, isStream, type McpReply, replyOf, sendStream } from "./reply.ts";
import { RunningRequests } from "./running-requests.ts";
import { Catalogue, mcpServer } from "./server.ts";

export interface EndpointOptions {
  readonly pipeline: Pipeline;
  readonly operations: readonly Operation[];
  readonly version: string;
  readonly uriScheme: string;
  readonly maxBodyBytes: number;
  /** Whether the port uses TLS. */
  readonly isEncrypted: boolean;
}

/** An MCP request in logs and metrics; the operations that it uses are separate calls. */
const REQUEST: AccessRule = { name: "Mcp.Request", access: "caller", effect: "reads" };

/** JSON-RPC error codes for a server error and an invalid request. */
const SERVER_ERROR = -32_000;
const INVALID_REQUEST = -32_600;

/**
 * Maximum number of values and names in a message: the library validates each of them several times, in one
 * stretch of the main thread. The largest call of a tool has half as many.
 */
const MAX_MESSAGE_VALUES = 5000;

/** Request headers used by MCP. */
const PROTOCOL_HEADERS = [
  "accept",
  "content-type",
  "mcp-protocol-version",
  "mcp-method",
  "mcp-name",
] as const;
/** Streams of resource changes: a request in revision 2026-07-28, a GET in earlier ones. */
const LISTEN = "subscriptions/listen";
const INITIALIZE = "initialize";
const SESSION = "mcp-session-id";
const EVENTS = "text/event-stream";
/** Subscription of the GET stream in earlier revisions. */
const LIST_ONLY: Wanted = { isList: true, uris: [] };

/**
 * MCP over Streamable HTTP, in revision 2026-07-28 and earlier ones. Every POST carries its own key and one
 * message; the response is JSON, or a stream for progress and changes. Nothing is stored between requests:
 * the session id of earlier revisions only distinguishes clients, and there is nothing to delete.
 */
export class McpEndpoint {
  readonly #served: Served;
  readonly #catalogue: Catalogue;
  /** Handler of revision 2026-07-28. */
  readonly #modern: McpHttpHandler;
  /** Invokers by MCP request. */
  readonly #invokers = new WeakMap<Request, OperationInvoker>();
  readonly #running = new RunningRequests();
  readonly #maxBodyBytes: number;
  readonly #isEncrypted: boolean;

  constructor({ pipeline, operations, version, uriScheme, ...options }: EndpointOptions) {
    const root = `${uriScheme}://`;
    this.#served = { pipeline, operations: new OperationTable(operations), root };
    this.#catalogue = new Catalogue({ version, root });
    this.#modern = createMcpHandler(
      ({ requestInfo }) => {
        const invoker = requestInfo && this.#invokers.get(requestInfo);
        const caller = present(invoker, "caller of an MCP request");
        return mcpServer(this.#catalogue, caller, { isSubscribed: true });
      },
      { legacy: "reject", maxSubscriptions: Number.MAX_SAFE_INTEGER },
    );
    this.#maxBodyBytes = options.maxBodyBytes;
    this.#isEncrypted = options.isEncrypted;
  }

  /** Never rejects. */
  async handle(request: HttpRequest, response: HttpResponse): Promise<void> {
    const { pipeline } = this.#served;
    const headers = headersOf(request);
    const answer = await pipeline.serve(REQUEST, { wire: "mcp", headers }, async (call) => {
      response.once("close", () => call.closed());
      const reply = await this.#reply(call, request, headers);
      const { body } = reply;
      if (typeof body !== "string") return sendStream(call, request, response, reply, body);
      call.holdAnswer(Buffer.byteLength(body));
      return { ...reply, body };
    });
    if (response.headersSent) return;
    const sent = factsOf(answer.call, answer.seconds);
    if (answer.error !== undefined) {
      if (answer.error.code === "UNAUTHENTICATED") Object.assign(sent, challenge(request, this.#isEncrypted));
      return refuse(request, response, answer.error, sent);
    }
    if (!answer.value) return;
    const { status, headers: more, body } = answer.value;
    await respond(request, response, status, { ...sent, ...more }, body);
  }

  async #reply(call: RunningCall, request: HttpRequest, headers: HeaderView): Promise<McpReply> {
    const { pipeline } = this.#served;
    const invoker = new OperationInvoker(this.#served, headers, call);
    if (request.method === "GET" && headers.get("accept")?.includes(EVENTS)) {
      pipeline.admit(call, REQUEST, headers, {});
      return changesReply(invoker, LIST_ONLY);
    }
    if (request.method !== "POST") throw wrongMethod();
    const bytes = await readBody(request, this.#maxBodyBytes, call);
    const body = (await parseBody(bytes, MAX_MESSAGE_VALUES)) ?? {};
    pipeline.admit(call, REQUEST, headers, {});
    const asked = protocolRequest(headers);
    return (await isLegacyRequest(asked, body))
      ? this.#replyLegacy(call, asked, headers.get(SESSION), body, invoker)
      : this.#replyModern(asked, body, invoker);
  }

  async #replyModern(request: Request, body: JsonObject, invoker: OperationInvoker): Promise<McpReply> {
    this.#invokers.set(request, invoker);
    const wanted = body.method === LISTEN ? wantedIn(body) : undefined;
    const answer = await this.#modern.fetch(request, { parsedBody: body });
    const { id } = body;
    const isListening = wanted && (wanted.isList || wanted.uris.length > 0) && isStream(answer);
    if (!isListening || (typeof id !== "string" && typeof id !== "number"))
      return replyOf(answer, () => undefined);
    // the library has validated the request; its own stream would buffer a queue
    await answer.body?.cancel();
    return changesReply(invoker, wanted, id);
  }

  /**
   * Handles revisions before 2026-07-28. By default, the library responds to them with a stream; here only
   * clients that want progress get one.
   */
  async #replyLegacy(
    call: RunningCall,
    request: Request,
    session: string | undefined,
    body: JsonObject,
    invoker: OperationInvoker,
  ): Promise<McpReply> {
    this.#running.cancel(call.caller, session, body);
    const leave = this.#running.enter(call, session, body);
    const enableJsonResponse = !wantsProgress(body);
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse });
    const server = mcpServer(this.#catalogue, invoker, { isSubscribed: false });
    const end = async () => {
      leave();
      await server.close();
    };
    try {
      await server.connect(transport);
      const reply = await replyOf(await transport.handleRequest(request, { parsedBody: body }), end);
      const isBegun = body.method === INITIALIZE && reply.status === 200;
      return isBegun ? { ...reply, headers: { ...reply.headers, "Mcp-Session-Id": randomUUID() } } : reply;
    } catch (error) {
      await end();
      throw error;
    }
  }
}

/**
 * The subjects that a client subscribes to; the library validates the shape. Throws INVALID_ARGUMENT above
 * the limits.
 */
function wantedIn({ params }: JsonObject): Wanted {
  const wanted = isObject(params) && isObject(params.notifications) ? params.notifications : {};
  const { resourcesListChanged, resourceSubscriptions: uris } = wanted;
  const watched = Array.isArray(uris) ? uris.map(String) : [];
  if (watched.length > MAX_WATCHED || watched.some(({ length }) => length > MAX_WATCHED_LENGTH))
    throw invalidArgument(
      "notifications.resourceSubscriptions",
      `must name at most ${MAX_WATCHED} resources by URIs of at most ${MAX_WATCHED_LENGTH} characters`,
    );
  return { isList: resourcesListChanged === true, uris: watched };
}

function wantsProgress({ params }: JsonObject): boolean {
  const meta = isObject(params) ? params._meta : undefined;
  return isObject(meta) && meta.progressToken !== undefined;
}

/** Creates a request with the headers that MCP uses. */
function protocolRequest(headers: HeaderView): Request {
  const seen = PROTOCOL_HEADERS.flatMap((name): [string, string][] => {
    const value = headers.get(name);
    return value === undefined ? [] : [[name, value]];
  });
  return new Request("http://ctxdb/mcp", { method: "POST", headers: seen });
}

const wrongMethod = () =>
  invalidArgument("method", "/mcp supports only POST, OPTIONS, and GET for text/event-stream", 405);

/** Refuses a request that is not yet an MCP message: HTTP status and JSON-RPC error. */
function refuse(
  request: HttpRequest,
  response: HttpResponse,
  error: ServiceError,
  headers: Headers,
): Promise<void> {
  const { code, message, details, http } = error;
  const number = http < 500 && code === "INVALID_ARGUMENT" ? INVALID_REQUEST : SERVER_ERROR;
  const body = {
    jsonrpc: "2.0",
    id: null,
    error: { code: number, message: `${code}: ${message}`, data: { code, ...(details && { details }) } },
  };
  const sent: Headers = { ...headers, ...retryAfter(error), "Content-Type": "application/json" };
  if (http === 405) sent.Allow = "GET, POST, OPTIONS";
  return respond(request, response, http, sent, JSON.stringify(body));
}
