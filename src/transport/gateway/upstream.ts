import type { Dispatcher } from "undici";
import { codeOf } from "../../base/faults.ts";
import { loadOnce } from "../../base/load-once.ts";
import { invalidArgument, ServiceError } from "../../domain/errors.ts";
import type { GatewayProvider, GatewayRoute } from "./routes.ts";

/** Base URLs of the providers, as their SDKs are given them. */
export type GatewayUrls = Readonly<Partial<Record<GatewayProvider, string>>>;

const CONNECT_MS = 10_000;
/** Until an answer begins: a model may think for long before it says the first word. */
const HEADERS_MS = 15 * 60_000;
/** Without a byte in the middle of an answer. */
const SILENCE_MS = 10 * 60_000;
const KEEP_ALIVE_MS = 4000;
const MAX_HEADER_BYTES = 64 * 1024;
/** To one provider; further requests wait for their turn. */
const MAX_CONNECTIONS = 1024;
const CONNECTIONS = {
  connections: MAX_CONNECTIONS,
  pipelining: 1,
  connect: { timeout: CONNECT_MS },
  headersTimeout: HEADERS_MS,
  bodyTimeout: SILENCE_MS,
  keepAliveTimeout: KEEP_ALIVE_MS,
  maxHeaderSize: MAX_HEADER_BYTES,
};

export interface Outgoing {
  readonly method: string;
  readonly route: GatewayRoute;
  /** With its question mark, as it was sent. */
  readonly query: string;
  /** Names and values by turns. */
  readonly headers: string[];
  readonly body: Buffer;
}

/** Takes the answer of a provider. */
export interface AnswerSink {
  head(status: number, headers: readonly string[]): void;
  /** Nothing more is read from the provider until the promise is settled. */
  chunk(bytes: Buffer): Promise<void> | undefined;
  end(trailers: Readonly<Record<string, string>>): Promise<void>;
}

/** Calls the providers that are configured, and nobody else: a caller names no host. */
export class Upstream {
  readonly #urls: GatewayUrls;
  #opened: Dispatcher | undefined;
  /** Loaded by the first call. */
  readonly #agent = loadOnce(async () => {
    const { Agent } = await import("undici");
    this.#opened = new Agent(CONNECTIONS);
    return this.#opened;
  });

  constructor(urls: GatewayUrls) {
    this.#urls = urls;
  }

  serves(provider: GatewayProvider): boolean {
    return this.#urls[provider] !== undefined;
  }

  /**
   * Sends a request and hands the answer to `sink` as it comes. Rejects with a ServiceError where there is no
   * answer or only a part of it, and with the reason of `signal`.
   */
  async pass(outgoing: Outgoing, sink: AnswerSink, signal: AbortSignal): Promise<void> {
    const { route, method, headers, body, query } = outgoing;
    const { origin, path } = addressOf(this.#urls[route.provider] ?? "", route);
    const agent = await this.#agent();
    signal.throwIfAborted();
    const ask: Dispatcher.DispatchOptions = {
      origin,
      path: `${path}${query}`,
      method,
      headers,
      body: body.length === 0 ? null : body,
    };
    try {
      await new Promise<void>((resolve, reject) => {
        agent.dispatch(ask, handlerOf(sink, signal, resolve, reject));
      });
    } catch (error) {
      signal.throwIfAborted();
      throw translated(error, new URL(origin).host);
    }
  }

  async close(): Promise<void> {
    await this.#opened?.destroy();
  }
}

function handlerOf(
  sink: AnswerSink,
  signal: AbortSignal,
  resolve: () => void,
  reject: (error: unknown) => void,
): Dispatcher.DispatchHandler {
  let unfollow = (): void => undefined;
  return {
    onRequestStart: (controller) => {
      const stop = () => controller.abort(signal.reason);
      if (signal.aborted) return stop();
      signal.addEventListener("abort", stop, { once: true });
      unfollow = () => signal.removeEventListener("abort", stop);
    },
    onResponseStart: (controller, status) => {
      // what comes before the answer itself
      if (status >= 200) sink.head(status, textsOf(controller.rawHeaders));
    },
    onResponseData: (controller, chunk) => {
      const taken = sink.chunk(chunk);
      if (taken === undefined) return;
      controller.pause();
      taken.then(
        () => controller.resume(),
        (error: Error) => controller.abort(error),
      );
    },
    onResponseEnd: (_, trailers) => {
      unfollow();
      sink.end(trailersOf(trailers)).then(resolve, reject);
    },
    onResponseError: (_, error) => {
      unfollow();
      reject(error);
    },
  };
}

/** Where a request goes: the base URL as the SDK of the provider has it, and the path behind the version. */
function addressOf(base: string, { provider, path }: GatewayRoute): { origin: string; path: string } {
  const { origin, pathname } = new URL(base);
  const folder = pathname.replace(/\/+$/, "");
  // the SDK of OpenAI has the version in its base URL, that of Anthropic adds it
  const isVersioned = provider === "openai" ? folder !== "" : folder.endsWith("/v1");
  return { origin, path: `${folder}${isVersioned ? "" : "/v1"}/${path}` };
}

/** Header bytes are Latin-1, as Node writes and reads them. */
const textsOf = (raw: unknown): string[] =>
  Array.isArray(raw)
    ? raw.map((item: unknown) => (Buffer.isBuffer(item) ? item.toString("latin1") : String(item)))
    : [];

const trailersOf = (trailers: object): Record<string, string> =>
  Object.fromEntries(Object.entries(trailers).map(([name, value]) => [name, String(value)]));

const LATE: ReadonlySet<unknown> = new Set([
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
  "UND_ERR_CONNECT_TIMEOUT",
]);
const UNFIT: ReadonlySet<unknown> = new Set(["UND_ERR_INVALID_ARG", "UND_ERR_NOT_SUPPORTED"]);

/** Without a cause: what a library notes of a request may hold its headers. */
function translated(error: unknown, host: string): ServiceError {
  if (error instanceof ServiceError) return error;
  const code = codeOf(error);
  if (UNFIT.has(code)) return invalidArgument("headers", `cannot be sent to ${host}`);
  if (LATE.has(code))
    return new ServiceError("DEADLINE_EXCEEDED", `${host} did not answer in time`, { operation: "gateway" });
  const reason = `${host} could not be reached, or ended its answer in the middle (${code || "no code"})`;
  return new ServiceError("UNAVAILABLE", `gateway: ${reason}`, { reason }, { http: 502 });
}
