import type { Socket } from "node:net";
import type { Writable } from "node:stream";
import { createConnectRouter, createContextValues } from "@connectrpc/connect";
import {
  compressionGzip,
  universalRequestFromNodeRequest,
  universalResponseToNodeResponse,
} from "@connectrpc/connect-node";
import type { Logger } from "pino";
import { file_ctxdb_v1_error } from "../../../gen/ctxdb/v1/error_pb.ts";
import { file_google_rpc_status } from "../../../gen/google/rpc/status_pb.ts";
import { Health } from "../../../gen/grpc/health/v1/health_pb.ts";
import { ServerReflection } from "../../../gen/grpc/reflection/v1/reflection_pb.ts";
import { ServiceError } from "../../domain/errors.ts";
import { type PaceLimits, paced } from "../body-pace.ts";
import { clientLeft } from "../call.ts";
import type { HttpRequest, HttpResponse } from "../connections/connections.ts";
import { headersOf } from "../headers.ts";
import type { Operation } from "../operation.ts";
import type { Pipeline } from "../pipeline/pipeline.ts";
import { OPEN_BODY_BYTES } from "../request-body.ts";
import { drain, type Headers, respond, whileTaken } from "../respond.ts";
import { SERVICES } from "../services.ts";
import { connectCodec, serveConnect } from "./connect.ts";
import { writeFrame } from "./frames.ts";
import { grpcType, refuseGrpc, serveGrpc } from "./grpc.ts";
import { healthCheck, registerWatch, statusOf } from "./health.ts";
import { registerReflection } from "./reflection.ts";
import { connectFailure } from "./status.ts";
import { CONNECTION, refuseBrokenMessages, registerStreams } from "./streams.ts";
import { capTimeouts, type TypedOperation, typedOperation } from "./unary.ts";

export interface RpcOptions {
  readonly pipeline: Pipeline;
  readonly operations: readonly Operation[];
  readonly maxBodyBytes: number;
  readonly maxUploadBytes: number;
  readonly log: Logger;
  /** Aborts when the server begins to stop. */
  readonly stopping: AbortSignal;
}

type Handler = ReturnType<typeof createConnectRouter>["handlers"][number];

/**
 * Serves gRPC, gRPC-Web and Connect. Unary calls are framed here and go directly to the pipeline; streams and
 * reflection use the Connect framework.
 */
export class RpcHandler {
  readonly #options: RpcOptions;
  readonly #unary = new Map<string, TypedOperation>();
  readonly #streams = new Map<string, Handler>();
  /** Paths of streams that require a key. */
  readonly #guarded = new Set<string>();
  /** Paths of uploads, whose requests are long. */
  readonly #uploads = new Set<string>();

  constructor(options: RpcOptions) {
    this.#options = options;
    const router = createConnectRouter({
      acceptCompression: [compressionGzip],
      // requests for streams, health and reflection contain only URIs, ids and names
      readMaxBytes: OPEN_BODY_BYTES,
      interceptors: [refuseBrokenMessages],
    });
    registerStreams(router, options.operations, options);
    const health = statusOf(
      SERVICES.map((service) => service.typeName),
      options.stopping,
    );
    this.#addUnary({ operation: healthCheck(health), pathFields: [] });
    registerWatch(router, health, options.stopping);
    registerReflection(
      router,
      [...SERVICES, Health, ServerReflection],
      [file_ctxdb_v1_error, file_google_rpc_status],
    );
    for (const handler of router.handlers) this.#streams.set(handler.requestPath, handler);
    for (const operation of options.operations) {
      if (operation.kind === "unary") this.#addUnary(typedOperation(operation));
      else if (operation.access !== "open") this.#guarded.add(pathOf(operation));
      if (operation.kind === "upload") this.#uploads.add(pathOf(operation));
    }
  }

