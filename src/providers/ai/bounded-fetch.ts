import { ProviderFault } from "../fault.ts";

/** Response limits, and the setting named in errors. */
export interface Bounds {
  /** Response size in bytes. */
  readonly maxBytes: number;
  /** Prefix of the provider's settings: `CTXDB_EMBEDDING`. */
  readonly settings: string;
}

/**
 * `fetch` for a provider's SDK. Returns only complete, bounded bodies of status 200 to 299; all else is a
 * ProviderFault, before the SDK can build an error with texts and headers. Redirects are refused: they would
 * carry the key to another host.
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
  let answer: Response;
  try {
    answer = await fetch(input, { ...init, redirect: "manual" });
  } catch (error) {
    init?.signal?.throwIfAborted();
    throw new ProviderFault("later", `it cannot be reached${codeOf(error)}`);
  }
  if (!answer.ok) {
    await answer.body?.cancel().catch(() => undefined);
    throw refused(answer, bounds.settings);
  }
  const { status } = answer;
  return new Response(await bodyOf(answer, bounds.maxBytes, init?.signal), {
    status,
    headers: { "content-type": "application/json" },
  });
}

async function bodyOf(
  answer: Response,
  maxBytes: number,
  signal: AbortSignal | null | undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const part of answer.body ?? []) {
      bytes += part.length;
      if (bytes > maxBytes) break;
      parts.push(part);
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw new ProviderFault("later", `its answer broke off${codeOf(error)}`);
  }
  if (bytes > maxBytes) throw new ProviderFault("input", `its answer is longer than ${maxBytes} bytes`);
  return Buffer.concat(parts);
}

/** Statuses that mean the input was refused. */
const INPUT = new Set([400, 413, 422]);
const LATER = new Set([408, 425, 429]);
const KEY = new Set([401, 403]);

function refused({ status, headers }: Response, settings: string): ProviderFault {
  if (INPUT.has(status)) return new ProviderFault("input", `it refused the input with status ${status}`);
  if (LATER.has(status) || status >= 500)
    return new ProviderFault(
      "later",
      `it answered with status ${status}`,
      retryAfterMs(headers.get("retry-after")),
    );
  if (KEY.has(status))
    return new ProviderFault("wrong", `it refused the key with status ${status}: see ${settings}_API_KEY`);
  return new ProviderFault(
    "wrong",
    `it answered with status ${status}: see ${settings}_BASE_URL and ${settings}_MODEL`,
  );
}

/** Only seconds: a date would depend on two clocks. */
function retryAfterMs(value: string | null): number {
  return value !== null && /^\d{1,9}$/.test(value.trim()) ? Number(value) * 1000 : 0;
}

/** The code of the system or of undici, for example ECONNREFUSED; the message may name addresses. */
function codeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  return /^[A-Z_]{2,40}$/.test(code) ? ` (${code})` : "";
}
