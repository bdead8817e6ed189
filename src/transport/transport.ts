import { hostname } from "node:os";
import type { Logger } from "pino";
import type { Registry } from "prom-client";
import type { LostAccess } from "../accounts/account-changes.ts";
import type { RequestCounts } from "../accounts/request-counts.ts";
import { itemAt } from "../base/expect.ts";
import { loadOnce } from "../base/load-once.ts";
import type { Trace } from "../base/trace.ts";
import { invalidArgument, type ServiceError } from "../domain/errors.ts";
import type { WorkspaceId } from "../domain/ids.ts";
import { apiDocs } from "./api-docs.ts";
import type { CallMemory } from "./call.ts";
import { cutCounter } from "./connections/closed-connections.ts";
import type { ListenLimits } from "./connections/connection-limits.ts";
import { authorityOf, type HttpRequest, type HttpResponse, isEncrypted } from "./connections/connections.ts";
import { type Listener, listen } from "./connections/listen.ts";
import type { TlsFiles } from "./connections/tls.ts";
import { Cors, isLoopbackHost } from "./cors.ts";
import { DAV_HEADERS, DavHandler, type DavOptions } from "./dav/handler.ts";
import { toServiceError } from "./errors.ts";
import { FairScheduler } from "./fair-scheduler.ts";
import { type RoutedRequest, Router, type RouterOptions } from "./forward/router.ts";
import { Gateway, type GatewayOptions } from "./gateway/gateway.ts";
import { identityOf } from "./gateway/passed-headers.ts";
import { headersOf } from "./headers.ts";
import type { EndpointOptions, McpEndpoint } from "./mcp/endpoint.ts";
import { protectedResource } from "./mcp/protected-resource.ts";
import type { Operation } from "./operation.ts";
import type { AuditLog } from "./pipeline/audit-log.ts";
import { type Authenticate, Authentication } from "./pipeline/authentication.ts";
import { callMetrics } from "./pipeline/call-metrics.ts";
import type { Idempotency } from "./pipeline/idempotency.ts";
import { Pipeline, type PipelineOptions, requestIdOf, secondsSince } from "./pipeline/pipeline.ts";
import type { RateLimit } from "./pipeline/rate-limit.ts";
import { Admission } from "./pipeline/waiting-calls.ts";
import { type Checks, type Probe, type ProbeAnswer, probes } from "./probes.ts";
import { drain, hasLeft, respond } from "./respond.ts";
import type { Dialect } from "./rest/dialect.ts";
import { RestHandler } from "./rest/handler.ts";
import { openapi } from "./rest/openapi.ts";
import { RouteTable, routesOf } from "./rest/routes.ts";
import { RpcHandler } from "./rpc/handler.ts";
import { unimplemented } from "./rpc/unimplemented.ts";
import { SERVICES } from "./services.ts";
import { isStudioBuilt, Studio } from "./studio.ts";
import { welcome } from "./welcome/probe.ts";

export interface TransportOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly version: string;
  /** Such as `ctx`. */
  readonly uriScheme: string;
  readonly log: Logger;
  readonly authenticate: Authenticate;
  /** Whether no key is configured. */
  readonly keyless: boolean;
  /** CTXDB_CORS_ORIGINS, if set. */
  readonly corsOrigins?: readonly string[];
  /** CTXDB_ALLOWED_HOSTS: additional host names of a server without a key. */
  readonly allowedHosts?: readonly string[];
  readonly limits: { readonly maxBodyBytes: number; readonly maxUploadBytes: number };
  readonly listen?: ListenLimits;
  readonly tls?: TlsFiles;
  readonly rateLimit?: RateLimit;
  /** Counts requests by account, and enforces their quotas. */
  readonly requestCounts?: RequestCounts;
  /** Monotonic clock in ms for counting wrong keys. */
  readonly wrongKeysNow?: () => number;
  readonly auditLog?: AuditLog;
  /** Operations to serve; other API methods respond with UNIMPLEMENTED. */
  readonly operations: readonly Operation[];
  readonly idempotency: Idempotency;
  /** REST dialect of another system; undefined if off. */
  readonly dialect?: Dialect | undefined;
  readonly ready: () => Promise<Checks> | Checks;
  readonly registry: Registry;
  /** Called at the end of every call. */
  readonly onCall?: (operation: string, isError: boolean, seconds: number) => void;
  readonly trace?: Trace;
  /** Memory budget for data read by calls and for pending responses. */
  readonly memory: CallMemory;
  /** How fast bodies must arrive; by default, BODY_PACE. */
  readonly pace?: PipelineOptions["pace"];
  /** Set if several servers share the store. */
  readonly workspaces?: PipelineOptions["workspaces"];
  /** Set if calls for workspaces of other servers are forwarded. */
  readonly forwarding?: Pick<RouterOptions, "guard" | "members" | "secret" | "clock"> | undefined;
  /** The gateway to chat APIs, if configured. */
  readonly gateway?: Omit<GatewayOptions, "log" | "registry">;
  /** Undefined if WebDAV is off. */
  readonly dav?: DavOptions | undefined;
}

