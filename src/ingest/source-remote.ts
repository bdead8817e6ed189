import { createReadStream, createWriteStream } from "node:fs";
import { readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { TextDecoder } from "node:util";
import type { Budget } from "../base/budget.ts";
import { lastOf, present } from "../base/expect.ts";
import { invalidArgument } from "../domain/errors.ts";
import { extensionOf, stemOf } from "../domain/text/names.ts";
import type { Scratch, ScratchFolder } from "../storage/scratch.ts";
import { filesOfArchive } from "./archive.ts";
import type { FetchedFile } from "./fetch/fetch-file.ts";
import type { AddressGuard } from "./fetch/guard.ts";
import { decoded, portOf } from "./fetch/web-address.ts";
import type { ImportFilter } from "./import-filter.ts";
import {
  type FetchedVersion,
  type ImportSource,
  identityOf,
  type Opening,
  type RemoteSpec,
  type SourceHead,
} from "./source.ts";
import { archiveStem, charge, openArchive } from "./source-archive.ts";
import type { SourceFile } from "./source-file.ts";
import { legalSegment } from "./source-name.ts";

export interface RemoteSourceDeps {
  readonly guard: AddressGuard;
  readonly scratch: Scratch;
  /** Scratch disk budget in bytes, by account. */
  readonly room: Budget<number>;
  readonly limits: {
    readonly maxFiles: number;
    /** Maximum bytes of all files of a source. */
    readonly maxBytes: number;
    /** Maximum bytes per file, as for uploads. */
    readonly maxFileBytes: number;
  };
}

/** Maximum bytes of an HTML page, which is parsed as a whole. */
const MAX_PAGE_BYTES = 16 * 1024 * 1024;
const INDEX = "index";
const BOM = "\ufeff";
/** Bytes that are re-encoded at once. */
const RECODED_BYTES = 256 * 1024;

/** File extensions by media type, for names without one. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  "text/html": "html",
  "application/xhtml+xml": "html",
  "text/markdown": "md",
  "text/plain": "txt",
  "text/csv": "csv",
  "application/json": "json",
  "application/yaml": "yaml",
  "application/xml": "xml",
  "text/xml": "xml",
  "application/pdf": "pdf",
  "application/zip": "zip",
  "application/gzip": "tar.gz",
  "application/x-tar": "tar",
  "application/epub+zip": "epub",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
  "application/vnd.openxmlformats-officedocument.presentationml.presentation": "pptx",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
  "application/vnd.oasis.opendocument.text": "odt",
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/gif": "gif",
  "image/webp": "webp",
  "audio/mpeg": "mp3",
  "video/mp4": "mp4",
};
const PAGE_EXTENSIONS: ReadonlySet<string> = new Set(["html", "htm", "xhtml"]);

/** Metadata of a remote source, after checking its address. */
export async function remoteHead(spec: RemoteSpec, guard: AddressGuard): Promise<SourceHead> {
  const url = new URL(spec.url);
  await guard.addressesOf(url.hostname, portOf(url));
  if (spec.kind === "url") {
    const name = nameIn(url);
    return {
      name: archiveStem(name) ?? stemOf(name),
      isDirectory: true,
      identity: identityOf("url", url.href),
    };
  }
  const tree = spec.tree ?? [];
  const name = tree.length > 1 ? lastOf(tree) : nameIn(url).replace(/\.git$/, "");
  return {
    name: legalSegment(name),
    isDirectory: true,
    identity: identityOf("git", [url.href, ...tree].join("#")),
  };
}

/**
 * Fetches a remote source. `close` deletes the fetched files. Errors as in `fetchFile` and `fetchRepository`.
 */
export async function openRemote(
  spec: RemoteSpec,
  filter: ImportFilter,
  deps: RemoteSourceDeps,
  opening: Opening,
): Promise<ImportSource> {
  const head = await remoteHead(spec, deps.guard);
  const folder = await deps.scratch.folder();
  const { guard, limits } = deps;
  const about = { ...limits, field: "path" };
  try {
    if (spec.kind === "git")
      return { ...head, ...(await openRepository(spec, filter, folder, deps, opening)) };
    const { fetchFile } = await import("./fetch/fetch-file.ts");
    const bounds = { maxBytes: limits.maxFileBytes, maxPageBytes: MAX_PAGE_BYTES };
    const fetched = await fetchFile(new URL(spec.url), folder, { guard, limits: bounds, ...opening });
    if (fetched === undefined)
      return {
        ...head,
        ...unchanged(present(opening.known, "earlier state of the page")),
        close: folder.remove,
      };
    const name = fileName(fetched);
    if (archiveStem(name) !== undefined) {
      const opened = await openArchive(fetched.file, name, filter, { ...deps, limits: about, ...opening });
      return {
        ...head,
        ...opened,
        close: () => Promise.all([opened.close?.(), folder.remove()]).then(() => undefined),
      };
    }
    const file = await keep(fetched, folder.path, name, { ...opening, maxBytes: limits.maxFileBytes });
    return {
      ...head,
      files: [file],
      bytes: fetched.bytes,
      warnings: [],
      ...versionOf(fetched, name),
      close: folder.remove,
    };
  } catch (error) {
    await folder.remove();
    throw error;
  }
}

/** Fetches a repository. The archive of its files counts as scratch disk of the account until `close`. */
async function openRepository(
  spec: Extract<RemoteSpec, { kind: "git" }>,
  filter: ImportFilter,
  folder: ScratchFolder,
  { guard, limits, room }: RemoteSourceDeps,
  { workspace, ...opening }: Opening,
): Promise<Omit<ImportSource, keyof SourceHead>> {
  const { fetchRepository } = await import("./fetch/git.ts");
  const { openTar } = await import("./tar.ts");
  const lease = room.take(workspace, 0);
  const { maxBytes, maxFileBytes } = limits;
  try {
    const tar = await fetchRepository(spec, folder, {
      ...opening,
      guard,
      maxBytes,
      onArchived: (bytes) => charge(lease, bytes),
    });
    const archive = await openTar(tar, { ...limits, field: "path" });
    const close = () => folder.remove().then(() => lease.release());
    return { ...(await filesOfArchive(archive, filter, maxFileBytes)), close };
  } catch (error) {
    lease.release();
    throw error;
  }
}

/** The commit that an import of a repository would fetch. Errors as in `fetchRepository`. */
export async function remoteCommit(
  spec: Extract<RemoteSpec, { kind: "git" }>,
  { guard, scratch, limits }: RemoteSourceDeps,
  signal: AbortSignal,
): Promise<string> {
  await remoteHead(spec, guard);
  const { commitOf } = await import("./fetch/git.ts");
  const folder = await scratch.folder();
  try {
    return await commitOf(spec, folder, {
      guard,
      maxBytes: limits.maxBytes,
      signal,
      onFetched: () => undefined,
    });
  } finally {
    await folder.remove();
  }
}

/** Name from a URL: the last path segment, otherwise the host. */
function nameIn(url: URL): string {
  const last = url.pathname
    .split("/")
    .filter((part) => part !== "")
    .at(-1);
  return legalSegment(last === undefined ? url.hostname : decoded(last)).replace(/^\.+/, "_");
}

/**
 * File name of fetched content. An HTML page gets an HTML extension; other files get an extension by media
 * type only if they have none.
 */
function fileName({ url, contentType, fileName: given }: FetchedFile): string {
  const isRoot = url.pathname.replaceAll("/", "") === "";
  const name =
    given === undefined
      ? isRoot
        ? INDEX
        : nameIn(url)
      : legalSegment(lastOf(given.split(/[\\/]/))).replace(/^\.+/, "_");
  const extension = (Object.hasOwn(EXTENSIONS, contentType) && EXTENSIONS[contentType]) || "";
  if (extension === "html") return PAGE_EXTENSIONS.has(extensionOf(name)) ? name : `${name}.html`;
  return extensionOf(name) === "" && extension !== "" ? `${name}.${extension}` : name;
}

/** The stored file, which the import then recognises as unchanged. */
const unchanged = ({
  version,
  read,
}: NonNullable<Opening["known"]>): Omit<ImportSource, keyof SourceHead> => ({
  files: [{ relPath: [version.name], read, base: version.url }],
  bytes: 0,
  warnings: [],
  version,
});

/** Validators for the next fetch; files that were re-encoded have none. */
function versionOf(
  { url, hash, charset, etag, lastModified }: FetchedFile,
  name: string,
): { readonly version?: FetchedVersion } {
  if (!isUtf8(charset) || (etag === undefined && lastModified === undefined)) return {};
  return {
    version: {
      url: url.href,
      name,
      hash,
      ...(etag && { etag }),
      ...(lastModified && { last_modified: lastModified }),
    },
  };
}

const isUtf8 = (charset: string | undefined): charset is undefined | "utf-8" | "utf8" =>
  charset === undefined || charset === "utf-8" || charset === "utf8";

async function keep(
  { file, url, charset }: FetchedFile,
  folder: string,
  name: string,
  { maxBytes, signal }: { readonly maxBytes: number; readonly signal: AbortSignal },
): Promise<SourceFile> {
  const kept = join(folder, "kept");
  if (isUtf8(charset)) await rename(file, kept);
  else {
    const pieces = createReadStream(file, { highWaterMark: RECODED_BYTES });
    await pipeline(pieces, recoding(decoderOf(charset), maxBytes), createWriteStream(kept), { signal });
    await rm(file);
  }
  return { relPath: [name], read: () => readFile(kept), base: url.href };
}

/**
 * Re-encodes text as UTF-8 with a byte order mark, because the charset of the response header is not stored.
 * From file to file: a compressed response of a few hundred kB may have half a gigabyte of text, which has
 * three times as many bytes in UTF-8.
 */
const recoding = (decoder: TextDecoder, maxBytes: number) =>
  async function* (pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let bytes = 0;
    const encoded = (text: string): Buffer => {
      const part = Buffer.from(text);
      bytes += part.byteLength;
      if (bytes > maxBytes)
        throw invalidArgument("path", `the content of the URL is larger than ${maxBytes} bytes in UTF-8`);
      return part;
    };
    yield Buffer.from(BOM);
    for await (const piece of pieces) yield encoded(decoder.decode(piece, { stream: true }));
    yield encoded(decoder.decode());
  };

function decoderOf(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch {
    throw invalidArgument(
      "path",
      `the response uses the character set ${charset}, which is not supported: use UTF-8`,
    );
  }
}
