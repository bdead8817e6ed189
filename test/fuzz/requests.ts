import {
  create,
  type DescMethod,
  fromJson,
  getOption,
  hasOption,
  type JsonValue,
  toBinary,
} from "@bufbuild/protobuf";
import { http } from "../../gen/google/api/annotations_pb.ts";
import { SERVICES } from "../../src/transport/services.ts";
import type { Random } from "../crash/random.ts";
import { hostileText, jsonOf, mutated } from "./values.ts";

export interface RestRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
}

/** Server streams end when their client disconnects; all other requests must be answered. */
const METHODS = SERVICES.flatMap((service) => service.methods);
const UNARY = METHODS.filter(({ methodKind }) => methodKind === "unary");

/** Derived from the operation's path, so that new operations are fuzzed without a change here. */
export function restRequest(random: Random): RestRequest {
  const method = random.pick(UNARY.filter((one) => hasOption(one, http)));
  const rule = getOption(method, http);
  const { case: kind, value } = rule.pattern;
  const [verb, template] =
    kind === "custom" ? [value.kind, value.path] : [String(kind).toUpperCase(), String(value)];
  const json = jsonOf(random, method.input) as Record<string, unknown>;
  const path = template.replace(/\{([^}=]+)\}/g, (_, name) =>
    encodeURIComponent(wellFormed(String(json[name] ?? random.word()))),
  );
  const hasBody = rule.body !== "";
  const query = new URLSearchParams();
  if (!hasBody || random.chance(0.1))
    for (const [name, one] of Object.entries(json))
      query.append(name, typeof one === "string" ? one : JSON.stringify(one));
  const text = JSON.stringify(json);
  return {
    method: random.chance(0.03) ? random.pick(["PATCH", "OPTIONS", "TRACE", "HEAD", "PURGE"]) : verb,
    path: query.size > 0 ? `${path}?${query}` : path,
    headers: {
      "Content-Type": random.chance(0.9) ? "application/json" : hostileHeader(random),
      ...extraHeaders(random),
    },
    body: hasBody ? jsonBody(random, text) : undefined,
  };
}

function jsonBody(random: Random, text: string): Buffer {
  const kind = random.integer(0, 19);
  if (kind === 0) return Buffer.from("[".repeat(random.integer(10, 100_000)));
  if (kind === 1) return Buffer.from(`{"a":`.repeat(random.integer(10, 5000)));
  if (kind === 2) return mutated(random, Buffer.from(text));
  if (kind === 3) return Buffer.from(text, "utf16le");
  return Buffer.from(text);
}

/** A unary Connect call over the same path as gRPC, in JSON or protobuf. */
export function connectRequest(random: Random): RestRequest {
  const method = random.pick(UNARY);
  const asJson = random.chance(0.5);
  const body = asJson ? Buffer.from(JSON.stringify(jsonOf(random, method.input))) : protobuf(random, method);
  return {
    method: "POST",
    path: pathOf(method),
    headers: {
      "Content-Type": asJson ? "application/json" : "application/proto",
      "Connect-Protocol-Version": random.chance(0.9) ? "1" : hostileHeader(random),
      ...(random.chance(0.2) && {
        "Connect-Timeout-Ms": random.pick(["0", "1", "-5", "99999999999", "abc", "3000"]),
      }),
      ...(random.chance(0.1) && { "Content-Encoding": random.pick(["gzip", "br", "zstd", "identity", "x"]) }),
    },
    body: random.chance(0.2) ? mutated(random, body) : body,
  };
}

export function mcpRequest(random: Random): RestRequest {
  const call = {
    jsonrpc: random.chance(0.95) ? "2.0" : hostileText(random),
    id: random.chance(0.9) ? random.integer(1, 9) : random.pick([null, "x", {}, -1, 1e300]),
    method: random.pick([
      "initialize",
      "tools/list",
      "tools/call",
      "resources/list",
      "resources/read",
      "ping",
      "notifications/x",
      "prompts/get",
    ]),
    params: random.chance(0.7)
      ? {
          name: random.pick(["find", "read", "ls", "add", "remember", "x"]),
          arguments: { uri: hostileText(random), query: hostileText(random) },
        }
      : random.pick([null, [], {}, 7]),
  };
  const batch = random.chance(0.1) ? Array.from({ length: random.integer(0, 40) }, () => call) : call;
  return {
    method: "POST",
    path: "/mcp",
    headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream" },
    body: jsonBody(random, JSON.stringify(batch)),
  };
}

export function multipartRequest(random: Random): RestRequest {
  const boundary = random.chance(0.9) ? "fuzz-boundary" : hostileHeader(random);
  const part = (name: string, file: string, content: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="${file}"\r\n\r\n${content}\r\n`;
  const parts = Array.from({ length: random.integer(0, 4) }, () =>
    part(
      random.pick(["file", "to", "x"]),
      hostileText(random).replaceAll(/[\r\n]/g, ""),
      hostileText(random),
    ),
  );
  const body = Buffer.from(`${parts.join("")}--${boundary}${random.chance(0.8) ? "--\r\n" : ""}`);
  return {
    method: "POST",
    path: random.pick(["/api/v1/resources/temp_upload", "/api/v1/resources", "/api/v1/pack/import"]),
    headers: { "Content-Type": `multipart/form-data; boundary=${boundary}` },
    body: random.chance(0.3) ? mutated(random, body) : body,
  };
}

/** A gRPC or gRPC-Web frame with a request of a random method. */
export function framedRequest(random: Random): { readonly path: string; readonly body: Buffer } {
  const method = random.pick(random.chance(0.8) ? UNARY : METHODS);
  const message = random.chance(0.3) ? mutated(random, protobuf(random, method)) : protobuf(random, method);
  const head = Buffer.alloc(5);
  head[0] = random.chance(0.9) ? 0 : random.integer(0, 255);
  head.writeUInt32BE(random.chance(0.9) ? message.length : random.pick([0, 1, 2 ** 31, 2 ** 32 - 1]), 1);
  const frame = Buffer.concat([head, message]);
  const frames = random.chance(0.1)
    ? Buffer.concat(Array.from({ length: random.integer(2, 30) }, () => frame))
    : frame;
  return {
    path: pathOf(method),
    body: random.chance(0.1) ? frames.subarray(0, random.integer(0, frames.length)) : frames,
  };
}

const pathOf = (method: DescMethod): string => `/${method.parent.typeName}/${method.name}`;

function protobuf(random: Random, { input }: DescMethod): Buffer {
  try {
    return Buffer.from(
      toBinary(input, fromJson(input, jsonOf(random, input) as JsonValue, { ignoreUnknownFields: true })),
    );
  } catch {
    // for values that the schema refuses: any value of the type, mutated
    return mutated(random, Buffer.from(toBinary(input, create(input))));
  }
}

function extraHeaders(random: Random): Record<string, string> {
  if (random.chance(0.7)) return {};
  const name = random.pick([
    "Idempotency-Key",
    "If-Match",
    "If-None-Match",
    "Range",
    "X-Ctx-Account",
    "X-Ctx-User",
    "X-Ctx-Agent",
    "Origin",
    "traceparent",
  ]);
  return { [name]: hostileHeader(random) };
}

/** Makes it printable, so that Node sends it. */
export const hostileHeader = (random: Random): string =>
  random.pick([
    "x",
    '"',
    '"abc"',
    "bytes=0-",
    "bytes=9-1,-5,2-",
    "*",
    "a".repeat(300),
    "null",
    "text/plain; charset=\\",
    "../..",
    "0".repeat(64),
  ]);

const wellFormed = (value: string): string => value.toWellFormed();
