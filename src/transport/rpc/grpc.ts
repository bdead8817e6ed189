import { EventLoopYielder } from "../../base/event-loop.ts";
import { itemAt } from "../../base/expect.ts";
import { invalidArgument, ServiceError } from "../../domain/errors.ts";
import type { HttpRequest, HttpResponse } from "../connections/connections.ts";
import { headersOf } from "../headers.ts";
import type { CallAnswer, Pipeline } from "../pipeline/pipeline.ts";
import { readBody } from "../request-body.ts";
import { drain, hasLeft, writeHead, writeWhole } from "../respond.ts";
import { readFrame, writeFrame, writeTrailerFrame } from "./frames.ts";
import { errorTrailers } from "./status.ts";
import {
  answerMetadata,
  type Codec,
  GRPC_TIMEOUT,
  grpcTimeout,
  runTyped,
  type TypedOperation,
} from "./unary.ts";

export interface GrpcType {
  readonly wire: "grpc" | "grpc-web";
  readonly codec: Codec;
  /** Whether the body is base64 text (gRPC-Web). */
  readonly isText: boolean;
  readonly contentType: string;
}

/**
 * Parses `application/grpc`, `application/grpc-web`, `application/grpc-web-text`, each with `+proto` or
 * `+json`; undefined for anything else.
 */
export function grpcType(contentType: string): GrpcType | undefined {
  const match = /^application\/(grpc(?:-web(?:-text)?)?)(?:\+(proto|json))?(?:;|$)/i.exec(contentType);
  if (match === null) return undefined;
  const kind = itemAt(match, 1).toLowerCase();
  const codec = match[2]?.toLowerCase() === "json" ? "json" : "proto";
  return {
    wire: kind === "grpc" ? "grpc" : "grpc-web",
    codec,
    isText: kind.endsWith("-text"),
    contentType: `application/${kind}+${codec}`,
  };
}

/** Serves a unary gRPC or gRPC-Web call. Never rejects. */
export async function serveGrpc(
  options: { readonly pipeline: Pipeline; readonly maxBodyBytes: number },
  request: HttpRequest,
  response: HttpResponse,
  type: GrpcType,
  typed: TypedOperation,
): Promise<void> {
  const headers = headersOf(request);
  const { pipeline, maxBodyBytes } = options;
  const arrival = { wire: type.wire, headers, deadline: grpcTimeout(headers.get(GRPC_TIMEOUT)) };
  const answer = await pipeline.serve(typed.operation, arrival, async (call) => {
    response.once("close", () => call.closed());
    const read = async () => {
      const body = await readBody(request, maxBodyBytes, call);
      return readFrame(
        type.isText ? await new EventLoopYielder().through(base64Steps(body)) : body,
        headers.get("grpc-encoding"),
        maxBodyBytes,
      );
    };
    return runTyped(pipeline, call, typed, { codec: type.codec, headers, read });
  });
  await send(request, response, type, answer);
}

/** Responds with UNIMPLEMENTED for unknown methods. */
export async function refuseGrpc(
  pipeline: Pipeline,
  request: HttpRequest,
  response: HttpResponse,
  type: GrpcType,
  path: string,
): Promise<void> {
  const call = pipeline.begin("unknown method", { wire: type.wire, headers: headersOf(request) });
  const error = new ServiceError("UNIMPLEMENTED", `method not found: ${path.slice(0, 200)}`, {
    resource: path.slice(0, 200),
    type: "method",
  });
  await send(request, response, type, await pipeline.settle<Uint8Array>(call, () => Promise.reject(error)));
}

async function send(
  request: HttpRequest,
  response: HttpResponse,
  type: GrpcType,
  answer: CallAnswer<Uint8Array>,
): Promise<void> {
  if (hasLeft(response)) return;
  const trailers = answer.error === undefined ? { "grpc-status": "0" } : errorTrailers(answer.error);
  const headers = {
    "content-type": type.contentType,
    "grpc-accept-encoding": "identity,gzip",
    ...answerMetadata(answer.call, answer.seconds),
  };
  const frames = answer.error === undefined ? [writeFrame(answer.value)] : [];
  const begin = () => {
    writeHead(response, 200, headers);
    if (type.wire === "grpc") response.addTrailers(trailers);
  };
  if (type.wire !== "grpc") frames.push(writeTrailerFrame(trailers));
  if (frames.length === 0) {
    begin();
    response.end();
  } else {
    const whole = frames.length === 1 ? itemAt(frames, 0) : Buffer.concat(frames);
    const body = type.isText ? whole.toString("base64") : whole;
    await writeWhole(response, begin, body, body.length);
  }
  drain(request);
}

/** Maximum number of padded base64 pieces in a body: clients send one per message of a stream. */
const MAX_BASE64_PIECES = 1000;
const PADDING = 0x3d;
/** Characters of base64 decoded per step. */
const BASE64_PER_STEP = 256 * 1024;
/** Characters that decoders ignore, such as line ends. */
const NO_BASE64 = /[^\w+/=-]/g;

/** Decodes base64 text, which may consist of several padded pieces. */
export function* base64Steps(body: Buffer): Generator<undefined, Buffer> {
  const decoded: Buffer[] = [];
  let pieces = 0;
  for (let at = 0; at < body.length; pieces++) {
    if (pieces >= MAX_BASE64_PIECES)
      throw invalidArgument("request", `must have at most ${MAX_BASE64_PIECES} padded base64 pieces`);
    let end = body.indexOf(PADDING, at);
    if (end < 0) end = body.length;
    while (body[end] === PADDING) end++;
    for (let rest = ""; at < end; ) {
      const next = Math.min(end, at + BASE64_PER_STEP);
      const text = rest + body.toString("latin1", at, next).replace(NO_BASE64, "");
      // four characters are three bytes
      const whole = next < end ? text.length - (text.length % 4) : text.length;
      decoded.push(Buffer.from(text.slice(0, whole), "base64"));
      rest = text.slice(whole);
      at = next;
      yield;
    }
  }
  return Buffer.concat(decoded);
}
