import { type DescMessage, fromBinary, fromJson, type JsonValue, type Message } from "@bufbuild/protobuf";
import { EventLoopYielder } from "../../base/event-loop.ts";
import { itemAt, present } from "../../base/expect.ts";
import { invalidArgument, ServiceError } from "../../domain/errors.ts";
import { MAX_GRPC_ANSWER_BYTES, type RunningCall, type Wire } from "../call.ts";
import type { HeaderView } from "../identity.ts";
import { textIn, unknownNumber } from "../message-fields.ts";
import { isStrict, type UnaryOperation } from "../operation.ts";
import type { Pipeline } from "../pipeline/pipeline.ts";
import { plainWarning, secretWarnings, warningHeader } from "../pipeline/warnings.ts";
import { parseBody } from "../rest/json-body.ts";
import { pathFieldsOf } from "../rest/routes.ts";
import { checkFields } from "../value-count.ts";
import { binarySteps, jsonSteps } from "./encode.ts";

/** Maximum length of a name in an error. */
const MAX_NAME_LENGTH = 80;

/** Encoding of a typed call. */
export type Codec = "proto" | "json";

/** A unary operation as served by gRPC and Connect. */
export interface TypedOperation {
  readonly operation: UnaryOperation;
  /** Request fields for access rules: proto name, and name in the message. */
  readonly pathFields: readonly (readonly [name: string, local: string])[];
}

export function typedOperation(operation: UnaryOperation): TypedOperation {
  const { fields } = operation.method.input;
  const pathFields = pathFieldsOf(operation).map(
    (name) =>
      [
        name,
        present(
          fields.find((field) => field.name === name),
          `field ${name}`,
        ).localName,
      ] as const,
  );
  return { operation, pathFields };
}

/** Runs a unary call from request bytes to response bytes, for an authenticated caller. */
export async function runTyped(
  pipeline: Pipeline,
  call: RunningCall,
  typed: TypedOperation,
  {
    codec,
    headers,
    read,
  }: { readonly codec: Codec; readonly headers: HeaderView; readonly read: () => Promise<Buffer> },
): Promise<Uint8Array> {
  const { operation } = typed;
  pipeline.allowSomewhere(call, operation);
  const bytes = await read();
  // count the decompressed size, which may be a thousand times larger
  call.holdBody(bytes.length);
  const request = await decode(operation.method.input, codec, bytes, isStrict(operation.method));
  const message = await runRequest(pipeline, call, typed, headers, request);
  const answer = await encode(operation.method.output, codec, message);
  if (call.wire === "grpc" && answer.length > MAX_GRPC_ANSWER_BYTES)
    throw tooLargeAnswer(operation, answer.length);
  call.holdAnswer(answer.length);
  return answer;
}

/** Runs a decoded request, with the access checks on its fields. */
export function runRequest(
  pipeline: Pipeline,
  call: RunningCall,
  { operation, pathFields }: TypedOperation,
  headers: HeaderView,
  request: Message,
): Promise<Message> {
  pipeline.admit(
    call,
    operation,
    headers,
    Object.fromEntries(pathFields.map(([name, local]) => [name, textIn(request, local) ?? ""])),
  );
  return pipeline.unary(call, operation, request);
}

const encode = (desc: DescMessage, codec: Codec, message: Message): Promise<Uint8Array> =>
  new EventLoopYielder().through(codec === "proto" ? binarySteps(desc, message) : jsonSteps(desc, message));

/** `isStrictly`: unknown fields are refused (see isStrict). */
async function decode(desc: DescMessage, codec: Codec, bytes: Buffer, isStrictly: boolean): Promise<Message> {
  if (codec === "json") return decodeJson(desc, bytes, isStrictly);
  checkFields(desc, bytes);
  let request: Message;
  try {
    request = fromBinary(desc, bytes);
  } catch {
    throw invalidArgument("request", `is not a valid ${desc.typeName}`);
  }
  const unknown = isStrictly ? unknownNumber(desc, request) : undefined;
  if (unknown !== undefined)
    throw invalidArgument(String(unknown), "is not the number of a field of this operation");
  return request;
}

