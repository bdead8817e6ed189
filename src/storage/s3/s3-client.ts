import { setTimeout as pause } from "node:timers/promises";
import aws4 from "aws4";
import { type HttpAnswer, httpAsk, KeptConnections } from "../../base/http-client.ts";
import type { Log } from "../../base/log.ts";
import { sha256 } from "../../base/sha256.ts";
import { type ServiceError, unavailable } from "../../domain/errors.ts";
import { type ListingPage, parseListing } from "./bucket-listing.ts";
import { ABANDONED_MS, abortAbandoned, PART_BYTES, putInParts } from "./multipart-upload.ts";
import type { S3Content, S3Request } from "./s3-request.ts";

/**
 * Maximum attempts of a request, base of the exponential pause between them in ms, and time in ms after which
 * no further attempt begins.
 */
const ATTEMPTS = 4;
const PAUSE_MS = 100;
const ATTEMPTS_MS = 8000;
const LIMITS = { connectMs: 5000, headersMs: 10_000, silenceMs: 15_000, maxHeaderBytes: 16 * 1024 };
/** Minimum upload rate in bytes per ms. */
const UPLOAD_PACE = 256;
/** Maximum number of connections, and idle timeout in ms. */
const CONNECTIONS = 32;
const IDLE_MS = 20_000;
/** Maximum bytes of a list or error response. */
const MAX_TEXT_BYTES = 4 * 1024 * 1024;
const PAGE = 1000;
/** HTTP statuses after which a retry may succeed. */
const TRANSIENT: ReadonlySet<number> = new Set([408, 409, 425, 429, 500, 502, 503, 504]);
const EMPTY = sha256("");

export interface S3Options {
  /** `https://s3.example.com` */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKey: string;
  readonly secretKey: string;
  readonly log: Log;
  /** Larger objects are sent in parts of this size, in bytes; default: 64 MiB. */
  readonly partBytes?: number;
}

/**
 * A bucket of an S3-compatible object store, addressed by path. Requests can be repeated and are retried a few
 * times. Rejects with UNAVAILABLE if the store does not respond or refuses.
 */
