import { connect as connectHttp2 } from "node:http2";
import {
  type DescMethodUnary,
  fromJson,
  getOption,
  type JsonObject,
  type JsonValue,
  type Message,
  toJson,
} from "@bufbuild/protobuf";
import { ConnectError, type Transport } from "@connectrpc/connect";
import {
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
} from "@connectrpc/connect-node";
import { ErrorDetailSchema } from "../../../gen/ctxdb/v1/error_pb.ts";
import { http } from "../../../gen/google/api/annotations_pb.ts";
import { JSON_OPTIONS } from "../../../src/transport/rest/envelope.ts";

/** The outcome of a call over one protocol: the error code of the specification, the result as JSON. */
export interface Outcome {
  readonly code: string;
  readonly result?: JsonValue | undefined;
  readonly message?: string;
  readonly details?: JsonValue | undefined;
  /** Set for a list that was cut. */
  readonly nextCursor?: string;
}

export interface Client {
  readonly name: string;
  call(method: DescMethodUnary, request: JsonObject, headers: Record<string, string>): Promise<Outcome>;
}

interface HttpAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly text: string;
}

type Send = (
  verb: string,
  path: string,
  headers: Record<string, string>,
  body: string | undefined,
) => Promise<HttpAnswer>;

/** Returns a client for every protocol of a server on `port`. */
export function clientsOf(port: number): Client[] {
  const baseUrl = `http://127.0.0.1:${port}`;
  return [
    rest("REST over HTTP/1.1", overHttp1(baseUrl)),
    rest("REST over HTTP/2", overHttp2(baseUrl)),
    typed(
      "Connect JSON over HTTP/1.1",
      createConnectTransport({ baseUrl, httpVersion: "1.1", useBinaryFormat: false }),
    ),
    typed(
      "Connect proto over HTTP/2",
      createConnectTransport({ baseUrl, httpVersion: "2", useBinaryFormat: true }),
    ),
    typed("gRPC", createGrpcTransport({ baseUrl })),
    typed("gRPC-Web", createGrpcWebTransport({ baseUrl, httpVersion: "1.1" })),
  ];
}

const overHttp1 =
  (baseUrl: string): Send =>
  async (method, path, headers, body) => {
    const answer = await fetch(baseUrl + path, { method, headers, ...(body !== undefined && { body }) });
    return { status: answer.status, headers: Object.fromEntries(answer.headers), text: await answer.text() };
  };

/** HTTP/2 without TLS, with prior knowledge. */
export const overHttp2 =
  (baseUrl: string): Send =>
  (method, path, headers, body) =>
    new Promise((resolve, reject) => {
      const session = connectHttp2(baseUrl);
      session.on("error", reject);
      const stream = session.request({ ":method": method, ":path": path, ...headers });
      const chunks: Buffer[] = [];
      let answered: Record<string, unknown> = {};
      stream.on("response", (found) => {
        answered = found;
      });
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("error", reject);
      stream.on("end", () => {
        session.close();
        const { ":status": status, ...rest } = answered;
        resolve({
          status: Number(status),
          headers: rest as Record<string, string>,
          text: Buffer.concat(chunks).toString(),
        });
      });
      stream.end(body);
    });

function rest(name: string, send: Send): Client {
  return {
    name,
    async call(method, request, headers) {
      const { verb, path, query, body } = restForm(method, request);
      const sent = body === undefined ? headers : { ...headers, "content-type": "application/json" };
      const answer = await send(verb, path + query, sent, body);
      const tree = JSON.parse(answer.text) as {
        result?: JsonObject;
        error?: { code: string; message: string; details?: JsonValue };
      };
      const nextCursor = answer.headers["x-next-cursor"] ?? tree.result?.cursor?.toString();
      if (tree.error === undefined)
        return { code: "OK", result: tree.result, ...(nextCursor !== undefined && { nextCursor }) };
      return tree.error;
    },
  };
}

function restForm(method: DescMethodUnary, request: JsonObject) {
  const rule = getOption(method, http);
  const { case: verb, value } = rule.pattern;
  if (verb === undefined || verb === "custom") throw new Error(`${method.name} has no plain route`);
  const rest = { ...request };
  const path = value.replace(/\{(\w+)\}/g, (_, field: string) => {
    const text = String(rest[field]);
    delete rest[field];
    return encodeURIComponent(text);
  });
  if (rule.body === "*") return { verb: verb.toUpperCase(), path, query: "", body: JSON.stringify(rest) };
  const query = new URLSearchParams(
    Object.entries(rest).map(([field, text]): [string, string] => [field, String(text)]),
  ).toString();
  return { verb: verb.toUpperCase(), path, query: query === "" ? "" : `?${query}`, body: undefined };
}

function typed(name: string, transport: Transport): Client {
  return {
    name,
    async call(method, request, headers) {
      const { input, output } = method;
      const message = fromJson(input, request);
      try {
        const answer = await transport.unary(method, undefined, undefined, headers, message);
        const { cursor, nextCursor = cursor } = answer.message as Message & {
          cursor?: string;
          nextCursor?: string;
        };
        const result = restResult(
          method,
          toJson(output, answer.message as Message, JSON_OPTIONS) as JsonObject,
        );
        return { code: "OK", result, ...(nextCursor !== undefined && { nextCursor }) };
      } catch (error) {
        const detail = ConnectError.from(error).findDetails(ErrorDetailSchema)[0];
        if (detail === undefined) throw error;
        return {
          code: detail.code,
          message: detail.message,
          ...(detail.details && { details: detail.details }),
        };
      }
    },
  };
}

function restResult(method: DescMethodUnary, json: JsonObject): JsonValue | undefined {
  if (method.output.fields.length === 0) return undefined;
  const { responseBody } = getOption(method, http);
  return responseBody === "" ? json : json[responseBody];
}
