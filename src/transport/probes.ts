import type { Registry } from "prom-client";
import { permissionDenied } from "../domain/errors.ts";
import type { Authentication } from "./authentication.ts";
import type { HttpRequest } from "./connections/connections.ts";
import { headersOf } from "./headers.ts";
import { shared } from "./respond.ts";

/** `ok`, or the problem, by part: storage, vectors, queue. */
export type Checks = Readonly<Record<string, string>>;

export interface ProbeOptions {
  readonly version: string;
  readonly ready: () => Promise<Checks> | Checks;
  readonly registry: Registry;
  readonly authentication: Authentication;
  /** The server is bound to this machine alone. */
  readonly loopback: boolean;
  /** /health names the user of the key, for agents of another system. */
  readonly namesUser: boolean;
  /** The OpenAPI document; called once. */
  readonly openapi: () => object;
}

export interface ProbeAnswer {
  readonly status: number;
  readonly contentType: string;
  /** In addition to those of every answer. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** May reject with a ServiceError, which is answered in the envelope. */
export type Probe = (request: HttpRequest) => Promise<ProbeAnswer> | ProbeAnswer;

const json = (status: number, body: object | string): ProbeAnswer => ({
  status,
  contentType: "application/json",
  body: typeof body === "string" ? body : JSON.stringify(body),
});

/** Handlers outside /api/v1, by path; no envelope. */
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

/** Undefined for a request without a valid key: the server is healthy anyway. */
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

/** For the ROOT key; without keys, for this machine only. */
async function answerMetrics(
  { authentication, registry, loopback }: ProbeOptions,
  request: HttpRequest,
): Promise<ProbeAnswer> {
  const caller = authentication.identify(headersOf(request));
  if (caller.role !== "root" || (caller.keyless && !loopback))
    throw permissionDenied("/metrics", "only ROOT may read it");
  return { status: 200, contentType: registry.contentType, body: await registry.metrics() };
}
