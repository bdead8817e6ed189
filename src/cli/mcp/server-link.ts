import type { JSONRPCMessage, JSONRPCRequest } from "@modelcontextprotocol/server";
import { codeOf } from "../../base/faults.ts";
import type { Profile } from "../profiles.ts";
import { eventMessages } from "./event-messages.ts";

export type McpMessage = JSONRPCMessage;

/** Passes a message to the agent; resolves when the agent has accepted it. */
export type Deliver = (message: unknown) => Promise<void>;

/** Maximum message size in bytes; above the server's body limit, so that the server reports the error. */
export const MOST_MESSAGE_BYTES = 80 * 1024 * 1024;
/** Idle timeout in ms: longer than the request timeout and the heartbeat interval of the server. */
const SILENCE_MS = 120_000;
const BRIDGE_ERROR = -32_000;
/** Initial and maximum delay in ms before reopening a stream of notices. */
const AGAIN_MS = { first: 1000, most: 60_000 } as const;
/** Methods after which the server may send notices. */
const LISTEN = "subscriptions/listen";
const INITIALIZED = "notifications/initialized";
const EVENTS = "text/event-stream";

/** Whether a value is a JSON-RPC message; the server validates its content. */
export function isMessage(value: unknown): value is McpMessage {
  if (typeof value !== "object" || value === null || !("jsonrpc" in value) || value.jsonrpc !== "2.0")
    return false;
  return ("method" in value && typeof value.method === "string") || "id" in value;
}

const isRequest = (message: McpMessage): message is JSONRPCRequest =>
  "method" in message &&
  "id" in message &&
  (typeof message.id === "string" || typeof message.id === "number");

