import type { HttpRequest } from "../connections/connections.ts";
import type { HeaderView } from "../identity.ts";

/** Hop-by-hop headers (RFC 9110, section 7.6.1), which are not forwarded. */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  "connection",
  "expect",
  "host",
  "http2-settings",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);
/** Headers about the provider's origin; forwarded, they would apply to this server's. */
const OF_ORIGIN = /^(?:access-control-.*|alt-svc|clear-site-data|strict-transport-security)$/;
/** Headers only for ctxdb. */
const OWN = /^x-(?:ctxdb|ctx|openviking)-/;

/** Alternating names and values. */
type RawHeaders = readonly string[];

/** Names that the Connection header declares as hop-by-hop. */
function declared(raw: RawHeaders): Set<string> {
  const names = new Set<string>();
  for (let i = 0; i + 1 < raw.length; i += 2) {
    if (raw[i]?.toLowerCase() !== "connection") continue;
    for (const name of (raw[i + 1] ?? "").split(",")) names.add(name.trim().toLowerCase());
  }
  return names;
}

function* passing(raw: RawHeaders): Generator<[lower: string, name: string, value: string]> {
  const ofConnection = declared(raw);
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const [name = "", value = ""] = [raw[i], raw[i + 1]];
    const lower = name.toLowerCase();
    if (name.startsWith(":") || OF_CONNECTION.has(lower) || ofConnection.has(lower)) continue;
    yield [lower, name, value];
  }
}

/**
 * Request headers for the provider, including keys; without hop-by-hop headers and those for ctxdb. `isRead`:
 * the response will be read, so it must not be compressed.
 */
export function headersUp(request: HttpRequest, isRead: boolean): string[] {
  const sent: string[] = [];
  for (const [lower, name, value] of passing(request.rawHeaders)) {
    if (OWN.test(lower) || lower === "content-length") continue;
    if (isRead && lower === "accept-encoding") continue;
    sent.push(name, value);
  }
  if (isRead) sent.push("accept-encoding", "identity");
  return sent;
}

/** Response headers for the caller. */
export function headersDown(raw: RawHeaders): Record<string, string | string[]> {
  const found = new Map<string, { readonly name: string; readonly values: string[] }>();
  for (const [lower, name, value] of passing(raw)) {
    if (OF_ORIGIN.test(lower) || OWN.test(lower)) continue;
    const known = found.get(lower);
    if (known) known.values.push(value);
    else found.set(lower, { name, values: [value] });
  }
  return Object.fromEntries(
    [...found.values()].map(({ name, values }) => [name, values.length === 1 ? (values[0] ?? "") : values]),
  );
}

/** Identity headers of the pipeline, and the gateway headers that they are taken from. */
const IDENTITY: Readonly<Record<string, readonly string[]>> = {
  "x-api-key": ["x-ctxdb-key"],
  // contains the provider's key, which must not be read here
  authorization: [],
  "x-ctx-account": ["x-ctxdb-account", "x-ctx-account"],
  "x-ctx-user": ["x-ctxdb-user", "x-ctx-user"],
  "x-ctx-agent": ["x-ctxdb-agent", "x-ctx-agent"],
};

/** The headers of a request, with the identity taken from the gateway's headers. */
export const identityOf = (headers: HeaderView): HeaderView => ({
  peer: headers.peer,
  identified: (caller) => headers.identified?.(caller),
  get: (name) => {
    const names = IDENTITY[name];
    if (names === undefined) return headers.get(name);
    for (const own of names) {
      const value = headers.get(own);
      if (value) return value;
    }
    return undefined;
  },
});
