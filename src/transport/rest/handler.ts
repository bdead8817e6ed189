import type { Readable } from "node:stream";
import { create, type Message } from "@bufbuild/protobuf";
import { present } from "../../base/expect.ts";
import { invalidArgument, ServiceError } from "../../domain/errors.ts";
import { clientLeft, type RunningCall } from "../call.ts";
import type { HttpRequest, HttpResponse } from "../connections/connections.ts";
import { retryAfter, toServiceError } from "../errors.ts";
import { headersOf } from "../headers.ts";
import type { HeaderView } from "../identity.ts";
import {
  type DownloadOperation,
  type FeedOperation,
  isStrict,
  type UnaryOperation,
  type UploadOperation,
} from "../operation.ts";
import { type CallAnswer, type Pipeline, secondsSince } from "../pipeline/pipeline.ts";
import { secretWarnings, warningHeader } from "../pipeline/warnings.ts";
import { hasBody, readBody } from "../request-body.ts";
import { drain, type Headers, hasLeft, respond, writeAll, writeHead } from "../respond.ts";
import { bindJson } from "./bind-json.ts";
import { bindQuery, bindText, parseQuery } from "./bind-query.ts";
import type { Dialect, DialectAnswer } from "./dialect.ts";
import { failure, success } from "./envelope.ts";
import { EVENT_HEADERS, eventStream } from "./events.ts";
import { parseBody } from "./json-body.ts";
import { receiveForm } from "./multipart.ts";
import { type Match, pathValues, type Route, type RouteTable } from "./routes.ts";
import { sendFile } from "./send-file.ts";
import { UnknownFields } from "./unknown-fields.ts";

export interface RestOptions {
  readonly pipeline: Pipeline;
  readonly routes: RouteTable;
  readonly maxBodyBytes: number;
  readonly maxUploadBytes: number;
  /** Undefined if only this API is served. */
  readonly dialect?: Dialect | undefined;
}

interface Exchange {
  readonly request: HttpRequest;
  readonly response: HttpResponse;
  readonly headers: HeaderView;
  readonly route: Route;
  readonly path: Readonly<Record<string, string>>;
  readonly query: string;
  readonly unknown: UnknownFields;
}

/** Length in UTF-16 units below which the byte length of a response is not computed. */
const SHORT_TEXT = 1024;
const JSON_TYPE = "application/json; charset=utf-8";
/** Matches application/json and +json types. */
const IS_JSON = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

/** The REST protocol: routes, binding, envelope. Handles every path that no other protocol handles. */
export class RestHandler {
  readonly #options: RestOptions;

  constructor(options: RestOptions) {
    this.#options = options;
  }

