import { fieldOf, textField } from "../../base/capture/captured-message.ts";
import { messageOf } from "../../base/faults.ts";
import type { Profile } from "../profiles.ts";

const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

export interface RestAnswer {
  readonly http: number;
  readonly result?: unknown;
  /** Error code of the API. */
  readonly code?: string;
  readonly message?: string;
  /** The field of the request that the error concerns. */
  readonly field?: string;
}

/** A temporary failure: the server is unreachable or overloaded, or needs another key. */
export class Unreachable extends Error {
  /** Error code of the API; undefined if the server did not respond. */
  readonly code: string | undefined;

  constructor(message: string, code?: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Calls the REST API directly, because loading the client package takes longer than a hook may run. Throws
 * Unreachable.
 */
export async function restCall(
  target: Profile,
  agent: string,
  { method, path, body, signal }: RestCall,
): Promise<RestAnswer> {
  const who = {
    "X-API-Key": target.key,
    "X-Ctx-Agent": target.agent ?? agent,
    "X-Ctx-Account": target.account,
    "X-Ctx-User": target.user,
  };
  const said = Object.entries(who).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const headers = { "Content-Type": "application/json", ...Object.fromEntries(said) };
  // in Bun, which runs opencode's plugins, a signal does not abort a request of node:http
  const send = process.versions.bun === undefined ? byHttp : byFetch;
  try {
    const url = new URL(`/api/v1/${path}`, target.address);
    return answerOf(await send({ url, method, headers, body: JSON.stringify(body), signal }));
  } catch (error) {
    throw new Unreachable(`no answer from ${target.address}: ${messageOf(error)}`);
  }
}

interface RestCall {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body: unknown;
  readonly signal: AbortSignal;
}

interface HttpCall extends Pick<RestCall, "method" | "signal"> {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface HttpAnswer {
  readonly http: number;
  readonly text: string;
}

async function byHttp({ url, method, headers, body, signal }: HttpCall): Promise<HttpAnswer> {
  const { request } = await (url.protocol === "https:" ? import("node:https") : import("node:http"));
  const length = { "Content-Length": Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: { ...headers, ...length }, signal }, (response) => {
      bodyOf(response).then((text) => resolve({ http: response.statusCode ?? 0, text }), reject);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

async function byFetch({ url, ...call }: HttpCall): Promise<HttpAnswer> {
  // the key must not be sent to a redirect target
  const response = await fetch(url, { ...call, redirect: "manual" });
  if (Number(response.headers.get("content-length")) > MAX_ANSWER_BYTES)
    throw new Error("the answer is too long");
  return { http: response.status, text: await response.text() };
}

async function bodyOf(response: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    bytes += chunk.byteLength;
    if (bytes > MAX_ANSWER_BYTES) throw new Error("the answer is too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Parses a response. Without the API's envelope, it comes from a proxy or an unrelated server. */
function answerOf({ http, text }: HttpAnswer): RestAnswer {
  const tree = parsed(text);
  const error = fieldOf(tree, "error");
  if (http === 200 && fieldOf(tree, "result") !== undefined) return { http, result: fieldOf(tree, "result") };
  return {
    http,
    code: textField(error, "code") ?? "UNAVAILABLE",
    message: textField(error, "message") ?? `status ${http}`,
    field: textField(fieldOf(error, "details"), "field"),
  };
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
