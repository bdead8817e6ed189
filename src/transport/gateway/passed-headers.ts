import type { HttpRequest } from "../connections/connections.ts";
import { ofConnection } from "../connections/hop-by-hop.ts";
import type { HeaderView } from "../identity.ts";

/** Headers about the provider's origin; forwarded, they would apply to this server's origin. */
const OF_ORIGIN: ReadonlySet<string> = new Set([
  "alt-svc",
  "clear-site-data",
  "nel",
  "report-to",
  "reporting-endpoints",
  "set-cookie",
  "strict-transport-security",
]);
const CORS = /^access-control-/;
/** Headers only for ctxdb. */
const OWN = /^x-(?:ctxdb|ctx|openviking)-/;

/**
 * Headers that a proxy in front of ctxdb adds: addresses of callers, and tokens that say who they are, of nginx,
 * Envoy, cloud providers and sign-in proxies.
 */
const OF_PROXY: ReadonlySet<string> = new Set([
  "client-ip",
  "forwarded",
  "true-client-ip",
  "via",
  "x-client-ip",
  "x-cluster-client-ip",
  "x-real-ip",
  "x-scheme",
]);

/** Beginnings of names of such headers. Those of Cloudflare's AI Gateway are for a provider behind it. */
const OF_PROXY_FAMILY = new RegExp(
  `^(?:${[
    "(?:cf(?!-aig-)|fastly|fly|remote|ssl-client|tailscale)",
    "x-(?:amzn-oidc|appengine|auth-request|authentik|azure|envoy|forwarded|goog-iap|ms-client-principal)",
    "x-(?:ms-token|nf-client|original|pomerium|remote|vercel|webauth|client-cert|ssl-client-cert)",
  ].join("|")})(?:-|$)`,
);

const isOfProxy = (name: string): boolean => OF_PROXY.has(name) || OF_PROXY_FAMILY.test(name);

/** Header with the caller's key for ctxdb. */
const OWN_KEY = "x-ctxdb-key";

/** Alternating names and values. */
type RawHeaders = readonly string[];

/** Values of the Connection headers. */
const connectionOf = (raw: RawHeaders): (string | undefined)[] =>
  raw.flatMap((name, i) => (i % 2 === 0 && name.toLowerCase() === "connection" ? [raw[i + 1]] : []));

function* passing(raw: RawHeaders): Generator<[lower: string, name: string, value: string]> {
  const isSkipped = ofConnection(...connectionOf(raw));
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const [name = "", value = ""] = [raw[i], raw[i + 1]];
    const lower = name.toLowerCase();
    if (name.startsWith(":") || isSkipped(lower)) continue;
    yield [lower, name, value];
  }
}

/**
 * Request headers for the provider, including its keys; without hop-by-hop headers, cookies, those for ctxdb
 * or of a proxy, and any that repeat the caller's key for ctxdb. `isRead`: the response will be read, so it must not be
 * compressed.
 */
export function headersUp(request: Pick<HttpRequest, "headers" | "rawHeaders">, isRead: boolean): string[] {
  const sent: string[] = [];
  const own = request.headers[OWN_KEY]?.toString() || undefined;
  for (const [lower, name, value] of passing(request.rawHeaders)) {
    // cookies are those of this server's host, not of the provider
    if (OWN.test(lower) || isOfProxy(lower) || lower === "content-length" || lower === "cookie") continue;
    if (own !== undefined && value.includes(own)) continue;
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
    if (OF_ORIGIN.has(lower) || CORS.test(lower) || OWN.test(lower)) continue;
    const known = found.get(lower);
    if (known) known.values.push(value);
    else found.set(lower, { name, values: [value] });
  }
  return Object.fromEntries(
    [...found.values()].map(({ name, values }) => [name, values.length === 1 ? (values[0] ?? "") : values]),
  );
}

/** Response trailers for the caller. */
export const trailersDown = (raw: RawHeaders): Record<string, string> =>
  Object.fromEntries(Object.entries(headersDown(raw)).map(([name, value]) => [name, value.toString()]));

/** Identity headers of the pipeline, and the gateway headers that they are taken from. */
const IDENTITY: Readonly<Record<string, readonly string[]>> = {
  "x-api-key": [OWN_KEY],
  // contains the provider's key, which must not be read here
  authorization: [],
  "x-ctx-account": ["x-ctxdb-account", "x-ctx-account"],
  "x-ctx-user": ["x-ctxdb-user", "x-ctx-user"],
  "x-ctx-agent": ["x-ctxdb-agent", "x-ctx-agent"],
};

/** The headers of a request, with the identity taken from the gateway's headers. */
export const identityOf = (headers: HeaderView): HeaderView => ({
  ...headers,
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
