import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { invalidArgument, notFound, ServiceError } from "../../domain/errors.ts";
import type { ScratchFolder } from "../../storage/scratch.ts";
import type { FetchedVersion, Opening } from "../source.ts";
import { askAt, tooSlow, translated } from "./checked-connection.ts";
import type { AddressGuard } from "./guard.ts";
import type { Address } from "./name-lookup.ts";
import { decoded, portOf, shownAddress, webAddress } from "./web-address.ts";

/** A fetched URL, stored as a file. */
export interface FetchedFile {
  readonly file: string;
  /** URL after redirects. */
  readonly url: URL;
  /** In lower case without parameters; "" if the header is missing. */
  readonly contentType: string;
  readonly charset: string | undefined;
  /** File name from the response headers. */
  readonly fileName: string | undefined;
  readonly bytes: number;
  readonly hash: string;
  /** Validators for conditional requests. */
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
}

type FetchOptions = Omit<Opening, "workspace">;

export interface FetchLimits {
  /** Maximum bytes after decompression. */
  readonly maxBytes: number;
  /** Maximum bytes of an HTML page, which is parsed in memory. */
  readonly maxPageBytes: number;
}

const MAX_HOPS = 10;
const TOTAL_LIMIT_MS = 10 * 60_000;
/** Minimum average transfer rate, checked after each period. */
const LEAST_BYTES_PER_SECOND = 1024;
const RATE_PERIOD_MS = 20_000;
const NOT_MODIFIED = 304;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Validators that can be stored and sent again: printable ASCII, up to 500 characters. */
const REPEATABLE = /^[\x20-\x7e]{1,500}$/;
const PAGES: ReadonlySet<string> = new Set(["text/html", "application/xhtml+xml"]);
const ASKED = {
  "user-agent": "ctxdb",
  accept: "text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, */*;q=0.8",
  "accept-encoding": "gzip, deflate, br",
};

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Readable;
}

export const isPage = (contentType: string): boolean => PAGES.has(contentType);

/**
 * Fetches a URL into a file; undefined if unchanged. Checks every hop, and connects only to the checked
 * address. Errors: PERMISSION_DENIED (forbidden address), UNAVAILABLE (unreachable), NOT_FOUND (404),
 * DEADLINE_EXCEEDED (too slow), INVALID_ARGUMENT (other status, redirect loop, too large).
 */