export interface Transport {
  /** The bound address. */
  readonly host: string;
  readonly port: number;
  /** Loads the modules that the first MCP call needs. To be called when the server is ready. */
  warm(): Promise<void>;
  /** Ends running calls whose callers lost a key, a role or an account. */
  recheck(lost: LostAccess): void;
  /** Ends waits in a workspace that is being given up; other calls in it may finish within `graceMs`. */
  leave(workspace: WorkspaceId, graceMs: number): Promise<void>;
  /** Ends waits with UNAVAILABLE at once; other calls may finish within `graceMs`. The port is then free. */
  close(graceMs: number): Promise<void>;
}

/** Opens all protocols on one port. */
export async function openTransport(options: TransportOptions): Promise<Transport> {
  const stopping = new AbortController();
  const operations = [...options.operations, ...unimplemented(SERVICES, options.operations)];
  const admission = new Admission();
  const authentication = new Authentication({ ...options, now: options.wrongKeysNow });
  const router = options.forwarding && new Router({ ...options, ...options.forwarding });
  const pipeline = new Pipeline({
    ...options,
    router,
    authentication,
    admission,
    observe: callMetrics(options.registry, admission, options.onCall),
  });
  const rest = new RestHandler({
    pipeline,
    routes: new RouteTable(routesOf(operations)),
    dialect: options.dialect,
    ...options.limits,
  });
  const rpc = new RpcHandler({
    pipeline,
    operations,
    log: options.log,
    stopping: stopping.signal,
    ...options.limits,
  });
  const loopback = isLoopbackHost(options.host);
  const hosts = [...(options.allowedHosts ?? []), ...(loopback ? [] : [options.host, hostname()])];
  const cors = new Cors({ keyless: options.keyless, loopback, origins: options.corsOrigins, hosts });
  const hasTls = options.tls !== undefined;
  const { maxBodyBytes } = options.limits;
  const mcp = mcpOnDemand({ ...options, pipeline, operations, maxBodyBytes, isEncrypted: hasTls });
  const metadata = options.keyless ? [] : protectedResource(hasTls);
  const bare = probes({
    ...options,
    authentication,
    loopback,
    namesUser: options.dialect !== undefined,
    openapi: () => openapi(options.version),
  });
  const home = welcome({ ...options, keyed: !options.keyless, loopback, studio: isStudioBuilt() });
  const gateway = options.gateway && new Gateway(pipeline, { ...options, ...options.gateway });
  const pages = new Map([...bare, ...apiDocs(), ...metadata, ["/", home] as const]);
  const dav = options.dav && new DavHandler({ ...options, pipeline, operations }, options.dav);
  const front = new Front({
    rest,
    rpc,
    mcp,
    gateway,
    dav,
    cors,
    probes: pages,
    studio: new Studio(),
    router,
  });
  const listener: Listener = await listen({
    host: options.host,
    port: options.port,
    ...(options.listen && { limits: options.listen }),
    ...(options.tls && { tls: options.tls }),
    handler: (request, response, holder) => {
      front.serve(request, response, holder).catch((error: unknown) => {
        // a client that disconnects meanwhile causes no error
        if (!hasLeft(response)) options.log.error({ err: error }, "a request could not be answered");
        response.destroy();
      });
    },
    onCut: cutCounter(options.registry, options.log),
  });
  return {
    host: listener.host,
    port: listener.port,
    async warm() {
      await mcp();
    },
    recheck(lost) {
      pipeline.recheck(lost);
      dav?.recheck(lost);
    },
    leave: (workspace, graceMs) => pipeline.leave(workspace, graceMs),
    async close(graceMs) {
      stopping.abort();
      router?.stop();
      pipeline.stop();
      await listener.close(graceMs);
      router?.close();
      await gateway?.close();
    },
  };
}