const VERSION = "io.modelcontextprotocol/protocolVersion";
/** Values that need no encoding in a header. */
const PLAIN = /^(?!=\?)[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/**
 * Headers that MCP revision 2026-07-28 requires: the method, and the name of the tool or resource. Empty for
 * messages of other revisions.
 */
function headersOf(message: McpMessage): Record<string, string> {
  if (!("method" in message)) return {};
  const { _meta: meta, name, uri } = message.params ?? {};
  const version = typeof meta === "object" && meta !== null && VERSION in meta ? meta[VERSION] : undefined;
  if (typeof version !== "string" || !PLAIN.test(version)) return {};
  const subject = message.method === "resources/read" ? uri : name;
  const headers = { "MCP-Protocol-Version": version, "Mcp-Method": encoded(message.method) };
  return typeof subject === "string" ? { ...headers, "Mcp-Name": encoded(subject) } : headers;
}

const encoded = (text: string): string =>
  PLAIN.test(text) ? text : `=?base64?${Buffer.from(text).toString("base64")}?=`;

/** The HTTP side of the bridge: one POST per message, and a GET for notices in earlier revisions. */
export class Link {
  #target: Profile;
  readonly #deliver: Deliver;
  readonly #renew: (() => Promise<Profile>) | undefined;
  /** Headers negotiated by the handshake of earlier revisions. */
  readonly #agreed: Record<string, string> = {};
  /** Running requests by id. Aborting one closes its connection, which cancels it on the server. */
  readonly #aborts = new Map<unknown, AbortController>();
  readonly #streams = new Set<AbortController>();

  /** `renew` returns another server if the first stops listening. */
  constructor(target: Profile, deliver: Deliver, renew?: () => Promise<Profile>) {
    this.#target = target;
    this.#deliver = deliver;
    this.#renew = renew;
  }

  /** Sends a message, and delivers its response or an error. */
  async post(message: McpMessage): Promise<void> {
    const method = "method" in message ? message.method : undefined;
    if (method === "notifications/cancelled" && "params" in message)
      this.#aborts.get(message.params?.requestId)?.abort();
    const id = isRequest(message) ? message.id : undefined;
    const abort = new AbortController();
    if (id !== undefined) this.#aborts.set(id, abort);
    if (method === LISTEN) this.#streams.add(abort);
    try {
      await this.#exchange(message, abort);
      if (method === INITIALIZED) void this.#followNotices();
    } catch (error) {
      const answer =
        abort.signal.aborted && !isSilence(abort) ? undefined : failed(message, this.#reason(error));
      if (answer !== undefined) await this.#deliver(answer);
    } finally {
      if (id !== undefined) this.#aborts.delete(id);
      this.#streams.delete(abort);
    }
  }

  /** Closes the streams that do not end by themselves. */
  endStreams(): void {
    for (const abort of this.#streams) abort.abort();
  }

  async #exchange(message: McpMessage, abort: AbortController): Promise<void> {
    const silence = new Silence(abort);
    try {
      const init = { method: "POST", body: JSON.stringify(message), signal: abort.signal };
      const response = await this.#fetch(init, { "Content-Type": "application/json", ...headersOf(message) });
      this.#agree(message, response);
      if (isEvents(response)) return await this.#pass(message, silence.heard(response.body));
      const text = await response.text();
      if (!isRequest(message)) return;
      const answer = parsed(text);
      const url = new URL("/mcp", this.#target.address);
      const wrong = `${url} answered with HTTP status ${response.status}: it does not seem to be a ctxdb server`;
      await this.#deliver(answer ? { ...answer, jsonrpc: "2.0", id: message.id } : failed(message, wrong));
      const version = answer?.result?.protocolVersion;
      // later requests must send the negotiated version
      if (message.method === "initialize" && typeof version === "string")
        this.#agreed["MCP-Protocol-Version"] = version;
    } finally {
      silence.end();
    }
  }

  /** Delivers all messages of a response stream. */
  async #pass(message: McpMessage, body: AsyncIterable<Uint8Array>): Promise<void> {
    let isAnswered = !isRequest(message);
    for await (const part of eventMessages(body, MOST_MESSAGE_BYTES)) {
      if (!isMessage(part)) continue;
      if (!("method" in part) && "id" in message && part.id === message.id) isAnswered = true;
      await this.#deliver(part);
    }
    if (!isAnswered) await this.#deliver(failed(message, "the answer ended before it was complete"));
  }

  /** Delivers the notices that earlier revisions send on a separate stream, until the input ends. */
  async #followNotices(): Promise<void> {
    const ended = new AbortController();
    this.#streams.add(ended);
    let waitMs: number = AGAIN_MS.first;
    while (!ended.signal.aborted) {
      const abort = new AbortController();
      const end = () => abort.abort();
      ended.signal.addEventListener("abort", end);
      const silence = new Silence(abort);
      try {
        const response = await this.#fetch({ method: "GET", signal: abort.signal }, {});
        if (!isEvents(response)) {
          await response.body?.cancel();
          // the server does not support such a stream
          if (response.status === 405) return;
        } else {
          waitMs = AGAIN_MS.first;
          for await (const part of eventMessages(silence.heard(response.body), MOST_MESSAGE_BYTES))
            if (isMessage(part)) await this.#deliver(part);
        }
      } catch {
        // the agent's next request reports the error
      } finally {
        silence.end();
        ended.signal.removeEventListener("abort", end);
      }
      await pause(waitMs, ended.signal);
      waitMs = Math.min(2 * waitMs, AGAIN_MS.most);
    }
  }

  /**
   * Sends a request. If the connection is refused, retries with another server; this never sends a request
   * twice.
   */
  async #fetch(init: RequestInit, more: Record<string, string>): Promise<Response> {
    const ask = () => {
      const { address, key, agent, account, user } = this.#target;
      const who = { "X-API-Key": key, "X-Ctx-Agent": agent, "X-Ctx-Account": account, "X-Ctx-User": user };
      const said = Object.entries(who).filter((entry): entry is [string, string] => entry[1] !== undefined);
      const accepted = init.method === "GET" ? EVENTS : `application/json, ${EVENTS}`;
      const headers = { Accept: accepted, ...Object.fromEntries(said), ...this.#agreed, ...more };
      // do not follow redirects: that would send the key to another host
      return fetch(new URL("/mcp", address), { ...init, headers, redirect: "manual" });
    };
    const renew = this.#renew;
    if (renew === undefined) return ask();
    return ask().catch(async (error: unknown) => {
      if (causeOf(error) !== "ECONNREFUSED") throw error;
      this.#target = await renew();
      return ask();
    });
  }

  /** Stores the session id, which later requests of earlier revisions must send. */
  #agree(message: McpMessage, { headers }: Response): void {
    const session = headers.get("mcp-session-id");
    if ("method" in message && message.method === "initialize" && session !== null)
      this.#agreed["Mcp-Session-Id"] = session;
  }

  #reason(error: unknown): string {
    const { address } = this.#target;
    if (error instanceof Error && error.name === "TimeoutError")
      return `no answer from ${address} within ${SILENCE_MS / 1000} s`;
    return `no answer from ${address} (${causeOf(error)}): is the server running there?`;
  }
}

/** Aborts a request after the idle timeout. */
class Silence {
  readonly #timer: NodeJS.Timeout;

  constructor(abort: AbortController) {
    const late = () => abort.abort(new DOMException("the server is silent", "TimeoutError"));
    this.#timer = setTimeout(late, SILENCE_MS);
  }

  async *heard(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of body) {
      this.#timer.refresh();
      yield piece;
    }
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

const isSilence = ({ signal }: AbortController): boolean =>
  signal.reason instanceof Error && signal.reason.name === "TimeoutError";

const isEvents = (
  response: Response,
): response is Response & { readonly body: NonNullable<Response["body"]> } =>
  response.ok && response.body !== null && response.headers.get("content-type")?.startsWith(EVENTS) === true;

function causeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : undefined;
  return cause ? codeOf(cause) || cause.message : String(error);
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    if (signal.aborted) end();
    else signal.addEventListener("abort", end);
  });

function parsed(text: string): { readonly result?: { readonly protocolVersion?: unknown } } | undefined {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && value !== null && value.jsonrpc === "2.0" ? value : undefined;
  } catch {
    return undefined;
  }
}

/** An error response to a request; undefined for a notification. */
export function failed(message: McpMessage, reason: string): McpMessage | undefined {
  if (!isRequest(message)) return undefined;
  return { jsonrpc: "2.0", id: message.id, error: { code: BRIDGE_ERROR, message: reason } };
}
