import { isIP } from "node:net";
import { permissionDenied, type ServiceError } from "../domain/errors.ts";
import type { HeaderView } from "./identity.ts";
import { isStudioPage } from "./studio.ts";

export interface CorsOptions {
  /** Whether no key is configured, so that every caller has all rights. */
  readonly keyless: boolean;
  /** Whether the server listens only on a loopback address. */
  readonly loopback: boolean;
  /** CTXDB_CORS_ORIGINS: the only origins whose pages may read responses; undefined if not set, `*` = all. */
  readonly origins?: readonly string[];
  /** Host names accepted without a key: CTXDB_ALLOWED_HOSTS and the server's own; `*` = any. */
  readonly hosts?: readonly string[];
}

/** Where a request comes from. A web page cannot set these headers itself, but any program can. */
export interface RequestSource {
  /** Such as `GET`. */
  readonly method: string;
  /** Path without query. */
  readonly path: string;
  /** The Host header or `:authority`, or the host of an absolute request target. */
  readonly authority: string | undefined;
  readonly origin: string | undefined;
  readonly headers: HeaderView;
}

/** Pages that other sites may link to. They show no stored data, or only to the visitor. */
const PAGES: ReadonlySet<string> = new Set(["/", "/docs", "/docs/"]);

/** Sec-Fetch-Site values of the server's own pages and of addresses typed by the user. */
const OWN_SITES: ReadonlySet<string> = new Set(["same-origin", "none"]);

const ALLOWED_HEADERS = [
  "Authorization",
  "Connect-Accept-Encoding",
  "Connect-Content-Encoding",
  "Connect-Protocol-Version",
  "Connect-Timeout-Ms",
  "Content-Encoding",
  "Content-Type",
  "Grpc-Accept-Encoding",
  "Grpc-Encoding",
  "Grpc-Timeout",
  "Idempotency-Key",
  "If-Match",
  "If-Range",
  "Last-Event-ID",
  "Mcp-Method",
  "Mcp-Name",
  "Mcp-Protocol-Version",
  "Mcp-Session-Id",
  "Range",
  "X-API-Key",
  "X-Ctx-Account",
  "X-Ctx-Agent",
  "X-Ctx-User",
  "X-Grpc-Web",
  "X-OpenViking-Account",
  "X-OpenViking-Agent",
  "X-OpenViking-User",
  "X-Request-Id",
  "X-User-Agent",
].join(", ");

const EXPOSED_HEADERS = [
  "Accept-Ranges",
  "Content-Disposition",
  "Content-Range",
  "ETag",
  "Grpc-Message",
  "Grpc-Status",
  "Grpc-Status-Details-Bin",
  "Mcp-Session-Id",
  "Retry-After",
  "Warning",
  "WWW-Authenticate",
  "X-Next-Cursor",
  "X-Process-Time",
  "X-Request-Id",
  "X-Truncated",
].join(", ");

const PREFLIGHT = {
  "Access-Control-Allow-Methods": "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS",
  "Access-Control-Allow-Headers": ALLOWED_HEADERS,
  "Access-Control-Max-Age": "7200",
};

/**
 * Rules for browsers. With keys, pages of any origin may call, without ambient credentials. Without keys,
 * only pages of this machine and of the server itself may call, and only under a host name that a foreign
 * page cannot use; this also prevents DNS rebinding. CTXDB_CORS_ORIGINS adds other origins and their hosts;
 * CTXDB_ALLOWED_HOSTS adds other hosts.
 */
export class Cors {
  readonly #options: CorsOptions;
  readonly #origins: ReadonlySet<string>;
  readonly #hosts: ReadonlySet<string>;

  constructor(options: CorsOptions) {
    this.#options = options;
    const origins = (options.origins ?? []).map((origin) => origin.toLowerCase().replace(/\/$/, ""));
    this.#origins = new Set(origins);
    const ownHosts = [
      ...origins.filter((origin) => origin !== "*").map(hostOfOrigin),
      ...(options.hosts ?? []).map(hostName),
    ];
    this.#hosts = new Set(ownHosts.filter((host) => host !== ""));
  }