  #addUnary(typed: TypedOperation): void {
    this.#unary.set(pathOf(typed.operation), typed);
  }

  /** Whether the path or content type belongs to gRPC or Connect. */
  takes(path: string, contentType: string): boolean {
    return this.#unary.has(path) || this.#streams.has(path) || grpcType(contentType) !== undefined;
  }

  async handle(request: HttpRequest, response: HttpResponse, path: string): Promise<void> {
    const contentType = request.headers["content-type"] ?? "";
    const typed = this.#unary.get(path);
    if (typed !== undefined) return this.#serveUnary(request, response, contentType, typed);
    const stream = this.#streams.get(path);
    if (stream !== undefined) return this.#serveStream(request, response, stream);
    const type = grpcType(contentType);
    if (type !== undefined) await refuseGrpc(this.#options.pipeline, request, response, type, path);
  }

  async #serveUnary(
    request: HttpRequest,
    response: HttpResponse,
    contentType: string,
    typed: TypedOperation,
  ): Promise<void> {
    if (request.method !== "POST")
      return refuse(request, response, 405, "the method must be POST", { Allow: "POST" });
    const type = grpcType(contentType);
    // operations open to anybody have the body limit that applies before authentication
    const maxBodyBytes = typed.operation.access === "open" ? OPEN_BODY_BYTES : this.#options.maxBodyBytes;
    const options = { pipeline: this.#options.pipeline, maxBodyBytes };
    if (type !== undefined) return serveGrpc(options, request, response, type, typed);
    const codec = connectCodec(contentType);
    if (codec !== undefined) return serveConnect(options, request, response, codec, typed);
    return refuse(
      request,
      response,
      415,
      "Content-Type must be application/json, application/proto or one of gRPC",
      {
        "Accept-Post": "application/json, application/proto, application/grpc, application/grpc-web",
      },
    );
  }

  /** The body for the framework: empty if the key is refused, which the operation then reports. */
  async #bodyOf(
    request: HttpRequest,
    { requestPath }: Handler,
    body: AsyncIterable<Uint8Array>,
  ): Promise<AsyncIterable<Uint8Array>> {
    const isRefused =
      this.#guarded.has(requestPath) && !(await this.#options.pipeline.isIdentified(headersOf(request)));
    if (isRefused) return emptyMessage(request.headers["content-type"] ?? "");
    const { pace } = this.#options.pipeline;
    return untilEnd(this.#uploads.has(requestPath) ? inTime(body, pace) : body, request);
  }

  async #serveStream(request: HttpRequest, response: HttpResponse, handler: Handler): Promise<void> {
    // over HTTP/2, a response ends only together with its request
    const { socket } = request;
    const written: Writable = "stream" in response ? response.stream : response;
    written.once("finish", () => {
      // nothing reads the rest of the stream, although the framework may still listen
      request.removeAllListeners("readable");
      drain(request);
      cutUnfinished(request, socket);
    });
    try {
      const arriving = universalRequestFromNodeRequest(request, response, undefined, contextOf(request));
      capTimeouts(arriving.header);
      const answer = await handler({
        ...arriving,
        body: await this.#bodyOf(request, handler, arriving.body as AsyncIterable<Uint8Array>),
      });
      // the framework would wait forever for a client that disconnected or does not read
      await universalResponseToNodeResponse(
        { ...answer, ...(answer.body && { body: whileTaken(answer.body, response) }) },
        response,
      );
    } catch (error) {
      this.#options.log.debug({ err: error, path: handler.requestPath }, "a stream was cut");
      if (!response.headersSent) response.writeHead(500);
      response.destroy();
    }
  }
}

/** Time in ms for a client to read its response before a connection that still sends is closed. */
const LAST_READ_MS = 1000;

/**
 * Closes the connection if the framework gave up on a request whose body is still arriving: over HTTP/1.1,
 * nothing would read the rest.
 */
function cutUnfinished(request: HttpRequest, socket: Socket): void {
  if (request.complete || "stream" in request) return;
  const cut = setTimeout(() => request.complete || socket.destroy(), LAST_READ_MS);
  socket.once("close", () => clearTimeout(cut));
}

const pathOf = ({ method }: Operation): string => `/${method.parent.typeName}/${method.name}`;

const contextOf = (request: HttpRequest) => createContextValues().set(CONNECTION, headersOf(request));

/** Yields the request body and checks its end: HTTP/2 ends a cancelled body like a complete one. */
async function* untilEnd(body: AsyncIterable<Uint8Array>, request: HttpRequest): AsyncGenerator<Uint8Array> {
  yield* body;
  if (request.aborted) throw clientLeft();
}

/** Throws status 408 if the body arrives too slowly. */
async function* inTime(body: AsyncIterable<Uint8Array>, pace: PaceLimits): AsyncGenerator<Uint8Array> {
  const next = paced(body[Symbol.asyncIterator](), pace);
  for (let piece = await next(); !piece.done; piece = await next()) yield piece.value;
}

/** A message without fields, in the encoding of the request. */
async function* emptyMessage(contentType: string): AsyncGenerator<Uint8Array> {
  yield writeFrame(Buffer.from(/\+json/i.test(contentType) ? "{}" : ""));
}

function refuse(
  request: HttpRequest,
  response: HttpResponse,
  http: number,
  message: string,
  headers: Headers,
): Promise<void> {
  const { text } = connectFailure(
    new ServiceError("INVALID_ARGUMENT", message, { field: "request", reason: message }),
  );
  return respond(request, response, http, { ...headers, "Content-Type": "application/json" }, text);
}