/** Loads the MCP library on demand, because loading it delays the start. */
function mcpOnDemand(options: EndpointOptions): () => Promise<McpEndpoint> {
  return loadOnce(async () => {
    const { McpEndpoint } = await import("./mcp/endpoint.ts");
    return new McpEndpoint(options);
  });
}

/** Paths served for every Host and Origin: they show no stored data and change nothing. */
const UNGUARDED: ReadonlySet<string> = new Set(["/health", "/ready"]);

interface Wires {
  readonly rest: RestHandler;
  readonly rpc: RpcHandler;
  readonly mcp: () => Promise<McpEndpoint>;
  readonly gateway: Gateway | undefined;
  readonly dav: DavHandler | undefined;
  readonly cors: Cors;
  readonly probes: ReadonlyMap<string, Probe>;
  readonly studio: Studio;
  readonly router: Router | undefined;
}

/** Health checks and reflection of gRPC, which concern this server only. */
const OF_SERVER = /^\/grpc\./;

const isMcp = (path: string): boolean => path === "/mcp" || path === "/mcp/";

/** Routes each request to its protocol. */
class Front {
  readonly #wires: Wires;
  /**
   * Spreads requests that arrive at once over turns of the event loop, round robin by holder, so that a flood
   * does not delay the others. Most of the work follows after the admission, which has its own scheduler.
   */
  readonly #turns = new FairScheduler<string>({ ms: 10, started: 64 });

  constructor(wires: Wires) {
    this.#wires = wires;
  }

  async serve(request: HttpRequest, response: HttpResponse, holder: string): Promise<void> {
    const [url, named] = targetOf(request.url ?? "/");
    const at = url.indexOf("?");
    const path = at < 0 ? url : url.slice(0, at);
    const origin = request.headers.origin;
    const dav = this.#wires.dav?.takes(path) ? this.#wires.dav : undefined;
    const hop = this.#wires.router?.hopIn(request);
    // the forwarding server has already checked the origin
    const refusal = hop ? undefined : this.#checkOrigin(request, response, path, named);
    if (refusal !== undefined) return this.#wires.rest.refuse(request, response, "refused", refusal);
    if (request.method === "OPTIONS" && !dav) return this.#preflight(request, response, path);
    const contentType = request.headers["content-type"] ?? "";
    const isRpc = this.#wires.rpc.takes(path, contentType);
    const probe = isRpc ? undefined : this.#probeOf(path);
    if (probe === undefined || !UNGUARDED.has(path)) await this.#turn(holder);
    // no listener for the end of the response is set yet
    if (hasLeft(response)) return;
    if (probe !== undefined) return this.#probe(request, response, path, probe);
    const { router } = this.#wires;
    if (router && !OF_SERVER.test(path)) {
      const view = this.#viewOf(request, path);
      const authority = named ?? authorityOf(request);
      const target = { request, response, url, authority, view, isEncrypted: isEncrypted(request) };
      if (await router.passes(target, hop)) return;
    }
    if (dav) return dav.handle(request, response, path, named ?? authorityOf(request));
    if (isMcp(path)) return this.#serveMcp(request, response, origin);
    const query = at < 0 ? "" : url.slice(at + 1);
    const { gateway } = this.#wires;
    if (gateway?.takes(path)) return gateway.handle(request, response, path, query);
    if (isRpc) return this.#wires.rpc.handle(request, response, path);
    return this.#wires.rest.handle(request, response, path, query);
  }