  /** `path` and `query`: those of the URL, still encoded. Never rejects. */
  async handle(request: HttpRequest, response: HttpResponse, path: string, query: string): Promise<void> {
    const match = this.#options.routes.find(this.#options.dialect?.path(path) ?? path);
    if (match === undefined)
      return this.refuse(request, response, "unknown route", unknownRoute(request.method ?? "", path));
    const route = match.verbs.get(request.method === "HEAD" ? "GET" : (request.method ?? ""));
    if (route === undefined) return this.#wrongMethod(request, response, path, match);
    let values: Record<string, string>;
    try {
      values = pathValues(route, match.values);
    } catch (error) {
      return this.refuse(request, response, route.operation.name, error);
    }
    return this.#serve({
      request,
      response,
      headers: headersOf(request),
      route,
      path: values,
      query,
      unknown: new UnknownFields(),
    });
  }

  /** Sends an error for a request without an operation. */
  async refuse(
    request: HttpRequest,
    response: HttpResponse,
    operation: string,
    error: unknown,
    headers: Headers = {},
  ): Promise<void> {
    const call = this.#options.pipeline.begin(operation, { wire: "rest", headers: headersOf(request) });
    const answer = await this.#options.pipeline.settle(call, () => Promise.reject(error));
    await sendError(request, response, answer, [], headers);
  }

  async #wrongMethod(
    request: HttpRequest,
    response: HttpResponse,
    path: string,
    match: Match,
  ): Promise<void> {
    const verbs = [...match.verbs.keys()];
    const allow = [...verbs, ...(verbs.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
    const error = invalidArgument("method", `${path} supports only ${allow}`, 405);
    await this.refuse(request, response, "wrong method", error, { Allow: allow });
  }

  async #serve(exchange: Exchange): Promise<void> {
    const { request, response, headers, route, path } = exchange;
    const { operation } = route;
    const answer = await this.#options.pipeline.serve(operation, { wire: "rest", headers }, async (call) => {
      this.#options.pipeline.allow(call, operation, path);
      response.once("close", () => call.closed());
      switch (operation.kind) {
        case "unary":
          return this.#unary(call, operation, await this.#bind(call, exchange));
        case "upload":
          return { message: await this.#receive(call, exchange, operation) };
        case "download":
          return this.#download(call, exchange, operation);
        case "feed":
          return this.#feed(call, exchange, operation);
      }
    });
    const warnings = [...exchange.unknown.warnings, ...secretWarnings(answer.call.reply)];
    if (answer.error !== undefined) return sendError(request, response, answer, warnings);
    if (answer.value === undefined) return;
    const { message, more, output = operation.method.output } = answer.value;
    const facts = { seconds: answer.seconds, warnings, more };
    const { text, nextCursor } = await success(output, message, route.responseBody, facts);
    const refusal = holdText(answer.call, text);
    if (refusal !== undefined) return sendError(request, response, { ...answer, error: refusal }, warnings);
    const sent = answerHeaders(answer, warnings);
    sent["Content-Type"] = JSON_TYPE;
    if (answer.call.reply.etag !== undefined) sent.ETag = `"${answer.call.reply.etag}"`;
    if (nextCursor !== undefined) {
      sent["X-Truncated"] = "true";
      sent["X-Next-Cursor"] = nextCursor;
    }
    await respond(request, response, 200, sent, text);
  }

  async #unary(call: RunningCall, operation: UnaryOperation, request: Message): Promise<DialectAnswer> {
    const run = (asked: UnaryOperation, message: Message) =>
      this.#options.pipeline.unary(call, asked, message);
    const { dialect } = this.#options;
    return dialect
      ? dialect.unary(call, operation, request, run)
      : { message: await run(operation, request) };
  }

  /** Binds query, body and path in this order; later values win. */
  async #bind(call: RunningCall, exchange: Exchange): Promise<Message> {
    const { route, headers, path, query, unknown } = exchange;
    const desc = route.operation.method.input;
    const message = create(desc);
    const { dialect } = this.#options;
    const parameters = parseQuery(query);
    bindQuery(desc, message, dialect?.query(call.caller, parameters) ?? parameters, unknown);
    if (route.body === "") {
      if (hasBody(exchange.request) && !(await this.#isEmptyObject(call, exchange)))
        unknown.add(`the body is not read: ${route.verb} takes its fields from path and query`);
    } else {
      const sent = await this.#readJson(call, exchange);
      this.#options.pipeline.admit(call, route.operation, headers, path);
      const body = sent && dialect ? dialect.body(route.operation.name, call.caller, sent) : sent;
      if (body !== undefined)
        bindJson(desc, message, route.body === "*" ? body : { [route.body]: body }, unknown);
    }
    // clients of another system send fields that this API does not have
    if (unknown.refusal && dialect === undefined && isStrict(route.operation.method)) throw unknown.refusal;
    for (const name of route.variables)
      bindText(desc, message, name, present(path[name], `{${name}} in the path`));
    bindHeader(message, "if_match", route, headers.get("if-match"));
    bindHeader(message, "idempotency_key", route, headers.get("idempotency-key"));
    // a client that reconnects repeats its first query and adds this header
    if (route.operation.kind === "feed") bindHeader(message, "cursor", route, headers.get("last-event-id"));
    return message;
  }

  /**
   * Some clients send `{}` with every DELETE. The body is not read if the operation only warns about unknown
   * fields.
   */
  async #isEmptyObject(call: RunningCall, exchange: Exchange): Promise<boolean> {
    if (!isStrict(exchange.route.operation.method)) return false;
    const sent = await this.#readJson(call, exchange);
    return sent === undefined || Object.keys(sent).length === 0;
  }

  async #readJson(
    call: RunningCall,
    { request, headers }: Exchange,
  ): Promise<Record<string, unknown> | undefined> {
    const bytes = await readBody(request, this.#options.maxBodyBytes, call);
    if (bytes.length === 0) return undefined;
    const type = headers.get("content-type");
    if (type !== undefined && type !== "" && !IS_JSON.test(type))
      throw invalidArgument("Content-Type", "must be application/json");
    const encoding = headers.get("content-encoding") ?? "identity";
    if (encoding !== "identity") throw invalidArgument("Content-Encoding", "must be identity");
    return await parseBody(bytes);
  }

  async #receive(call: RunningCall, exchange: Exchange, operation: UploadOperation): Promise<Message> {
    const { request, query, unknown } = exchange;
    const note = (name: string) => unknown.add(`unknown field: ${name}`);
    try {
      for (const name of parseQuery(query).keys()) note(name);
      const file = await receiveForm(request, this.#options.maxUploadBytes, call, note);
      return await this.#options.pipeline.upload(call, operation, file);
    } finally {
      const body: Readable = request;
      body.unpipe();
    }
  }

  async #feed(call: RunningCall, exchange: Exchange, operation: FeedOperation): Promise<undefined> {
    const { request, response, unknown } = exchange;
    const asked = await this.#bind(call, exchange);
    let failure: { readonly error: unknown } | undefined;
    const messages = this.#options.pipeline.feed(call, operation, asked);
    const events = eventStream(operation.method.output, messages, (error) => {
      failure = { error };
    });
    const begin = () => {
      const sent = answerHeaders({ call, seconds: secondsSince(call.started) }, unknown.warnings);
      writeHead(response, 200, { ...sent, ...EVENT_HEADERS });
    };
    if (request.method === "HEAD") {
      // an error of the first event is sent as a normal error response
      await events.next();
      await events.return(undefined);
      begin();
      response.end();
      return undefined;
    }
    const isTaken = await writeAll(response, begin, events);
    drain(request);
    if (failure) throw failure.error;
    if (!isTaken) throw clientLeft();
    return undefined;
  }

  async #download(
    call: RunningCall,
    exchange: Exchange,
    operation: DownloadOperation,
  ): Promise<DialectAnswer | undefined> {
    const { request, response, headers } = exchange;
    const asked = await this.#bind(call, exchange);
    const saved = await this.#options.dialect?.saved(call, operation, asked);
    if (saved) return saved;
    const stream = await this.#options.pipeline.download(call, operation, asked);
    await sendFile(request, response, stream, headers, () =>
      answerHeaders({ call, seconds: secondsSince(call.started) }, exchange.unknown.warnings),
    );
    return undefined;
  }
}

