import { create, type Message } from "@bufbuild/protobuf";
import {
  Code,
  ConnectError,
  type ConnectRouter,
  createContextKey,
  type HandlerContext,
  type Interceptor,
} from "@connectrpc/connect";
import { type FileChunk, FileChunkSchema } from "../../../gen/ctxdb/v1/file_chunk_pb.ts";
import type { UploadFileRequest } from "../../../gen/ctxdb/v1/resource_pb.ts";
import { codeOf } from "../../base/faults.ts";
import { invalidArgument } from "../../domain/errors.ts";
import { clientLeft, type RunningCall } from "../call.ts";
import { tooLarge } from "../errors.ts";
import type { HeaderView } from "../identity.ts";
import type {
  ByteStream,
  DownloadOperation,
  IncomingFile,
  Operation,
  UploadOperation,
} from "../operation.ts";
import { type Arrival, type Pipeline, secondsSince } from "../pipeline/pipeline.ts";
import { UPLOAD_SETTING } from "../rest/multipart.ts";
import { attachment } from "../rest/range.ts";
import { connectError } from "./status.ts";
import { answerMetadata, type TypedWire } from "./unary.ts";

/** Maximum size of a download message in bytes. */
const CHUNK_BYTES = 256 * 1024;

interface StreamOptions {
  readonly pipeline: Pipeline;
  /** Maximum size of an upload message in bytes. */
  readonly maxBodyBytes: number;
  readonly maxUploadBytes: number;
}

/** Registers the streaming operations. */
export function registerStreams(
  router: ConnectRouter,
  operations: readonly Operation[],
  options: StreamOptions,
): void {
  for (const operation of operations) {
    if (operation.kind === "download") {
      router.rpc(operation.method, (request: Message, context: HandlerContext) =>
        sendStream(operation, options.pipeline, context, (call) =>
          download(operation, options.pipeline, request, context, call),
        ),
      );
    } else if (operation.kind === "feed") {
      router.rpc(operation.method, (request: Message, context: HandlerContext) =>
        sendStream(operation, options.pipeline, context, (call) => {
          setMetadata(context, call);
          return options.pipeline.feed(call, operation, request);
        }),
      );
    } else if (operation.kind === "upload") {
      router.rpc(
        operation.method,
        (parts: AsyncIterable<Message>, context: HandlerContext) =>
          receiveStream(operation, options, parts as AsyncIterable<UploadFileRequest>, context),
        { readMaxBytes: options.maxBodyBytes },
      );
    }
  }
}

/** Yields the messages of `open` as one call, from its beginning to its end. */
async function* sendStream<M extends Message>(
  operation: Operation,
  pipeline: Pipeline,
  context: HandlerContext,
  open: (call: RunningCall) => AsyncIterable<M>,
): AsyncGenerator<M> {
  const call = begin(operation, pipeline, context);
  let ended = false;
  const end = (failure?: unknown) => {
    ended = true;
    return pipeline.end(call, failure);
  };
  try {
    await pipeline.enter(call, operation, viewOf(context));
    pipeline.allow(call, operation, {});
    yield* open(call);
    end();
  } catch (failure) {
    const { error } = end(failure);
    if (error !== undefined) throw connectError(error);
  } finally {
    if (!ended) end(clientLeft());
  }
}

async function* download(
  operation: DownloadOperation,
  pipeline: Pipeline,
  request: Message,
  context: HandlerContext,
  call: RunningCall,
): AsyncGenerator<FileChunk> {
  const stream = await pipeline.download(call, operation, request);
  if (stream.etag !== undefined) call.reply.etag = stream.etag;
  setMetadata(context, call);
  context.responseHeader.set("content-disposition", attachment(stream.name));
  yield* bodies(stream);
}

/** The first message has the content type; it is sent even if the file is empty. */
async function* bodies(stream: ByteStream): AsyncGenerator<FileChunk> {
  let contentType = stream.contentType;
  for await (const chunk of stream.read()) {
    for (let at = 0; at < chunk.length; at += CHUNK_BYTES) {
      yield create(FileChunkSchema, { contentType, data: chunk.subarray(at, at + CHUNK_BYTES) });
      contentType = "";
    }
  }
  if (contentType !== "") yield create(FileChunkSchema, { contentType });
}

async function receiveStream(
  operation: UploadOperation,
  { pipeline, maxUploadBytes }: StreamOptions,
  parts: AsyncIterable<UploadFileRequest>,
  context: HandlerContext,
): Promise<Message> {
  const call = begin(operation, pipeline, context);
  const answer = await pipeline.settle(call, async () => {
    await pipeline.enter(call, operation, viewOf(context));
    pipeline.allow(call, operation, {});
    checkTimeout(context);
    const file = await readHeader(new Incoming(parts, call.signal), maxUploadBytes);
    return pipeline.upload(call, operation, file);
  });
  setMetadata(context, call);
  if (answer.error !== undefined) throw connectError(answer.error);
  return answer.value;
}

