import {
  Agent,
  type ClientRequest,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from "node:http";
import { Agent as TlsAgent, request as tlsRequest } from "node:https";
import type { Readable } from "node:stream";
import { urlToHttpOptions } from "node:url";

/** Timeouts in ms, and the maximum size of the response headers in bytes. */
export interface HttpLimits {
  readonly connectMs: number;
  /** From the established connection to the response headers. */
  readonly headersMs: number;
  /** Idle timeout while the body is read: abort if no bytes arrive. */
  readonly silenceMs: number;
  readonly maxHeaderBytes: number;
}

/** Error codes for exchanges that were ended by a timeout. */
export const LATE_CONNECTION = "ERR_LATE_CONNECTION";
export const LATE_ANSWER = "ERR_LATE_ANSWER";

/** Maximum number of informational responses (1xx) before the final one. */
const MAX_INFORMATIONAL = 100;
/** Methods whose requests declare an empty body with Content-Length: 0. */
const WITH_BODY: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);
/** Number of progress checks per idle timeout. */
const LOOKS = 4;

export interface HttpAsk {
  readonly method: string;
  /** Alternating names and values; headers of the connection and the body are added. */
  readonly headers: readonly string[];
  readonly body?: Uint8Array;
  /** A body that is streamed; replaces `body`. `limits.headersMs` must include the time to send it. */
  readonly source?: { readonly stream: Readable; readonly bytes: number };
  /** Replaces the path and query of the URL; sent unchanged. */
  readonly path?: string;
  readonly limits: HttpLimits;
  readonly signal: AbortSignal;
  readonly lookup?: RequestOptions["lookup"];
  /** If absent, the connection closes with the exchange. */
  readonly connections?: KeptConnections;
}

/** Keep-alive connections that later requests reuse. */
export class KeptConnections {
  readonly #plain: Agent;
  readonly #tls: TlsAgent;

  /**
   * `idleMs`: close connections unused for this time. `most`: maximum connections per host; further requests
   * wait.
   */
  constructor(idleMs: number, most = Number.POSITIVE_INFINITY) {
    const options = { keepAlive: true, timeout: idleMs, maxSockets: most };
    this.#plain = new Agent(options);
    this.#tls = new TlsAgent(options);
  }

  agentOf({ protocol }: URL): Agent {
    return protocol === "https:" ? this.#tls : this.#plain;
  }

  /** Closes all connections, including those in use. */
  close(): void {
    this.#plain.destroy();
    this.#tls.destroy();
  }
}

/** A response whose headers have arrived. The body is read only when the caller reads it. */
export interface HttpAnswer {
  readonly message: IncomingMessage;
  /**
   * Ends the exchange. Must be called once the body is read or no longer needed; repeated calls have no
   * effect.
   */
  readonly end: (reason?: Error) => void;
}

/**
 * Sends a request over HTTP/1.1. Rejects with the connection's error, LATE_CONNECTION or LATE_ANSWER. The
 * body fails with the same errors, and if it is truncated. Redirects are not followed, and bodies are not
 * decoded.
 */
export function httpAsk(url: URL, ask: HttpAsk): Promise<HttpAnswer> {
  const { method, body, source, limits, signal } = ask;
  signal.throwIfAborted();
  const { hostname, port, path, protocol } = urlToHttpOptions(url);
  const isTls = protocol === "https:";
  const bytes = source?.bytes ?? body?.length;
  const hasBody = bytes !== undefined && (bytes > 0 || WITH_BODY.has(method));
  const request = (isTls ? tlsRequest : httpRequest)({
    hostname,
    port,
    path: ask.path ?? path,
    method,
    headers: ["host", url.host, ...ask.headers, ...(hasBody ? ["content-length", String(bytes)] : [])],
    maxHeaderSize: limits.maxHeaderBytes,
    agent: ask.connections?.agentOf(url) ?? false,
    ...(ask.lookup && { lookup: ask.lookup }),
  });
  const exchange = new Exchange(request, limits, signal);
  if (source) {
    request.once("close", () => source.stream.destroy());
    source.stream.on("error", (error) => request.destroy(error));
    source.stream.pipe(request);
  } else request.end(body);
  return exchange.answer(isTls);
}

class Exchange {
  readonly #request: ClientRequest;
  readonly #limits: HttpLimits;
  readonly #signal: AbortSignal;
  #timer: NodeJS.Timeout | undefined;
  #message: IncomingMessage | undefined;
  #informational = 0;
  readonly #abort = () => this.#end(this.#signal.reason);

  constructor(request: ClientRequest, limits: HttpLimits, signal: AbortSignal) {
    this.#request = request;
    this.#limits = limits;
    this.#signal = signal;
    signal.addEventListener("abort", this.#abort, { once: true });
    request.once("close", () => this.#settle());
  }

  answer(isTls: boolean): Promise<HttpAnswer> {
    const request = this.#request;
    return new Promise((resolve, reject) => {
      // after the response headers, errors surface on the body
      request.on("error", reject);
      request.on("information", () => {
        if (++this.#informational > MAX_INFORMATIONAL)
          this.#end(new Error(`more than ${MAX_INFORMATIONAL} informational answers`));
      });
      this.#limit(this.#limits.connectMs, LATE_CONNECTION);
      request.once("socket", (socket) => {
        const connected = () => this.#limit(this.#limits.headersMs, LATE_ANSWER);
        if (socket.connecting) socket.once(isTls ? "secureConnect" : "connect", connected);
        else connected();
      });
      request.once("response", (message) => {
        this.#message = message;
        message.on("error", () => undefined);
        message.once("close", () => this.#settle());
        this.#watch(message);
        resolve({ message, end: (reason) => this.#end(reason) });
      });
      request.once("close", () => reject(failure("the connection ended without an answer", "ECONNRESET")));
    });
  }

  #end(reason?: unknown): void {
    this.#settle();
    const error = reason instanceof Error ? reason : undefined;
    this.#message?.destroy(error);
    this.#request.destroy(error);
  }

  #settle(): void {
    clearInterval(this.#timer);
    this.#signal.removeEventListener("abort", this.#abort);
  }

  #limit(ms: number, code: string): void {
    clearInterval(this.#timer);
    this.#timer = setTimeout(() => this.#end(late(code)), ms).unref();
  }

  /** Enforces the idle timeout. Received bytes that the caller has not read yet do not count as idle time. */
  #watch(message: IncomingMessage): void {
    clearInterval(this.#timer);
    const { silenceMs } = this.#limits;
    let bytes = -1;
    let looks = 0;
    const look = () => {
      const read = message.socket.bytesRead;
      looks = message.readableLength === 0 && read === bytes ? looks + 1 : 0;
      bytes = read;
      if (looks >= LOOKS) this.#end(late(LATE_ANSWER));
    };
    this.#timer = setInterval(look, silenceMs / LOOKS).unref();
  }
}

const failure = (message: string, code: string): Error => Object.assign(new Error(message), { code });

const late = (code: string): Error => failure("the other side is too slow", code);
