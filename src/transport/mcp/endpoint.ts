import {
  createMcpHandler,
  isLegacyRequest,
  type McpHttpHandler,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { present } from "../../base/expect.ts";
import { invalidArgument, type ServiceError } from "../../domain/errors.ts";
import { readBody } from "../body.ts";
import type { RunningCall } from "../call.ts";
import type { HttpRequest, HttpResponse } from "../connections/connections.ts";
import { retryAfter } from "../errors.ts";
import { headersOf } from "../headers.ts";
import type { HeaderView } from "../identity.ts";
import type { AccessRule, Operation } from "../operation.ts";
import type { Pipeline } from "../pipeline.ts";
import { type Headers, respond } from "../respond.ts";
import { type JsonObject, parseBody } from "../rest/json-text.ts";
import { OperationInvoker, OperationTable, type Served } from "./operation-invoker.ts";
import { Catalogue, mcpServer } from "./server.ts";

export interface EndpointOptions {
  readonly pipeline: Pipeline;
  readonly operations: readonly Operation[];
  readonly version: string;
  readonly uriScheme: string;
  readonly maxBodyBytes: number;
}

/** A protocol request for logs and counters; the operations it uses are separate calls. */
const REQUEST: AccessRule = { name: "Mcp.Request", access: "caller" };

/** JSON-RPC error codes for a server error and an invalid request. */
const SERVER_ERROR = -32_000;
const INVALID_REQUEST = -32_600;

const METHOD_NOT_FOUND = -32_601;

/** The request headers that the protocol reads. */
const PROTOCOL_HEADERS = [
  "accept",
  "content-type",
  "mcp-protocol-version",
  "mcp-method",
  "mcp-name",
] as const;
/** A stream of changes to tools and resources, which this server does not announce. */
const LISTEN = "subscriptions/listen";

/**
 * The Model Context Protocol over Streamable HTTP, in the revision 2026-07-28 and earlier ones, without
 * sessions: every POST carries its key and one message, and gets a JSON answer. There is no server stream and
 * nothing to delete, so GET and DELETE get 405.
 */
export class McpEndpoint {
  readonly #served: Served;
  readonly #catalogue: Catalogue;
  /** The revision 2026-07-28. */
  readonly #modern: McpHttpHandler;
  /** Callers by protocol request. */
  readonly #invokers = new WeakMap<Request, OperationInvoker>();
  readonly #maxBodyBytes: number;

  constructor({ pipeline, operations, version, uriScheme, maxBodyBytes }: EndpointOptions) {
    const root = `${uriScheme}://`;
    this.#served = { pipeline, operations: new OperationTable(operations), root };
    this.#catalogue = new Catalogue({ version, root });
    this.#modern = createMcpHandler(
      ({ requestInfo }) => {
        const invoker = requestInfo && this.#invokers.get(requestInfo);
        return mcpServer(this.#catalogue, present(invoker, "caller of an MCP request"));
      },
      { legacy: "reject" },
    );
    this.#maxBodyBytes = maxBodyBytes;
  }

  /** Never rejects. */
  async handle(request: HttpRequest, response: HttpResponse): Promise<void> {
    const { pipeline } = this.#served;
    const headers = headersOf(request);
    const answer = await pipeline.serve(REQUEST, { wire: "mcp", headers }, async (call) => {
      response.once("close", () => call.closed());
      if (request.method !== "POST") throw wrongMethod();
      const body = parseBody(await readBody(request, this.#maxBodyBytes, call));
      pipeline.admit(call, REQUEST, headers, {});
      const answer = await this.#answer(call, headers, body ?? {});
      call.holdAnswer(Buffer.byteLength(answer.text));
      return answer;
    });
    const sent: Headers = {
      "X-Request-Id": answer.call.requestId,
      "X-Process-Time": answer.seconds.toFixed(6),
    };
    if (answer.error !== undefined) return refuse(request, response, answer.error, sent);
    const { status, contentType, text } = answer.value;
    if (contentType !== null) sent["Content-Type"] = contentType;
    await respond(request, response, status, sent, text);
  }

  async #answer(call: RunningCall, headers: HeaderView, body: JsonObject) {
    if (body.method === LISTEN) return unknownMethod(body.id);
    const request = protocolRequest(headers);
    const invoker = new OperationInvoker(this.#served, headers, call);
    const answer = (await isLegacyRequest(request, body))
      ? await this.#answerLegacy(request, body, invoker)
      : await this.#answerModern(request, body, invoker);
    return {
      status: answer.status,
      contentType: answer.headers.get("content-type"),
      text: await answer.text(),
    };
  }

  #answerModern(request: Request, body: JsonObject, invoker: OperationInvoker): Promise<Response> {
    this.#invokers.set(request, invoker);
    return this.#modern.fetch(request, { parsedBody: body });
  }

  /** Answers with JSON too: the library would use a stream for these revisions. */
  async #answerLegacy(request: Request, body: JsonObject, invoker: OperationInvoker): Promise<Response> {
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    const server = mcpServer(this.#catalogue, invoker);
    try {
      await server.connect(transport);
      const answer = await transport.handleRequest(request, { parsedBody: body });
      // read before the server closes
      return new Response(await answer.text(), answer);
    } finally {
      await server.close();
    }
  }
}

function unknownMethod(id: unknown) {
  const error = { code: METHOD_NOT_FOUND, message: `Method not found: ${LISTEN}` };
  return {
    status: 404,
    contentType: "application/json",
    text: JSON.stringify({
      jsonrpc: "2.0",
      id: typeof id === "string" || typeof id === "number" ? id : null,
      error,
    }),
  };
}

/** The part of the request that the protocol reads. */
function protocolRequest(headers: HeaderView): Request {
  const seen = PROTOCOL_HEADERS.flatMap((name): [string, string][] => {
    const value = headers.get(name);
    return value === undefined ? [] : [[name, value]];
  });
  return new Request("http://ctxdb/mcp", { method: "POST", headers: seen });
}

const wrongMethod = () => invalidArgument("method", "/mcp answers POST, OPTIONS", 405);

/** Refuses a request before it is an MCP message: HTTP status and a JSON-RPC error. */
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
  if (http === 405) sent.Allow = "POST, OPTIONS";
  return respond(request, response, http, sent, JSON.stringify(body));
}