/**
 * Checks the timeout header: the framework would report an invalid one with the first message, and without
 * naming the header.
 */
function checkTimeout({ protocolName, requestHeader, timeoutMs }: HandlerContext): void {
  const header = protocolName === "connect" ? "Connect-Timeout-Ms" : "grpc-timeout";
  const sent = requestHeader.get(header);
  if (sent !== null && timeoutMs() === undefined) throw invalidArgument(header, "must be a timeout");
}

async function readHeader(parts: Incoming, limit: number): Promise<IncomingFile> {
  const first = await parts.next();
  const part = first.done === true ? undefined : first.value.part;
  if (part?.case !== "header") throw invalidArgument("header", "is required in the first message");
  return { name: part.value.name, contentType: part.value.contentType, bytes: chunks(parts, limit) };
}

async function* chunks(parts: Incoming, limit: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  for (let next = await parts.next(); next.done !== true; next = await parts.next()) {
    const { part } = next.value;
    if (part.case !== "chunk") throw invalidArgument("part", "must be a chunk after the first message");
    size += part.value.length;
    if (size > limit) throw tooLarge("file", limit, UPLOAD_SETTING);
    yield part.value;
  }
}

/** Node's error codes for a stream that ended early. */
const BROKEN_OFF: ReadonlySet<unknown> = new Set([
  "ERR_STREAM_PREMATURE_CLOSE",
  "ECONNRESET",
  "ERR_HTTP2_STREAM_CANCEL",
]);

/**
 * Messages of an upload stream. Clients that disconnect or send invalid messages do not count as server
 * errors.
 */
class Incoming {
  readonly #parts: AsyncIterator<UploadFileRequest>;
  readonly #signal: AbortSignal;

  /** `signal` aborts when the call ends; the framework would let the reader wait forever. */
  constructor(parts: AsyncIterable<UploadFileRequest>, signal: AbortSignal) {
    this.#parts = parts[Symbol.asyncIterator]();
    this.#signal = signal;
  }

  async next(): Promise<IteratorResult<UploadFileRequest>> {
    try {
      return await this.#nextOrEnd();
    } catch (error) {
      const cause = error instanceof Error ? error.cause : undefined;
      if (BROKEN_OFF.has(codeOf(error)) || BROKEN_OFF.has(codeOf(cause))) throw clientLeft();
      throw error instanceof ConnectError ? invalidArgument("request", error.rawMessage) : error;
    }
  }

  #nextOrEnd(): Promise<IteratorResult<UploadFileRequest>> {
    return new Promise((resolve, reject) => {
      const leave = () => reject(this.#signal.reason);
      this.#signal.addEventListener("abort", leave);
      if (this.#signal.aborted) leave();
      this.#parts
        .next()
        .then(resolve, reject)
        .finally(() => this.#signal.removeEventListener("abort", leave));
    });
  }
}

function begin(operation: Operation, pipeline: Pipeline, context: HandlerContext): RunningCall {
  const timeoutMs = context.timeoutMs();
  const arrival: Arrival = {
    wire: context.protocolName as TypedWire,
    headers: viewOf(context),
    ...(timeoutMs !== undefined && { deadline: timeoutMs / 1000 }),
  };
  const call = pipeline.begin(operation.name, arrival);
  // the call has its own timer for the deadline
  const isLate = () =>
    context.signal.reason instanceof ConnectError && context.signal.reason.code === Code.DeadlineExceeded;
  context.signal.addEventListener("abort", () => isLate() || call.abort(clientLeft()));
  return call;
}

function setMetadata(context: HandlerContext, call: RunningCall): void {
  for (const [name, value] of Object.entries(answerMetadata(call, secondsSince(call.started))))
    context.responseHeader.set(name, value);
}

/** Reports an unreadable message as the client's error; the framework would report an internal one. */
export const refuseBrokenMessages: Interceptor = (next) => (request) =>
  next(request.stream ? { ...request, message: readable(request.message) } : request);

async function* readable<M>(messages: AsyncIterable<M>): AsyncGenerator<M> {
  try {
    yield* messages;
  } catch (error) {
    if (!(error instanceof ConnectError) || error.code !== Code.Internal) throw error;
    throw connectError(invalidArgument("request", error.rawMessage));
  }
}

/** Context key of the connection, for calls that the framework handles. */
export const CONNECTION = createContextKey<Omit<HeaderView, "get">>({}, { description: "connection" });

const viewOf = ({ requestHeader, values }: HandlerContext): HeaderView => ({
  ...values.get(CONNECTION),
  get: (name) => requestHeader.get(name) ?? undefined,
});
