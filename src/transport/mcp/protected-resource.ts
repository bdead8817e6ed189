import { authorityOf, type HttpRequest } from "../connections/connections.ts";
import type { Probe } from "../probes.ts";

const WELL_KNOWN = "/.well-known/oauth-protected-resource";
const MCP = "/mcp";
/** Valid Host headers; anything else is not repeated. */
const AUTHORITY = /^(?:\[[0-9A-Fa-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/;

/**
 * The URL under which a client reaches the server. A proxy reports whether the connection to it was
 * encrypted.
 */
function originOf(request: HttpRequest, isEncrypted: boolean): string | undefined {
  const authority = authorityOf(request);
  if (authority === undefined || !AUTHORITY.test(authority)) return undefined;
  const isSecure = isEncrypted || request.headers["x-forwarded-proto"] === "https";
  return `${isSecure ? "https" : "http"}://${authority}`;
}

/**
 * OAuth 2.0 Protected Resource Metadata (RFC 9728) of /mcp, by path. The bearer tokens are API keys given out
 * by an administrator, so no authorization server is listed.
 */
export function protectedResource(isEncrypted: boolean): ReadonlyMap<string, Probe> {
  const answer: Probe = (request) => {
    const origin = originOf(request, isEncrypted);
    const body = JSON.stringify({
      resource: `${origin ?? ""}${MCP}`,
      resource_name: "ctxdb",
      bearer_methods_supported: ["header"],
    });
    return { status: 200, contentType: "application/json", body };
  };
  return new Map([
    [WELL_KNOWN, answer],
    [WELL_KNOWN + MCP, answer],
  ]);
}

/** Header of a response to a request without a valid key; refers to the metadata. */
export function challenge(request: HttpRequest, isEncrypted: boolean): Record<string, string> {
  const origin = originOf(request, isEncrypted);
  const where = origin === undefined ? "" : `, resource_metadata="${origin}${WELL_KNOWN}${MCP}"`;
  return { "WWW-Authenticate": `Bearer realm="ctxdb"${where}` };
}
