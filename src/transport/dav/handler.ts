import type { LostAccess } from "../../accounts/account-changes.ts";
import { permissionDenied, type ServiceError } from "../../domain/errors.ts";
import type { PutDeps } from "../../service/content/put-file.ts";
import type { CopyDeps } from "../../service/filesystem/copy-node.ts";
import type { HttpRequest, HttpResponse } from "../connections/connections.ts";
import { retryAfter, toServiceError } from "../errors.ts";
import { headersOf } from "../headers.ts";
import type { HeaderView } from "../identity.ts";
import type { AccessRule, Operation } from "../operation.ts";
import type { CallAnswer, Pipeline } from "../pipeline/pipeline.ts";
import { drain, type Headers, hasLeft, respond, writeHead } from "../respond.ts";
import { copy } from "./copy.ts";
import { isPrivate, withBasic } from "./credentials.ts";
import { errorDocument, notHere, statusOf } from "./dav-error.ts";
import { type DavAnswer, type DavContext, DavExchange } from "./exchange.ts";
import { get, put } from "./get-put.ts";
import { lock, unlock } from "./lock-methods.ts";
import { LockTable } from "./lock-table.ts";
import { mkcol, move, remove } from "./mkcol-delete-move.ts";
import { isDavPath, pathOf } from "./paths.ts";
import { propfind } from "./propfind.ts";
import { proppatch } from "./proppatch.ts";
import { XML_TYPE } from "./xml-text.ts";

export interface DavOptions {
  readonly deps: PutDeps & CopyDeps;
}

interface ServerFacts {
  readonly pipeline: Pipeline;
  readonly operations: readonly Operation[];
  readonly uriScheme: string;
  readonly keyless: boolean;
}

interface DavMethod {
  /** Name for logs and metrics. */
  readonly name: string;
  readonly run: (exchange: DavExchange) => Promise<DavAnswer | undefined>;
  /** Default: `changes`. */
  readonly effect?: "reads";
  /** Whether the method creates something at its path. */
  readonly makes?: boolean;
}

const METHODS: Readonly<Record<string, DavMethod>> = {
  GET: { name: "Dav.Get", run: get, effect: "reads" },
  HEAD: { name: "Dav.Get", run: get, effect: "reads" },
  PUT: { name: "Dav.Put", run: put, makes: true },
  DELETE: { name: "Dav.Delete", run: remove },
  MKCOL: { name: "Dav.Mkcol", run: mkcol, makes: true },
  COPY: { name: "Dav.Copy", run: copy },
  MOVE: { name: "Dav.Move", run: move },
  PROPFIND: { name: "Dav.Propfind", run: propfind, effect: "reads" },
  PROPPATCH: { name: "Dav.Proppatch", run: proppatch },
  LOCK: { name: "Dav.Lock", run: lock, makes: true },
  UNLOCK: { name: "Dav.Unlock", run: unlock },
};
const ALLOW = ["OPTIONS", ...Object.keys(METHODS)].join(", ");

/** Headers of every OPTIONS response: compliance classes 1 and 2, and a header that Windows expects. */
export const DAV_HEADERS = { DAV: "1, 2", "MS-Author-Via": "DAV" } as const;

/** WebDAV (RFC 4918) below /dav, so that file managers can access the tree. See docs/webdav.md. */
export class DavHandler {
  readonly #context: DavContext;
  readonly #isKeyless: boolean;

