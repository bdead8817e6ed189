import { itemAt } from "../../base/expect.ts";
import type { HttpRequest, HttpResponse } from "../connections/connections.ts";
import { retryAfter } from "../errors.ts";
import { headersOf } from "../headers.ts";
import type { Pipeline } from "../pipeline/pipeline.ts";
import { readBody } from "../request-body.ts";
import { type Headers, respond } from "../respond.ts";
import { decompress } from "./frames.ts";
import { connectFailure } from "./status.ts";
import {
  answerMetadata,
  CONNECT_TIMEOUT,
  type Codec,
  connectTimeout,
  runTyped,
  type TypedOperation,
} from "./unary.ts";

/** Parses `application/json` and `application/proto`; undefined for anything else. */
export function connectCodec(contentType: string): Codec | undefined {
  const match = /^application\/(json|proto)\s*(?:;|$)/i.exec(contentType);
  if (match === null) return undefined;
  return itemAt(match, 1).toLowerCase() === "json" ? "json" : "proto";
}

/** Serves a unary Connect call. Never rejects. */
export async function serveConnect(
  options: { readonly pipeline: Pipeline; readonly maxBodyBytes: number },
  request: HttpRequest,
  response: HttpResponse,
  codec: Codec,
  typed: TypedOperation,
): Promise<void> {
  const headers = headersOf(request);
  const { pipeline, maxBodyBytes } = options;
  const arrival = {
    wire: "connect" as const,
    headers,
    deadline: connectTimeout(headers.get(CONNECT_TIMEOUT)),
  };
  const answer = await pipeline.serve(typed.operation, arrival, async (call) => {
    response.once("close", () => call.closed());
    const read = async () =>
      decompress(await readBody(request, maxBodyBytes, call), headers.get("content-encoding"), maxBodyBytes);
    return runTyped(pipeline, call, typed, { codec, headers, read });
  });
  const sent: Headers = answerMetadata(answer.call, answer.seconds);
  if (answer.error === undefined)
    return respond(request, response, 200, { ...sent, "Content-Type": `application/${codec}` }, answer.value);
  const { http, text } = connectFailure(answer.error);
  return respond(
    request,
    response,
    http,
    { ...sent, ...retryAfter(answer.error), "Content-Type": "application/json" },
    text,
  );
}