/** Counts the memory of a response text until it is sent; returns the error if the budget is exceeded. */
function holdText(call: RunningCall, text: string): ServiceError | undefined {
  try {
    call.holdAnswer(text.length < SHORT_TEXT ? text.length : Buffer.byteLength(text));
    return undefined;
  } catch (error) {
    return toServiceError(error);
  }
}

async function sendError(
  request: HttpRequest,
  response: HttpResponse,
  answer: CallAnswer<unknown>,
  warnings: readonly string[],
  more: Headers = {},
): Promise<void> {
  const { error, seconds } = answer;
  if (error === undefined || response.headersSent || hasLeft(response)) return;
  const headers: Headers = {
    ...answerHeaders(answer, warnings),
    ...retryAfter(error),
    "Content-Type": JSON_TYPE,
    ...more,
  };
  if (error.http === 416) headers["Content-Range"] = `bytes */${error.details?.size}`;
  await respond(request, response, error.http, headers, failure(error, { seconds, warnings }));
}

/** X-Process-Time is in seconds as decimal text. */
function answerHeaders(
  { call, seconds }: { call: RunningCall; seconds: number },
  warnings: readonly string[],
): Headers {
  const headers: Headers = { "X-Request-Id": call.requestId, "X-Process-Time": seconds.toFixed(6) };
  const warning = warningHeader(warnings);
  if (warning !== undefined) headers.Warning = warning;
  return headers;
}

function bindHeader(message: Message, name: string, route: Route, value: string | undefined): void {
  if (value === undefined) return;
  const desc = route.operation.method.input;
  if (desc.fields.some((field) => field.name === name)) bindText(desc, message, name, value);
}

function unknownRoute(method: string, path: string): ServiceError {
  const resource = `${method} ${path.slice(0, 200)}`;
  return new ServiceError("NOT_FOUND", `route not found: ${resource}`, { resource, type: "route" });
}
