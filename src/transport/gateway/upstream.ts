import { codeOf } from "../../base/faults.ts";
import {
  type HttpAnswer,
  httpAsk,
  KeptConnections,
  LATE_ANSWER,
  LATE_CONNECTION,
} from "../../base/http-client.ts";
import { invalidArgument, ServiceError } from "../../domain/errors.ts";
import { trailersDown } from "./passed-headers.ts";
import type { GatewayProvider, GatewayRoute } from "./routes.ts";

/** Base URLs of the providers, in the form that their SDKs use. */
export type GatewayUrls = Readonly<Partial<Record<GatewayProvider, string>>>;

const CONNECT_MS = 10_000;
/** Timeout in ms until a response starts; a model may think for a long time. */
const HEADERS_MS = 15 * 60_000;
/** Idle timeout in ms within a response. */
const SILENCE_MS = 10 * 60_000;
const KEEP_ALIVE_MS = 4000;
const MAX_HEADER_BYTES = 64 * 1024;
/** Maximum number of connections per provider; further requests wait. */
const MAX_CONNECTIONS = 1024;
const LIMITS = {
  connectMs: CONNECT_MS,
  headersMs: HEADERS_MS,
  silenceMs: SILENCE_MS,
  maxHeaderBytes: MAX_HEADER_BYTES,
};

export interface Outgoing {
  readonly method: string;
  readonly route: GatewayRoute;
  /** Including the question mark, as sent by the caller. */
  readonly query: string;
  /** Alternating names and values. */
  readonly headers: string[];
  readonly body: Buffer;
}

/** Receives a provider's response. */
export interface AnswerSink {
  head(status: number, headers: readonly string[]): void;
  /** Reading pauses until the promise is settled. */
  chunk(bytes: Buffer): Promise<void> | undefined;
  end(trailers: Readonly<Record<string, string>>): Promise<void>;
}

/** Calls only the configured providers; a caller cannot choose the host. */
export class Upstream {
  readonly #urls: GatewayUrls;
  readonly #connections = new KeptConnections(KEEP_ALIVE_MS, MAX_CONNECTIONS);

  constructor(urls: GatewayUrls) {
    this.#urls = urls;
  }

  serves(provider: GatewayProvider): boolean {
    return this.#urls[provider] !== undefined;
  }

  /**
   * Sends a request and streams the response to `sink`. Rejects with a ServiceError if the response is
   * missing or incomplete, and with the reason of `signal`.
   */
  async pass(outgoing: Outgoing, sink: AnswerSink, signal: AbortSignal): Promise<void> {
    const { route, method, headers, body, query } = outgoing;
    const { origin, path } = addressOf(this.#urls[route.provider] ?? "", route);
    const connections = this.#connections;
    const ask = { method, headers, body, path: `${path}${query}`, limits: LIMITS, connections, signal };
    try {
      const { message, end } = await httpAsk(origin, ask);
      try {
        await passOn(message, sink);
      } finally {
        end();
      }
    } catch (error) {
      signal.throwIfAborted();
      throw translated(error, origin.host);
    }
  }

  close(): Promise<void> {
    this.#connections.close();
    return Promise.resolve();
  }
}

/** Rejects if the response is truncated, or the sink fails. */
async function passOn(message: HttpAnswer["message"], sink: AnswerSink): Promise<void> {
  sink.head(message.statusCode ?? 0, message.rawHeaders);
  for await (const chunk of message as AsyncIterable<Buffer>) await sink.chunk(chunk);
  await sink.end(trailersDown(message.rawTrailers));
}

/** URL of a request: the base URL in the form of the provider's SDK, and the path after the version. */
function addressOf(base: string, { provider, path }: GatewayRoute): { origin: URL; path: string } {
  const { origin, pathname } = new URL(base);
  const folder = pathname.replace(/\/+$/, "");
  // OpenAI's SDK expects the version in the base URL, Anthropic's adds it
  const isVersioned = provider === "openai" ? folder !== "" : folder.endsWith("/v1");
  return { origin: new URL(origin), path: `${folder}${isVersioned ? "" : "/v1"}/${path}` };
}

const LATE: ReadonlySet<unknown> = new Set([LATE_ANSWER, LATE_CONNECTION]);
const UNFIT: ReadonlySet<unknown> = new Set([
  "ERR_INVALID_CHAR",
  "ERR_INVALID_HTTP_TOKEN",
  "ERR_UNESCAPED_CHARACTERS",
]);

/** Converts an error without its cause, which may contain request headers. */
function translated(error: unknown, host: string): ServiceError {
  if (error instanceof ServiceError) return error;
  const code = codeOf(error);
  if (UNFIT.has(code))
    return invalidArgument("headers", `must not contain values that cannot be sent to ${host}`);
  if (LATE.has(code))
    return new ServiceError("DEADLINE_EXCEEDED", `${host} did not answer in time; try again later`, {
      operation: "gateway",
    });
  const reason = `${host} could not be reached, or ended its answer in the middle (${code || "no code"})`;
  return new ServiceError("UNAVAILABLE", `gateway: ${reason}`, { reason }, { http: 502 });
}