  constructor({ pipeline, operations, uriScheme, keyless }: ServerFacts, options: DavOptions) {
    this.#isKeyless = keyless;
    this.#context = {
      pipeline,
      operations,
      uriScheme,
      ...options,
      locks: new LockTable(() => performance.now()),
    };
  }

  takes = isDavPath;

  /** The headers with the identity of Basic credentials; undefined if those may not be used. */
  identityOf(request: HttpRequest, headers: HeaderView): HeaderView | undefined {
    try {
      return withBasic(headers, isPrivate(request, headers), this.#isKeyless);
    } catch {
      return undefined;
    }
  }

  /** Removes the locks of users who lost access. */
  recheck(lost: LostAccess): void {
    this.#context.locks.forget(lost);
  }

  /** `path`: the URL's path, still encoded. Never rejects. */
  async handle(
    request: HttpRequest,
    response: HttpResponse,
    path: string,
    authority: string | undefined,
  ): Promise<void> {
    const method = request.method ?? "";
    const headers = headersOf(request);
    const wanted = METHODS[method];
    const foreign = foreignPage(headers, authority);
    if (foreign !== undefined) return this.#refuse(request, response, foreign);
    if (method === "OPTIONS") {
      writeHead(response, 200, { ...DAV_HEADERS, Allow: ALLOW, "Content-Length": 0 });
      response.end();
      return drain(request);
    }
    if (wanted === undefined)
      return this.#refuse(request, response, notHere(method, path.slice(0, 200), `answers ${ALLOW}`));
    const { name, effect = "changes" } = wanted;
    const rule: AccessRule = { name, access: "caller", effect };
    const isSafe = isPrivate(request, headers);
    let view: HeaderView;
    try {
      view = withBasic(headers, isSafe, this.#isKeyless);
    } catch (error) {
      return this.#refuse(request, response, toServiceError(error));
    }
    const answer = await this.#context.pipeline.serve(rule, { wire: "dav", headers: view }, async (call) => {
      response.once("close", () => call.closed());
      const place = pathOf(path, wanted.makes ?? false);
      const asked = { request, response, headers: view, path: place, authority, rule };
      return wanted.run(new DavExchange(this.#context, call, asked));
    });
    if (answer.error !== undefined) return sendError(request, response, answer, isSafe);
    if (answer.value !== undefined) await send(request, response, answer.value, answer);
  }

  async #refuse(request: HttpRequest, response: HttpResponse, error: ServiceError): Promise<void> {
    const call = this.#context.pipeline.begin("Dav.Refused", { wire: "dav", headers: headersOf(request) });
    const answer = await this.#context.pipeline.settle(call, () => Promise.reject(error));
    await sendError(request, response, answer, false);
  }
}

/**
 * Refuses requests from pages of other origins: browsers add the stored password to the requests of every
 * page. Programs send neither header.
 */
function foreignPage(headers: HeaderView, authority: string | undefined): ServiceError | undefined {
  const origin = headers.get("origin")?.toLowerCase();
  const site = headers.get("sec-fetch-site")?.toLowerCase() ?? "none";
  const host = authority?.toLowerCase() ?? "";
  const isOwn = origin === undefined || origin === `http://${host}` || origin === `https://${host}`;
  if (isOwn && (site === "none" || site === "same-origin")) return undefined;
  return permissionDenied(
    "Origin",
    "web pages of other origins may not use WebDAV: use the REST API, and set CTXDB_CORS_ORIGINS",
  );
}

async function send(
  request: HttpRequest,
  response: HttpResponse,
  { status, headers, body }: DavAnswer,
  { call, seconds }: CallAnswer<unknown>,
): Promise<void> {
  const sent: Headers = {
    "X-Request-Id": call.requestId,
    "X-Process-Time": seconds.toFixed(6),
    ...(body !== undefined && { "Content-Type": XML_TYPE }),
    ...headers,
  };
  if (body !== undefined) return respond(request, response, status, sent, body);
  if (status !== 204 && status !== 304) sent["Content-Length"] = 0;
  if (hasLeft(response)) return;
  writeHead(response, status, sent);
  response.end();
  drain(request);
}

async function sendError(
  request: HttpRequest,
  response: HttpResponse,
  answer: CallAnswer<unknown>,
  isSafe: boolean,
): Promise<void> {
  const { error } = answer;
  if (error === undefined || response.headersSent || hasLeft(response)) return;
  const status = statusOf(error);
  const headers: Headers = { ...retryAfter(error) };
  // never request a password over a connection on which others could read it
  if (status === 401 && isSafe) headers["WWW-Authenticate"] = 'Basic realm="ctxdb", charset="UTF-8"';
  if (status === 405) headers.Allow = ALLOW;
  if (status === 416) headers["Content-Range"] = `bytes */${error.details?.size}`;
  await send(request, response, { status, headers, body: errorDocument(error) }, answer);
}