  #turn(holder: string): Promise<void> | undefined {
    return this.#turns.isOpen() ? undefined : new Promise((begin) => this.#turns.later(holder, begin));
  }

  /**
   * Sets the response headers for pages of other origins; returns the reason if the request must be refused.
   */
  #checkOrigin(
    request: HttpRequest,
    response: HttpResponse,
    path: string,
    named: string | undefined,
  ): ServiceError | undefined {
    const { origin } = request.headers;
    // no page of another origin may use WebDAV
    if (origin !== undefined && !this.#wires.dav?.takes(path))
      setHeaders(response, this.#wires.cors.headers(origin));
    return this.#refusal(request, path, named);
  }

  #probeOf(path: string): Probe | undefined {
    if (isMcp(path) || this.#wires.dav?.takes(path) || this.#wires.gateway?.takes(path)) return undefined;
    const bare = path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
    return this.#wires.probes.get(bare) ?? this.#wires.studio.probe(bare);
  }

  /** The headers of a request, with the protocol's identity converted to the common headers. */
  #viewOf(request: HttpRequest, path: string): RoutedRequest["view"] {
    const headers = headersOf(request);
    const { dav, gateway } = this.#wires;
    if (dav?.takes(path)) return dav.identityOf(request, headers);
    return gateway?.takes(path) ? identityOf(headers) : headers;
  }

  #refusal(request: HttpRequest, path: string, named: string | undefined): ServiceError | undefined {
    if (UNGUARDED.has(path)) return undefined;
    const authority = named ?? authorityOf(request);
    if (authority === undefined && request.httpVersion === "1.1")
      return invalidArgument("Host", "is required in HTTP/1.1");
    const { method = "" } = request;
    const { origin } = request.headers;
    return this.#wires.cors.refusal({ method, path, authority, origin, headers: headersOf(request) });
  }

  async #serveMcp(request: HttpRequest, response: HttpResponse, origin: string | undefined): Promise<void> {
    const refusal = origin === undefined ? undefined : this.#wires.cors.foreignPage(origin);
    if (refusal !== undefined) return this.#wires.rest.refuse(request, response, "refused", refusal);
    return (await this.#wires.mcp()).handle(request, response);
  }

  #preflight(request: HttpRequest, response: HttpResponse, path: string): void {
    setHeaders(response, this.#wires.cors.preflight(headersOf(request)));
    // Windows sends OPTIONS to the root to detect WebDAV
    if (path === "/" && this.#wires.dav) setHeaders(response, DAV_HEADERS);
    response.writeHead(204);
    response.end();
    drain(request);
  }

  async #probe(request: HttpRequest, response: HttpResponse, path: string, probe: Probe): Promise<void> {
    if (request.method !== "GET" && request.method !== "HEAD") {
      const error = invalidArgument("method", `${path} supports only GET, HEAD, OPTIONS`, 405);
      return this.#wires.rest.refuse(request, response, "wrong method", error, {
        Allow: "GET, HEAD, OPTIONS",
      });
    }
    const started = performance.now();
    let answer: ProbeAnswer;
    try {
      answer = await probe(request);
    } catch (error) {
      return this.#wires.rest.refuse(request, response, path, toServiceError(error));
    }
    const headers = {
      ...answer.headers,
      "Content-Type": answer.contentType,
      "X-Request-Id": requestIdOf(headersOf(request)),
      "X-Process-Time": secondsSince(started).toFixed(6),
    };
    await respond(request, response, answer.status, headers, answer.body);
  }
}

/**
 * Splits a request target into path with query, and the authority if it is an absolute URL, which proxies may
 * send.
 */
function targetOf(url: string): [path: string, authority: string | undefined] {
  const match = /^https?:\/\/([^/?#]*)(.*)$/i.exec(url);
  if (match === null) return [url, undefined];
  const rest = itemAt(match, 2);
  return [rest.startsWith("/") ? rest : `/${rest}`, itemAt(match, 1)];
}

function setHeaders(response: HttpResponse, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}
