import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { loadOnce } from "../base/load-once.ts";
import { packageRoot } from "../base/package-root.ts";
import { notFound } from "../domain/errors.ts";
import type { HttpRequest } from "./connections/connections.ts";
import type { Probe, ProbeAnswer } from "./probes.ts";
import { accepts, shared } from "./respond.ts";

const ROOT = "/studio";

/**
 * No inline scripts or styles, no external resources, no frames. Stored images are shown from `blob:` URLs.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const HEADERS = {
  "Content-Security-Policy": POLICY,
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  Vary: "Accept-Encoding",
};

/** The page is revalidated; its assets are named by content hash and never change. */
const REVALIDATED = "no-cache";
const IMMUTABLE = "public, max-age=31536000, immutable";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** A file to send. */
interface StaticFile {
  readonly etag: string;
  readonly plain: Uint8Array;
  /** The content, compressed at build time. */
  readonly brotli: Uint8Array | undefined;
}

/**
 * Serves Studio: files of the build by path. Every other path below it is a screen of the single-page
 * application.
 */
export class Studio {
  readonly #probes: ReadonlyMap<string, Probe>;
  readonly #page: Probe;

  constructor(folder = builtFolder()) {
    const names = isStudioBuilt(folder) ? filesIn(folder) : [];
    this.#probes = new Map(names.map((name) => [`${ROOT}/${name}`, fileOnce(join(folder, name))]));
    this.#page = this.#probes.get(`${ROOT}/index.html`) ?? missing;
  }

  /** Handler of a path; undefined outside `/studio`. */
  probe(path: string): Probe | undefined {
    if (path !== ROOT && !path.startsWith(`${ROOT}/`)) return undefined;
    const isFile = path.startsWith(`${ROOT}/assets/`) || TYPES[extname(path)] !== undefined;
    return this.#probes.get(path) ?? (isFile ? missing : this.#page);
  }
}

/** Whether a path belongs to Studio. */
export const isStudioPage = (path: string): boolean => path === ROOT || path.startsWith(`${ROOT}/`);

const missing: Probe = ({ url = ROOT }) => {
  throw notFound("route", `GET ${url.split("?")[0]} (npm run build:studio builds Studio)`);
};

/** Folder with the build output. */
const builtFolder = (): string => join(packageRoot(import.meta.url), "dist", "studio");

/** Whether Studio was built. */
export const isStudioBuilt = (folder = builtFolder()): boolean => existsSync(join(folder, "index.html"));

/** Relative paths of the files in a folder, with slashes. Only file types of the build are served. */
function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return entries
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => TYPES[extname(name)] !== undefined);
}

/** A file that is read on first use and cached; all responses share its bytes. */
function fileOnce(path: string): Probe {
  const file = loadOnce(() => readStatic(path));
  return async (request) => answerOf(await file(), path, request);
}

async function readStatic(path: string): Promise<StaticFile> {
  const plain = await readFile(path);
  const brotli = await readFile(`${path}.br`).catch(() => undefined);
  const etag = `"${createHash("sha256").update(plain).digest("base64url")}"`;
  return { etag, plain: shared(plain), brotli };
}

function answerOf({ etag, plain, brotli }: StaticFile, path: string, request: HttpRequest): ProbeAnswer {
  const contentType = TYPES[extname(path)] ?? "application/octet-stream";
  const cache = path.includes("/assets/") ? IMMUTABLE : REVALIDATED;
  const headers = { ...HEADERS, ETag: etag, "Cache-Control": cache };
  if (isKnown(request, etag)) return { status: 304, contentType, headers, body: "" };
  if (brotli === undefined || !accepts(request, "br"))
    return { status: 200, contentType, headers, body: plain };
  return { status: 200, contentType, headers: { ...headers, "Content-Encoding": "br" }, body: brotli };
}

/** Whether If-None-Match matches. */
function isKnown({ headers }: HttpRequest, etag: string): boolean {
  const known = headers["if-none-match"];
  return typeof known === "string" && known.split(",").some((one) => one.trim().replace(/^W\//, "") === etag);
}