  /** Returns the error if the request must be refused. */
  refusal({ method, path, authority, origin, headers }: RequestSource): ServiceError | undefined {
    if (!this.#options.keyless) return undefined;
    if (!this.#isOwnName(authority === undefined ? "" : hostName(authority))) {
      return permissionDenied(
        "Host",
        "a server without a root key accepts only its own host names: add this one to CTXDB_ALLOWED_HOSTS",
      );
    }
    if (origin !== undefined) {
      if (this.#allows(origin) || isOriginOf(origin, authority)) return undefined;
      return permissionDenied(
        "Origin",
        "a server without a root key accepts only pages from this machine: add this origin to CTXDB_CORS_ORIGINS",
      );
    }
    const site = headers.get("sec-fetch-site");
    if (site === undefined || OWN_SITES.has(site.toLowerCase()) || isVisit(method, path, headers))
      return undefined;
    return permissionDenied(
      "Sec-Fetch-Site",
      "a server without a root key rejects requests from pages of other origins: set a root key",
    );
  }

  /**
   * Returns the error if a page of this origin may not use MCP. The MCP specification requires checking the
   * origin against DNS rebinding, even with a key: it must be this machine, or listed in CTXDB_CORS_ORIGINS.
   * Programs send no Origin header.
   */
  foreignPage(origin: string): ServiceError | undefined {
    if (this.#allows(origin) || isLoopbackHost(hostOfOrigin(origin.toLowerCase()))) return undefined;
    return permissionDenied(
      "Origin",
      "only pages from this machine and from the origins in CTXDB_CORS_ORIGINS may use MCP",
    );
  }

  /** Response headers for requests with an Origin header. */
  headers(origin: string): Record<string, string> {
    const everyone = this.#options.origins === undefined ? !this.#options.keyless : this.#origins.has("*");
    if (everyone)
      return { "Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": EXPOSED_HEADERS };
    if (!this.#allows(origin)) return { Vary: "Origin" };
    return {
      "Access-Control-Allow-Origin": origin,
      "Access-Control-Expose-Headers": EXPOSED_HEADERS,
      Vary: "Origin",
    };
  }

  preflight(headers: HeaderView): Record<string, string> {
    const isPrivate = headers.get("access-control-request-private-network") === "true";
    return isPrivate ? { ...PREFLIGHT, "Access-Control-Allow-Private-Network": "true" } : PREFLIGHT;
  }

  #isOwnName(host: string): boolean {
    if (isLoopbackHost(host) || this.#hosts.has(host) || this.#hosts.has("*")) return true;
    return !this.#options.loopback && isUnrebindable(host);
  }

  #allows(origin: string): boolean {
    const known = origin.toLowerCase();
    if (this.#origins.has("*") || this.#origins.has(known)) return true;
    return this.#options.keyless && isLoopbackHost(hostOfOrigin(known));
  }
}

/** Whether the origin is this server, under the host name of the request. */
function isOriginOf(origin: string, authority: string | undefined): boolean {
  const known = origin.toLowerCase();
  return (
    authority !== undefined &&
    [`http://${authority.toLowerCase()}`, `https://${authority.toLowerCase()}`].includes(known)
  );
}

/** Whether a person follows a link to a page: the linking site cannot read the page. */
function isVisit(method: string, path: string, headers: HeaderView): boolean {
  const isTopLevel =
    headers.get("sec-fetch-mode") === "navigate" && headers.get("sec-fetch-dest") === "document";
  return isTopLevel && method === "GET" && (PAGES.has(path) || isStudioPage(path));
}

/**
 * Whether no stranger can make the host resolve to another address: an IP address, or a local name without a
 * dot.
 */
const isUnrebindable = (host: string): boolean => isIP(host) !== 0 || /^[a-z0-9_-]+$/.test(host);

function hostOfOrigin(origin: string): string {
  const at = origin.indexOf("://");
  return at < 0 ? origin : hostName(origin.slice(at + 3));
}

/** Extracts the host in lower case: `localhost:80` → `localhost`, `[::1]:80` → `::1`. */
function hostName(authority: string): string {
  const match = /^(?:\[([^\]]*)\]|([^:/]*))(?::\d+)?$/.exec(authority.trim().toLowerCase());
  return match === null ? "" : (match[1] ?? match[2] ?? "");
}

/** Whether the host is 127.0.0.0/8, ::1 or localhost. */
export function isLoopbackHost(host: string): boolean {
  if (host === "localhost" || host.endsWith(".localhost") || host === "::1") return true;
  return /^(?:::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
}