/** Decodes proto JSON in all its spellings, as generated clients write it. */
async function decodeJson(desc: DescMessage, bytes: Buffer, isStrictly: boolean): Promise<Message> {
  const body = ((await parseBody(bytes)) ?? {}) as JsonValue;
  try {
    return fromJson(desc, body, { ignoreUnknownFields: !isStrictly });
  } catch (error) {
    const unknown = /key "(.*)" is unknown/.exec(String(error))?.[1];
    if (unknown !== undefined)
      throw invalidArgument(plainWarning(unknown, MAX_NAME_LENGTH), "is not a field of this operation");
    const field = /field [\w.]*\.(\w+) from JSON/.exec(String(error))?.[1] ?? "body";
    throw invalidArgument(field, `is not a valid ${desc.typeName}`);
  }
}

function tooLargeAnswer(operation: UnaryOperation, size: number): ServiceError {
  const names = new Set(operation.method.input.fields.map((field) => field.name));
  let advice = "ask for less, or ask over REST";
  if (names.has("offset")) advice = "read it by DownloadContent or in pages by offset and limit";
  else if (names.has("cursor")) advice = "ask for pages by limit and cursor";
  else if (names.has("limit")) advice = "ask for fewer by limit";
  const reason = `the answer has ${size} bytes, more than ${MAX_GRPC_ANSWER_BYTES}: ${advice}`;
  return new ServiceError("RESOURCE_EXHAUSTED", `${operation.name}: ${reason}`, {
    resource: operation.name,
    reason,
  });
}

export const GRPC_TIMEOUT = "grpc-timeout";
export const CONNECT_TIMEOUT = "connect-timeout-ms";
const UNITS: Readonly<Record<string, number>> = { H: 3600, M: 60, S: 1, m: 1e-3, u: 1e-6, n: 1e-9 };

/** Maximum timeout, about 24 days: above it, a timer would fire at once. */
const MAX_TIMEOUT_SECONDS = Math.floor((2 ** 31 - 1) / 1000);

/** Seconds from a grpc-timeout header; undefined if absent or invalid. */
export function grpcTimeout(header: string | undefined): number | undefined {
  const match = header === undefined ? null : /^(\d{1,8})([HMSmun])$/.exec(header);
  return match === null
    ? undefined
    : Math.min(Number(match[1]) * (UNITS[itemAt(match, 2)] ?? 0), MAX_TIMEOUT_SECONDS);
}

/** Seconds from a Connect-Timeout-Ms header. */
export function connectTimeout(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,10}$/.test(header)
    ? Math.min(Number(header) / 1000, MAX_TIMEOUT_SECONDS)
    : undefined;
}

/** Caps timeouts in the headers, because the framework uses them in timers unchecked. */
export function capTimeouts(headers: Headers): void {
  if (grpcTimeout(headers.get(GRPC_TIMEOUT) ?? undefined) === MAX_TIMEOUT_SECONDS)
    headers.set(GRPC_TIMEOUT, `${MAX_TIMEOUT_SECONDS}S`);
  if (connectTimeout(headers.get(CONNECT_TIMEOUT) ?? undefined) === MAX_TIMEOUT_SECONDS)
    headers.set(CONNECT_TIMEOUT, String(MAX_TIMEOUT_SECONDS * 1000));
}

/** Headers (metadata) of every gRPC and Connect response. */
export function answerMetadata(call: RunningCall, seconds: number): Record<string, string> {
  const metadata: Record<string, string> = {
    "x-request-id": call.requestId,
    "x-process-time": seconds.toFixed(6),
  };
  if (call.reply.etag !== undefined) metadata.etag = `"${call.reply.etag}"`;
  const warning = warningHeader(secretWarnings(call.reply));
  if (warning !== undefined) metadata.warning = warning;
  return metadata;
}

export type TypedWire = Extract<Wire, "grpc" | "grpc-web" | "connect">;
