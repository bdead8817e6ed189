import { codeOf } from "../../base/faults.ts";
import {
  type HttpAnswer,
  httpAsk,
  KeptConnections,
  LATE_ANSWER,
  LATE_CONNECTION,
} from "../../base/http-client.ts";
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
/** Limit of connections to one provider; further requests wait. */
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
  readonly #connections = new KeptConnections(KEEP_ALIVE_MS, MAX_CONNECTIONS);

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

/** Rejects if the answer breaks off, or the sink takes no more of it. */
async function passOn(message: HttpAnswer["message"], sink: AnswerSink): Promise<void> {
  sink.head(message.statusCode ?? 0, message.rawHeaders);
  for await (const chunk of message as AsyncIterable<Buffer>) await sink.chunk(chunk);
  await sink.end(trailersOf(message.trailers));
}

/** The target of a request: the base URL as for the provider's SDK, and the path after the version. */
function addressOf(base: string, { provider, path }: GatewayRoute): { origin: URL; path: string } {
  const { origin, pathname } = new URL(base);
  const folder = pathname.replace(/\/+$/, "");
  // OpenAI's SDK has the version in its base URL, Anthropic's adds it
  const isVersioned = provider === "openai" ? folder !== "" : folder.endsWith("/v1");
  return { origin: new URL(origin), path: `${folder}${isVersioned ? "" : "/v1"}/${path}` };
}

const trailersOf = (trailers: NodeJS.Dict<string>): Record<string, string> =>
  Object.fromEntries(Object.entries(trailers).map(([name, value]) => [name, value ?? ""]));

const LATE: ReadonlySet<unknown> = new Set([LATE_ANSWER, LATE_CONNECTION]);
const UNFIT: ReadonlySet<unknown> = new Set([
  "ERR_INVALID_CHAR",
  "ERR_INVALID_HTTP_TOKEN",
  "ERR_UNESCAPED_CHARACTERS",
]);

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
