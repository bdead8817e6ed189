import type { Readable, Writable } from "node:stream";
import type { JSONRPCMessage, JSONRPCRequest } from "@modelcontextprotocol/server";
import { codeOf } from "../base/faults.ts";
import { jsonLines, writeLine } from "./json-lines.ts";
import type { Profile } from "./profiles.ts";

/** The agent's side. */
export interface McpStreams {
  readonly in: Readable;
  readonly out: Writable;
  /** Writes one line to stderr, which MCP clients show or log. */
  readonly note: (line: string) => void;
}

/** Limit of pending requests; the server has its own limits. */
const MOST_PENDING = 64;
/** Above the server's limit of a body. */
const MOST_MESSAGE_BYTES = 80 * 1024 * 1024;
/** Above the server's time limit of a request. */
const ANSWER_MS = 120_000;
const BRIDGE_ERROR = -32_000;

/**
 * Forwards MCP messages between the two streams and /mcp of a running server, until the input ends and all
 * requests are answered. The SDK is not loaded: agents wait for this program to start.
 */
export async function bridgeMcp(target: Profile, { in: input, out, note }: McpStreams): Promise<void> {
  const link = new Link(target);
  const pending = new Set<Promise<void>>();
  const carry = async (message: JSONRPCMessage) => {
    const answer =
      pending.size < MOST_PENDING
        ? await link.post(message)
        : failed(message, `more than ${MOST_PENDING} requests at once: wait for answers first`);
    if (answer !== undefined) await writeLine(out, answer);
  };
  for await (const line of jsonLines(input, MOST_MESSAGE_BYTES)) {
    if ("fault" in line || !isMessage(line.value)) {
      note(`cannot read a message: ${"fault" in line ? line.fault : "it is not JSON-RPC 2.0"}`);
      continue;
    }
    const work: Promise<void> = carry(line.value)
      .catch((error: unknown) => note(`cannot send an answer: ${String(error)}`))
      .finally(() => pending.delete(work));
    pending.add(work);
  }
  await Promise.allSettled(pending);
}

/** Whether a value has the form of a message; the server checks its content. */
function isMessage(value: unknown): value is JSONRPCMessage {
  if (typeof value !== "object" || value === null || !("jsonrpc" in value) || value.jsonrpc !== "2.0")
    return false;
  return ("method" in value && typeof value.method === "string") || "id" in value;
}

const isRequest = (message: JSONRPCMessage): message is JSONRPCRequest =>
  "method" in message &&
  "id" in message &&
  (typeof message.id === "string" || typeof message.id === "number");

const VERSION = "io.modelcontextprotocol/protocolVersion";
/** Values that a header can hold unencoded. */
const PLAIN = /^(?!=\?)[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/**
 * The headers that revision 2026-07-28 requires over HTTP: method, and name of the tool or resource. Empty
 * for messages of other revisions.
 */
function headersOf(message: JSONRPCMessage): Record<string, string> {
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

/** The HTTP side: one POST for each message. */
class Link {
  readonly #url: URL;
  readonly #address: string;
  readonly #headers: Record<string, string>;
  /**
   * Aborts pending requests locally: the server is stateless, so there is nobody to send the protocol's
   * notice to.
   */
  readonly #aborts = new Map<unknown, AbortController>();

  constructor({ address, key, agent, account, user }: Profile) {
    this.#url = new URL("/mcp", address);
    this.#address = address;
    const who = { "X-API-Key": key, "X-Ctx-Agent": agent, "X-Ctx-Account": account, "X-Ctx-User": user };
    const said = Object.entries(who).filter((entry): entry is [string, string] => entry[1] !== undefined);
    this.#headers = {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      ...Object.fromEntries(said),
    };
  }

  /** The answer to a request, or an error; undefined for a notification. Never rejects. */
  async post(message: JSONRPCMessage): Promise<JSONRPCMessage | undefined> {
    if ("method" in message && message.method === "notifications/cancelled")
      this.#cancel(message.params?.requestId);
    const id = isRequest(message) ? message.id : undefined;
    const abort = new AbortController();
    if (id !== undefined) this.#aborts.set(id, abort);
    try {
      const signal = AbortSignal.any([abort.signal, AbortSignal.timeout(ANSWER_MS)]);
      const response = await fetch(this.#url, {
        method: "POST",
        headers: { ...this.#headers, ...headersOf(message) },
        body: JSON.stringify(message),
        signal,
      });
      return await this.#answer(message, response);
    } catch (error) {
      return abort.signal.aborted ? undefined : failed(message, this.#reason(error));
    } finally {
      if (id !== undefined) this.#aborts.delete(id);
    }
  }

  async #answer(message: JSONRPCMessage, response: Response): Promise<JSONRPCMessage | undefined> {
    const text = await response.text();
    if (!isRequest(message)) return undefined;
    const answer = parsed(text);
    if (answer === undefined)
      return failed(
        message,
        `${this.#url} answered with HTTP status ${response.status}: it does not seem to be a ctxdb server`,
      );
    const version = answer.result?.protocolVersion;
    // later requests name the negotiated version
    if (message.method === "initialize" && typeof version === "string")
      this.#headers["MCP-Protocol-Version"] = version;
    return { ...answer, jsonrpc: "2.0", id: message.id } as JSONRPCMessage;
  }

  #cancel(id: unknown): void {
    this.#aborts.get(id)?.abort();
  }

  #reason(error: unknown): string {
    if (error instanceof Error && error.name === "TimeoutError")
      return `no answer from ${this.#address} within ${ANSWER_MS / 1000} s`;
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : undefined;
    const reason = cause ? codeOf(cause) || cause.message : String(error);
    return `no answer from ${this.#address} (${reason}): is the server running there?`;
  }
}

function parsed(text: string): { readonly result?: { readonly protocolVersion?: unknown } } | undefined {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && value !== null && value.jsonrpc === "2.0" ? value : undefined;
  } catch {
    return undefined;
  }
}

/** An error as the answer to a request; undefined for a notification. */
function failed(message: JSONRPCMessage, reason: string): JSONRPCMessage | undefined {
  if (!isRequest(message)) return undefined;
  return { jsonrpc: "2.0", id: message.id, error: { code: BRIDGE_ERROR, message: reason } };
}
