import { authorityOf, type HttpRequest } from "../connections/connections.ts";
import type { Probe } from "../probes.ts";
import { PAGE_POLICY, type Welcome, welcomePage } from "./page.ts";

const HTML = "text/html; charset=utf-8";

const HEADERS = {
  "Content-Security-Policy": PAGE_POLICY,
  "Cross-Origin-Opener-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  // the response depends on Accept and on the host name of the request
  "Cache-Control": "no-store",
};

/** A name or address with a port that is safe to show and paste; anything else is not repeated. */
const AUTHORITY = /^(?:[a-z0-9][a-z0-9._-]{0,252}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

/** Handler of `/`: a page for browsers, JSON for other clients. */
export function welcome(facts: Omit<Welcome, "address">): Probe {
  const links = {
    ...(facts.studio && { studio: "/studio" }),
    docs: "/docs",
    openapi: "/openapi.json",
    health: "/health",
    ready: "/ready",
    api: "/api/v1",
    mcp: "/mcp",
  };
  const json = JSON.stringify({
    name: "ctxdb",
    version: facts.version,
    keys: facts.keyed ? "required" : "none",
    links,
  });
  return (request) => {
    if (!wantsPage(request))
      return { status: 200, contentType: "application/json", headers: HEADERS, body: json };
    return {
      status: 200,
      contentType: HTML,
      headers: HEADERS,
      body: welcomePage({ ...facts, address: addressOf(request) }),
    };
  };
}

const wantsPage = ({ headers }: HttpRequest): boolean =>
  /(?:^|[\s,])text\/html\s*(?:[;,]|$)/i.test(headers.accept ?? "");

/**
 * The server's address as seen by the visitor; the local address of the connection if that is unsafe to show.
 */
function addressOf(request: HttpRequest): string {
  const { headers, socket } = request;
  const isSecure =
    ("encrypted" in socket && socket.encrypted === true) || headers["x-forwarded-proto"] === "https";
  const named = authorityOf(request) ?? "";
  const authority = AUTHORITY.test(named) ? named.toLowerCase() : localAuthority(request);
  return `${isSecure ? "https" : "http"}://${authority}`;
}

function localAuthority({ socket: { localAddress = "127.0.0.1", localPort } }: HttpRequest): string {
  const host = localAddress.replace(/^::ffff:(?=\d+\.)/i, "");
  return `${host.includes(":") ? `[${host}]` : host}:${localPort}`;
}
