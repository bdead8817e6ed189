import type { Registry } from "prom-client";
import { permissionDenied } from "../domain/errors.ts";
import type { HttpRequest } from "./connections/connections.ts";
import { headersOf } from "./headers.ts";
import type { Authentication } from "./pipeline/authentication.ts";
import { shared } from "./respond.ts";

/** `ok` or the problem, by component: storage, vectors, queue. */
export type Checks = Readonly<Record<string, string>>;

export interface ProbeOptions {
  readonly version: string;
  readonly ready: () => Promise<Checks> | Checks;
  readonly registry: Registry;
  readonly authentication: Authentication;
  /** Whether the server listens only on loopback. */
  readonly loopback: boolean;
  /** Whether /health names the key's user, which clients of the REST dialect expect. */
  readonly namesUser: boolean;
  /** Creates the OpenAPI document; called once. */
  readonly openapi: () => object;
}

export interface ProbeAnswer {
  readonly status: number;
  readonly contentType: string;
  /** Headers in addition to those of every response. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** May reject with a ServiceError, which is sent as an API error. */
export type Probe = (request: HttpRequest) => Promise<ProbeAnswer> | ProbeAnswer;

const json = (status: number, body: object | string): ProbeAnswer => ({
  status,
  contentType: "application/json",
  body: typeof body === "string" ? body : JSON.stringify(body),
});

/** Handlers for paths outside /api/v1 by path; their responses have no envelope. */
export function probes(options: ProbeOptions): ReadonlyMap<string, Probe> {
  const alive = { status: "ok", healthy: true, version: options.version };
  const health = json(200, alive);
  let document: ProbeAnswer | undefined;
  return new Map<string, Probe>([
    [
      "/health",
      (request) => (options.namesUser ? json(200, { ...alive, ...userOf(options, request) }) : health),
    ],
    ["/ready", () => answerReady(options)],
    ["/metrics", (request) => answerMetrics(options, request)],
    [
      "/openapi.json",
      () => {
        document ??= { ...json(200, ""), body: shared(Buffer.from(JSON.stringify(options.openapi()))) };
        return document;
      },
    ],
  ]);
}

/** Empty without a valid key, because the server is healthy anyway. */
function userOf({ authentication }: ProbeOptions, request: HttpRequest): { readonly user_id?: string } {
  try {
    return { user_id: authentication.identifyAgain(headersOf(request)).user };
  } catch {
    return {};
  }
}

async function answerReady({ ready }: ProbeOptions): Promise<ProbeAnswer> {
  let checks: Checks;
  try {
    checks = await ready();
  } catch {
    checks = { server: "the checks failed" };
  }
  const isReady = Object.values(checks).every((check) => check === "ok");
  return json(isReady ? 200 : 503, { status: isReady ? "ready" : "not_ready", checks });
}

/** Metrics for the ROOT key; without keys, only for this machine. */
async function answerMetrics(
  { authentication, registry, loopback }: ProbeOptions,
  request: HttpRequest,
): Promise<ProbeAnswer> {
  const caller = authentication.identify(headersOf(request));
  if (caller.role !== "root" || (caller.keyless && !loopback))
    throw permissionDenied("/metrics", "only ROOT may read it");
  return { status: 200, contentType: registry.contentType, body: await registry.metrics() };
}