export async function fetchFile(
  start: URL,
  folder: ScratchFolder,
  {
    guard,
    limits,
    signal,
    onFetched,
    known,
  }: { readonly guard: AddressGuard; readonly limits: FetchLimits } & FetchOptions,
): Promise<FetchedFile | undefined> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(tooSlow(start.host, TOTAL_LIMIT_MS)), TOTAL_LIMIT_MS);
  const until = AbortSignal.any([signal, late.signal]);
  const seen = new Set<string>();
  try {
    for (let url = start; ; ) {
      if (seen.has(url.href) || seen.size > MAX_HOPS)
        throw invalidArgument("path", "the URL has too many redirects");
      seen.add(url.href);
      const addresses = await guard.addressesOf(url.hostname, portOf(url));
      const asked = known === undefined ? {} : conditionsOf(known.version, url);
      const next = await hop(url, addresses, asked, until, async (answer) =>
        answer.status === NOT_MODIFIED && Object.keys(asked).length > 0
          ? undefined
          : receive(answer, url, folder, { limits, signal: until, onFetched }),
      );
      if (!(next instanceof URL)) return next;
      url = next;
    }
  } catch (error) {
    until.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function tooLittle(host: string, ms: number): ServiceError {
  const reason = `${host} sent fewer than ${LEAST_BYTES_PER_SECOND} bytes a second`;
  return new ServiceError("DEADLINE_EXCEEDED", reason, {
    operation: "fetch",
    reason,
    timeout: Math.round(ms / 1000),
  });
}

/**
 * Conditions for a request to the URL that sent the validators; none for other URLs, to which they mean
 * nothing.
 */
const conditionsOf = (
  { url, etag, last_modified }: FetchedVersion,
  { href }: URL,
): Readonly<Record<string, string>> =>
  url === href
    ? { ...(etag && { "if-none-match": etag }), ...(last_modified && { "if-modified-since": last_modified }) }
    : {};

async function hop(
  url: URL,
  addresses: readonly Address[],
  conditions: Readonly<Record<string, string>>,
  signal: AbortSignal,
  receiveAnswer: (answer: Answer) => Promise<FetchedFile | undefined>,
): Promise<FetchedFile | URL | undefined> {
  try {
    const { message, end } = await askAt(addresses, url, {
      method: "GET",
      headers: { ...ASKED, ...conditions },
      signal,
    });
    try {
      const { statusCode: status = 0, headers } = message;
      if (REDIRECTS.has(status) && headers.location !== undefined) return webAddress(headers.location, url);
      return await receiveAnswer({ status, headers, body: message });
    } finally {
      end();
    }
  } catch (error) {
    throw translated(error, url);
  }
}

async function receive(
  { status, headers, body }: Answer,
  url: URL,
  folder: ScratchFolder,
  { limits, signal, onFetched }: { readonly limits: FetchLimits } & FetchOptions,
): Promise<FetchedFile> {
  if (status === 404 || status === 410) throw notFound("URL", shownAddress(url.href));
  if (status !== 200 && status !== 203)
    throw invalidArgument("path", `${url.host} answered with HTTP status ${status}`);
  const [contentType, charset] = typeOf(headers["content-type"]);
  const limit = isPage(contentType) ? limits.maxPageBytes : limits.maxBytes;
  const announced = Number(headers["content-length"] ?? 0) || 0;
  if (announced > limit) throw tooLarge(limit);
  const file = join(folder.path, "fetched");
  let bytes = 0;
  const hash = createHash("sha256");
  const begun = performance.now();
  const counted = async function* (parts: AsyncIterable<Buffer>) {
    for await (const part of parts) {
      bytes += part.length;
      const ms = performance.now() - begun;
      if (ms > RATE_PERIOD_MS && bytes < (LEAST_BYTES_PER_SECOND * ms) / 1000) throw tooLittle(url.host, ms);
      if (bytes > limit) throw tooLarge(limit);
      hash.update(part);
      onFetched(bytes, Math.max(announced, bytes));
      yield part;
    }
  };
  const decoder = decoderOf(headers["content-encoding"]);
  const target = createWriteStream(file);
  if (decoder) await pipeline(body, decoder, counted, target, { signal });
  else await pipeline(body, counted, target, { signal });
  const [etag, lastModified] = [repeatable(headers.etag), repeatable(headers["last-modified"])];
  const fileName = fileNameOf(headers["content-disposition"]);
  return { file, url, contentType, charset, fileName, bytes, hash: hash.digest("hex"), etag, lastModified };
}

const tooLarge = (limit: number) =>
  invalidArgument("path", `the content of the URL is larger than ${limit} bytes`);

function typeOf(header: string | string[] | undefined): [type: string, charset: string | undefined] {
  const [type = "", ...parameters] = String(header ?? "")
    .toLowerCase()
    .split(";");
  const charset = parameters
    .map((text) => /^\s*charset="?([\w:.-]{1,40})"?\s*$/.exec(text)?.[1])
    .find((found) => found !== undefined);
  return [type.trim(), charset];
}

const repeatable = (header: string | string[] | undefined): string | undefined =>
  typeof header === "string" && REPEATABLE.test(header) ? header : undefined;

function decoderOf(header: string | string[] | undefined) {
  const encoding = String(header ?? "")
    .trim()
    .toLowerCase();
  if (encoding === "" || encoding === "identity") return undefined;
  if (encoding === "gzip" || encoding === "x-gzip") return createGunzip();
  if (encoding === "deflate") return createInflate();
  if (encoding === "br") return createBrotliDecompress();
  throw invalidArgument("path", "the response of the URL has an unsupported or damaged content encoding");
}

function fileNameOf(header: string | string[] | undefined): string | undefined {
  const text = String(header ?? "");
  const extended = /filename\*\s*=\s*utf-8''([^;\s]{1,700})/i.exec(text)?.[1];
  if (extended !== undefined) return decoded(extended);
  return /filename\s*=\s*(?:"([^"]{1,255})"|([^;\s]{1,255}))/i.exec(text)?.slice(1).find(Boolean);
}
