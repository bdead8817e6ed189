import { type ClientHttp2Session, constants, type OutgoingHttpHeaders } from "node:http2";
import { type DescMethodUnary, fromBinary, type Message, toBinary } from "@bufbuild/protobuf";
import { ServiceError } from "../../domain/errors.ts";
import type { RunningCall } from "../call.ts";
import { ArrivedBytes } from "../request-body.ts";
import { failureIn } from "../rpc/status.ts";
import { COMPLETE, MOVED } from "./hop.ts";

/** Maximum bytes of a response; longer lists have pages. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
/** Headers with which ROOT identifies itself. */
const IDENTITY = ["x-api-key", "authorization", "x-ctx-user", "x-openviking-user", "x-ctx-agent"] as const;

export const pathOf = ({ parent, name }: DescMethodUnary): string => `/${parent.typeName}/${name}`;

/** Headers for a unary Connect call in which ROOT operates on an account. */
export function accountHeaders(call: RunningCall, name: string): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = {
    "content-type": "application/proto",
    "x-request-id": call.requestId,
    "x-ctx-account": name,
  };
  for (const name of IDENTITY) {
    const value = call.admitted?.headers.get(name);
    if (value !== undefined) headers[name] = value;
  }
  return headers;
}

/**
 * Sends a request to the owner of an account. Resolves with the response, with `untouched` if the owner has
 * not processed the request, or with `unknown` if the outcome is unknown; rejects with the operation's
 * ServiceError.
 */
export async function askOwner(
  session: ClientHttp2Session,
  headers: OutgoingHttpHeaders,
  method: DescMethodUnary,
  request: Message,
  signal: AbortSignal,
): Promise<Message | "untouched" | "unknown"> {
  const answer = await exchange(session, headers, Buffer.from(toBinary(method.input, request)), signal);
  if (typeof answer === "string") return answer;
  if (answer.status === 200) return fromBinary(method.output, answer.bytes);
  throw failureIn(answer.bytes.toString()) ?? new ServiceError("INTERNAL", "internal error");
}

interface Answer {
  readonly status: number;
  readonly bytes: Buffer;
}

function exchange(
  session: ClientHttp2Session,
  headers: OutgoingHttpHeaders,
  body: Buffer,
  signal: AbortSignal,
): Promise<Answer | "untouched" | "unknown"> {
  return new Promise((resolve) => {
    if (session.closed || session.destroyed) return resolve("untouched");
    const stream = session.request(headers);
    const cancel = () => stream.close(constants.NGHTTP2_CANCEL);
    signal.addEventListener("abort", cancel);
    const arrived = new ArrivedBytes();
    let status = 0;
    let isMoved = false;
    let isWhole = false;
    stream.on("response", (given, flags) => {
      isWhole = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0;
      status = Number(given[":status"]);
      isMoved = given[MOVED] !== undefined;
    });
    stream.on("data", (chunk: Buffer) => {
      if (arrived.size + chunk.length > MAX_ANSWER_BYTES) cancel();
      else arrived.add(chunk);
    });
    stream.on("error", () => undefined);
    stream.on("trailers", (trailers) => {
      isWhole = trailers[COMPLETE] !== undefined;
    });
    stream.once("close", () => {
      signal.removeEventListener("abort", cancel);
      if (isMoved || stream.rstCode === constants.NGHTTP2_REFUSED_STREAM) resolve("untouched");
      else resolve(isWhole ? { status, bytes: arrived.bytes } : "unknown");
    });
    stream.end(body);
  });
}