export class S3Client {
  readonly #options: S3Options;
  readonly #connections = new KeptConnections(IDLE_MS, CONNECTIONS);
  readonly #closing = new AbortController();
  readonly #asking = {
    ask: (request: S3Request, statuses: readonly number[]) => this.#expect(request, statuses),
    textOf,
  };

  constructor(options: S3Options) {
    this.#options = options;
  }

  close(): void {
    this.#closing.abort(unavailable("the server is shutting down"));
    this.#connections.close();
  }

  /** Why the bucket is unusable; undefined if it is usable. */
  async fault(): Promise<string | undefined> {
    const { bucket, endpoint } = this.#options;
    const answer = await this.#ask({ method: "GET", key: "", query: { "list-type": "2", "max-keys": "1" } });
    answer.end();
    const status = answer.message.statusCode;
    if (status === 200) return undefined;
    if (status === 404) return `there is no bucket ${bucket} at ${endpoint}`;
    if (status === 401 || status === 403) return `the keys may not use the bucket ${bucket} at ${endpoint}`;
    return `${endpoint} answers ${status} for the bucket ${bucket}`;
  }

  /** `open` returns the bytes; it is called for each attempt. Resolves once the object is stored. */
  async put(key: string, content: S3Content): Promise<void> {
    const { partBytes = PART_BYTES } = this.#options;
    if (content.bytes > partBytes) return putInParts(this.#asking, key, content, partBytes);
    await textOf(await this.#expect({ method: "PUT", key, content }, [200, 201, 204]));
  }

  /** Aborts abandoned uploads below a prefix; returns their number. `now`: Unix time in ms. */
  abortAbandoned(prefix: string, now: number): Promise<number> {
    return abortAbandoned(this.#asking, prefix, now - ABANDONED_MS);
  }

  /** The bytes of an object; undefined if it is missing. The caller must end the response. */
  async get(key: string): Promise<HttpAnswer | undefined> {
    const answer = await this.#expect({ method: "GET", key }, [200, 404]);
    if (answer.message.statusCode === 200) return answer;
    await textOf(answer);
    return undefined;
  }

  async has(key: string): Promise<boolean> {
    const answer = await this.#expect({ method: "HEAD", key }, [200, 404]);
    await textOf(answer);
    return answer.message.statusCode === 200;
  }

  async remove(key: string): Promise<void> {
    await textOf(await this.#expect({ method: "DELETE", key }, [200, 204, 404]));
  }

  /** Pages of the objects whose keys start with `prefix`; with a delimiter, only those of one level. */
  async *list(prefix: string, delimiter?: string): AsyncGenerator<ListingPage> {
    for (let token: string | undefined; ; ) {
      const query = {
        "list-type": "2",
        "max-keys": String(PAGE),
        prefix,
        ...(delimiter !== undefined && { delimiter }),
        ...(token !== undefined && { "continuation-token": token }),
      };
      const answer = await this.#expect({ method: "GET", key: "", query }, [200]);
      const page = parseListing(await textOf(answer));
      yield page;
      token = page.next;
      if (token === undefined) return;
    }
  }

  async #expect(request: S3Request, statuses: readonly number[]): Promise<HttpAnswer> {
    const answer = await this.#ask(request);
    const { statusCode = 0 } = answer.message;
    if (statuses.includes(statusCode)) return answer;
    const said = await textOf(answer).catch(() => "");
    throw this.#away(request, new Error(`status ${statusCode}: ${said.slice(0, 500)}`));
  }

  /** The first response that is not a transient failure, or the last response. */
  async #ask(request: S3Request): Promise<HttpAnswer> {
    const began = performance.now();
    for (let attempt = 1; ; attempt++) {
      const isLast = () => attempt === ATTEMPTS || performance.now() - began > ATTEMPTS_MS;
      let failure: unknown;
      try {
        const answer = await this.#askOnce(request);
        if (isLast() || !TRANSIENT.has(answer.message.statusCode ?? 0)) return answer;
        answer.end();
      } catch (error) {
        failure = error;
      }
      if (failure !== undefined && (isLast() || this.#closing.signal.aborted))
        throw this.#away(request, failure);
      await pause(PAUSE_MS * 2 ** attempt, undefined, { ref: false });
    }
  }

  #askOnce({ method, key, query = {}, content }: S3Request): Promise<HttpAnswer> {
    const { endpoint, bucket, region, accessKey, secretKey } = this.#options;
    const { signal } = this.#closing;
    signal.throwIfAborted();
    const url = new URL(endpoint);
    const base = url.pathname === "/" ? "" : url.pathname;
    const path = `${base}/${bucket}${key === "" ? "" : `/${key}`}`;
    const search = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
    const signed = aws4.sign(
      {
        host: url.host,
        method,
        path: search.length === 0 ? path : `${path}?${search.join("&")}`,
        service: "s3",
        region,
        headers: { "X-Amz-Content-Sha256": content?.sha256 ?? EMPTY },
      },
      { accessKeyId: accessKey, secretAccessKey: secretKey },
    );
    const headers = Object.entries(signed.headers ?? {}).flatMap(([name, value]) =>
      name === "Host" ? [] : [name, String(value)],
    );
    return httpAsk(url, {
      method,
      headers,
      path: signed.path ?? path,
      limits: content ? { ...LIMITS, headersMs: LIMITS.headersMs + content.bytes / UPLOAD_PACE } : LIMITS,
      ...(content && { source: { stream: content.open(), bytes: content.bytes } }),
      signal,
      connections: this.#connections,
    });
  }

  #away({ method, key }: S3Request, error: unknown): ServiceError {
    this.#options.log.warn({ err: error, method, key }, "the object store does not answer as expected");
    return unavailable("the object store does not answer; try again later");
  }
}

async function textOf({ message, end }: HttpAnswer): Promise<string> {
  try {
    return await shortText(message);
  } finally {
    end();
  }
}

async function shortText(message: HttpAnswer["message"]): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of message) {
    parts.push(part);
    bytes += part.length;
    if (bytes > MAX_TEXT_BYTES) throw new Error("the response of the object store is too large");
  }
  return Buffer.concat(parts).toString();
}
