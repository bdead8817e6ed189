import type { Dispatcher } from "undici";
import { codeOf } from "../../base/faults.ts";
import { loadOnce } from "../../base/load-once.ts";
import { invalidArgument, ServiceError } from "../../domain/errors.ts";
import type { GatewayProvider, GatewayRoute } from "./routes.ts";

/** Base URLs of the providers, as for their SDKs. */
export type GatewayUrls = Readonly<Partial<Record<GatewayProvider, string>>>;

const CONNECT_MS = 10_000;
/** Timeout until an answer begins: a model may think for long. */
const HEADERS_MS = 15 * 60_000;
/** Idle timeout within an answer. */
const SILENCE_MS = 10 * 60_000;
const KEEP_ALIVE_MS = 4000;
const MAX_HEADER_BYTES = 64 * 1024;
/** Limit of informational answers (1xx) before the answer itself. */
const MAX_INFORMATIONAL = 100;
/** Limit of connections to one provider; further requests wait. */
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
  /** Including its question mark, as sent. */
  readonly query: string;
  /** Names and values, alternating. */
  readonly headers: string[];
  readonly body: Buffer;
}

/** Receives a provider's answer. */
export interface AnswerSink {
  head(status: number, headers: readonly string[]): void;
  /** Reading pauses until the promise is settled. */
  chunk(bytes: Buffer): Promise<void> | undefined;
  end(trailers: Readonly<Record<string, string>>): Promise<void>;
}

/** Calls only the configured providers: a caller cannot name a host. */
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
   * Sends a request and streams the answer to `sink`. Rejects with a ServiceError for a missing or incomplete
   * answer, and with the reason of `signal`.
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
  let informational = 0;
  return {
    onRequestStart: (controller) => {
      const stop = () => controller.abort(signal.reason);
      if (signal.aborted) return stop();
      signal.addEventListener("abort", stop, { once: true });
      unfollow = () => signal.removeEventListener("abort", stop);
    },
    onResponseStart: (controller, status) => {
      // informational responses come first
      if (status >= 200) sink.head(status, textsOf(controller.rawHeaders));
      else if (++informational > MAX_INFORMATIONAL)
        controller.abort(new Error(`more than ${MAX_INFORMATIONAL} informational answers`));
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

/** The target of a request: the base URL as for the provider's SDK, and the path after the version. */
function addressOf(base: string, { provider, path }: GatewayRoute): { origin: string; path: string } {
  const { origin, pathname } = new URL(base);
  const folder = pathname.replace(/\/+$/, "");
  // OpenAI's SDK has the version in its base URL, Anthropic's adds it
  const isVersioned = provider === "openai" ? folder !== "" : folder.endsWith("/v1");
  return { origin, path: `${folder}${isVersioned ? "" : "/v1"}/${path}` };
}

/** Header bytes are Latin-1, as in Node. */
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

/** Without a cause: a library's notes about a request may contain its headers. */
function translated(error: unknown, host: string): ServiceError {
  if (error instanceof ServiceError) return error;
  const code = codeOf(error);
  if (UNFIT.has(code)) return invalidArgument("headers", `contain a value that cannot be sent to ${host}`);
  if (LATE.has(code))
    return new ServiceError("DEADLINE_EXCEEDED", `${host} did not answer in time`, { operation: "gateway" });
  const reason = `${host} could not be reached, or ended its answer in the middle (${code || "no code"})`;
  return new ServiceError("UNAVAILABLE", `gateway: ${reason}`, { reason }, { http: 502 });
}
