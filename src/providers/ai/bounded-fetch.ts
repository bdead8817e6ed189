import { codeOf as systemCodeOf } from "../../base/faults.ts";
import { type HttpAnswer, httpAsk, KeptConnections } from "../../base/http-client.ts";
import { ValueCounter } from "../../domain/text/json-values.ts";
import { ProviderFault } from "../fault.ts";

/** Limits of a connection. The caller's signal limits the total time. */
const LIMITS = { connectMs: 10_000, headersMs: 3600_000, silenceMs: 3600_000, maxHeaderBytes: 64 * 1024 };
const IDLE_MS = 4000;
const connections = new KeptConnections(IDLE_MS);
const NEVER = new AbortController().signal;

/** Response limits, and the settings group named in errors. */
export interface Bounds {
  /** Maximum response size in bytes. */
  readonly maxBytes: number;
  /** Maximum number of JSON values and names in a response; the SDK checks each without a yield. */
  readonly maxValues: number;
  /** Prefix of the provider's settings, such as `CTXDB_EMBEDDING`. */
  readonly settings: string;
}

/**
 * `fetch` for a provider's SDK, based on the server's HTTP client. Returns only complete, size-limited bodies
 * with status 200 to 299. Anything else is a ProviderFault, so that the SDK cannot build errors containing
 * texts and headers. Redirects are refused, because they would send the key to another host.
 */
export const boundedFetch =
  (bounds: Bounds) =>
  (input: Parameters<typeof fetch>[0], init?: RequestInit): Promise<Response> =>
    fetchWithin(bounds, input, init);

async function fetchWithin(
  bounds: Bounds,
  input: Parameters<typeof fetch>[0],
  init: RequestInit | undefined,
): Promise<Response> {
  const signal = init?.signal ?? NEVER;
  let answer: HttpAnswer;
  try {
    answer = await asked(new URL(input instanceof Request ? input.url : input), init, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw new ProviderFault("later", `it cannot be reached${codeOf(error)}`);
  }
  const { message, end } = answer;
  const status = message.statusCode ?? 0;
  try {
    if (status < 200 || status > 299) throw refused(message, status, bounds.settings);
    return new Response(await bodyOf(message, bounds, signal), {
      status: status === 203 ? 203 : 200,
      headers: { "content-type": "application/json" },
    });
  } finally {
    end();
  }
}

/** Sends the request; encodes the body as `fetch` does, including forms. */
async function asked(url: URL, init: RequestInit | undefined, signal: AbortSignal): Promise<HttpAnswer> {
  const given = init?.body ?? undefined;
  const encoded = given === undefined ? undefined : new Response(given);
  const headers = new Headers(init?.headers);
  const type = encoded?.headers.get("content-type") ?? undefined;
  if (type !== undefined && !headers.has("content-type")) headers.set("content-type", type);
  headers.set("accept-encoding", "identity");
  headers.delete("content-length");
  return httpAsk(url, {
    method: init?.method ?? "GET",
    headers: [...headers].flat(),
    ...(encoded && { body: Buffer.from(await encoded.arrayBuffer()) }),
    limits: LIMITS,
    connections,
    signal,
  });
}

async function bodyOf(
  message: HttpAnswer["message"],
  { maxBytes, maxValues }: Bounds,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  const values = new ValueCounter();
  let bytes = 0;
  try {
    for await (const part of message as AsyncIterable<Buffer>) {
      bytes += part.length;
      values.add(part);
      if (bytes > maxBytes || values.count > maxValues) break;
      parts.push(part);
    }
  } catch (error) {
    signal.throwIfAborted();
    throw new ProviderFault("later", `its answer was cut off${codeOf(error)}`);
  }
  if (bytes > maxBytes) throw new ProviderFault("input", `its answer is longer than ${maxBytes} bytes`);
  if (values.count > maxValues)
    throw new ProviderFault("input", `its answer has more than ${maxValues} values`);
  return Buffer.concat(parts);
}

/** HTTP statuses that mean the input was refused. */
const INPUT = new Set([400, 413, 422]);
const LATER = new Set([408, 425, 429]);
const KEY = new Set([401, 403]);

function refused({ headers }: HttpAnswer["message"], status: number, settings: string): ProviderFault {
  if (INPUT.has(status)) return new ProviderFault("input", `it refused the input with status ${status}`);
  if (LATER.has(status) || status >= 500)
    return new ProviderFault(
      "later",
      `it answered with status ${status}`,
      retryAfterMs(headers["retry-after"]),
    );
  if (KEY.has(status))
    return new ProviderFault("wrong", `it refused the key with status ${status}: check ${settings}_API_KEY`);
  return new ProviderFault(
    "wrong",
    `it answered with status ${status}: check ${settings}_BASE_URL and ${settings}_MODEL`,
  );
}

/** Retry-After in ms. Only seconds are accepted: a date would depend on two clocks. */
function retryAfterMs(value: string | undefined): number {
  return value !== undefined && /^\d{1,9}$/.test(value.trim()) ? Number(value) * 1000 : 0;
}

/** The system's error code, such as ECONNREFUSED; the message may contain addresses. */
function codeOf(error: unknown): string {
  const code = systemCodeOf(error);
  return /^[A-Z_]{2,40}$/.test(code) ? ` (${code})` : "";
}
