import type { HttpRequest } from "../connections/connections.ts";
import type { HeaderView } from "../identity.ts";

/** Of one connection, and not of the message (RFC 9110, section 7.6.1); each side has its own. */
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
/** About the origin of the provider; said by this server it would be about this one. */
const OF_ORIGIN = /^(?:access-control-.*|alt-svc|clear-site-data|strict-transport-security)$/;
/** For ctxdb alone. */
const OWN = /^x-(?:ctxdb|ctx|openviking)-/;

/** Names and values by turns. */
type RawHeaders = readonly string[];

/** Names that a message's Connection header declares to be of its connection. */
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
 * The headers of a request as the provider gets them, keys included: all but those of the connection and
 * those for ctxdb. `isRead`: the answer is to be read, so that it must not be compressed.
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

/** The headers of an answer as the caller gets them. */
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

/** What the pipeline reads as the identity of a caller, and where a caller of the gateway says it. */
const IDENTITY: Readonly<Record<string, readonly string[]>> = {
  "x-api-key": ["x-ctxdb-key"],
  // the key of the provider, which is nobody else's business
  authorization: [],
  "x-ctx-account": ["x-ctxdb-account", "x-ctx-account"],
  "x-ctx-user": ["x-ctxdb-user", "x-ctx-user"],
  "x-ctx-agent": ["x-ctxdb-agent", "x-ctx-agent"],
};

/** The headers of a request with the identity that it claims here. */
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
