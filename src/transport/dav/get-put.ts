import { create, isMessage } from "@bufbuild/protobuf";
import { ContentService } from "../../../gen/ctxdb/v1/content_pb.ts";
import { ResourceService, UploadFileResponseSchema } from "../../../gen/ctxdb/v1/resource_pb.ts";
import { invalidArgument } from "../../domain/errors.ts";
import { putFile } from "../../service/content/put-file.ts";
import type { NodeDescription } from "../../service/filesystem/describe-nodes.ts";
import { FOREIGN_CONTENT_POLICY } from "../guarded-response.ts";
import { entityTags } from "../headers.ts";
import { secretWarnings, warningHeader } from "../pipeline/warnings.ts";
import { bodyPieces } from "../request-body.ts";
import { sendFile } from "../rest/send-file.ts";
import { conditionFails, notHere } from "./dav-error.ts";
import type { DavAnswer, DavExchange } from "./exchange.ts";
import { hrefOf } from "./paths.ts";
import { checkPreconditions } from "./preconditions.ts";

/**
 * Files that desktops create next to the user's files: resource forks and settings of Finder, thumbnails and
 * settings of Explorer, lock files of office programs. They are stored but not indexed.
 */
const DESKTOP_FILE = /^(?:\._.*|\.DS_Store|\.apdisk|Thumbs\.db|desktop\.ini|~\$.*|\.~lock\..*#)$/i;

/**
 * Maximum bytes of a body held in memory; larger ones, and those of unknown length, are stored on disk while
 * they arrive.
 */
const MAX_HELD_BYTES = 1024 * 1024;

/** GET and HEAD: the stored content; for a folder, a line that describes it. */
export async function get(exchange: DavExchange): Promise<DavAnswer | undefined> {
  const { context, call, path, request, response, headers } = exchange;
  await context.pipeline.turn(call);
  const { self } = await exchange.describe(path);
  await checkPreconditions(exchange, []);
  if (self.isDirectory) return folder();
  const modified = { "Last-Modified": new Date(self.modified).toUTCString() };
  const kept = keptAnswer(exchange, self);
  if (kept) return { ...kept, headers: { ...kept.headers, ...modified } };
  const { downloadContent } = ContentService.method;
  const operation = exchange.operation(downloadContent, "download");
  const asked = create(downloadContent.input, { uri: exchange.uri() });
  const stream = await context.pipeline.download(call, operation, asked);
  await sendFile(request, response, stream, headers, () => ({
    "X-Request-Id": call.requestId,
    ...modified,
  }));
  return undefined;
}

/**
 * Status 304 if the client has this content already; otherwise undefined. Throws status 412 if the client
 * requires another content.
 */
function keptAnswer(
  { headers, path }: DavExchange,
  { etag, modified }: NodeDescription,
): DavAnswer | undefined {
  const isAmong = (header: string) => {
    const tags = entityTags(header);
    return tags.includes("*") || (etag !== undefined && tags.includes(etag));
  };
  const wanted = headers.get("if-match");
  if (wanted !== undefined && !isAmong(wanted))
    throw conditionFails(hrefOf(path, false), "its content does not match If-Match");
  const known = headers.get("if-none-match");
  const since = Date.parse(headers.get("if-modified-since") ?? "");
  const isKnown = known === undefined ? Math.floor(modified / 1000) * 1000 <= since : isAmong(known);
  return isKnown ? { status: 304, headers: etag === undefined ? {} : { ETag: `"${etag}"` } } : undefined;
}

const folder = (): DavAnswer => ({
  status: 200,
  headers: { "Content-Type": "text/plain; charset=utf-8", "Content-Security-Policy": FOREIGN_CONTENT_POLICY },
  body: "This is a folder of ctxdb for WebDAV clients: connect a file manager to this address.\n",
});

/** PUT: the content is durable when the response is sent. */
export async function put(exchange: DavExchange): Promise<DavAnswer> {
  const { context, call, path, headers } = exchange;
  if (headers.get("content-range") !== undefined)
    throw invalidArgument("Content-Range", "must be left out: a PUT writes the whole file");
  await context.pipeline.turn(call);
  // also check before the body arrives, so that a large body is not sent for nothing
  await checkPut(exchange);
  const content = await received(exchange);
  const { mustBeNew, etags } = await checkAgain(exchange, content);
  call.ifMatch = etags;
  const isIndexed = !DESKTOP_FILE.test(path.at(-1) ?? "");
  const stored = call.span.within(() =>
    putFile(context.deps, call, { uri: exchange.uri(), content, mustBeNew, isIndexed }),
  );
  const { isNew, etag } = await call.untilEnded(stored);
  const { secrets } = call.reply;
  const warning = warningHeader(secretWarnings(call.reply));
  // an ETag would say that exactly the sent bytes were stored
  const isAsSent = etag !== undefined && secrets?.mode !== "redact";
  return {
    status: isNew ? 201 : 204,
    headers: { ...(isAsSent && { ETag: `"${etag}"` }), ...(warning !== undefined && { Warning: warning }) },
  };
}

/** The body, or the id of an upload with it. */
type Content = Uint8Array | { readonly upload: string };

/** What the stored file must fulfil when it is replaced. */
interface PutCondition {
  readonly mustBeNew: boolean;
  /** Entity tags of which it must have one; undefined: any. */
  readonly etags: readonly string[] | undefined;
}

/** Repeats the checks after the body was received; removes a received upload if the file may not be written. */
async function checkAgain(exchange: DavExchange, content: Content): Promise<PutCondition> {
  try {
    if ("upload" in content) await exchange.admit();
    const condition = await checkPut(exchange);
    await exchange.free(exchange.path);
    return condition;
  } catch (error) {
    // an upload that cannot be removed now expires later
    if ("upload" in content)
      await exchange.context.deps.uploads.discard(content.upload).catch(() => undefined);
    throw error;
  }
}

/** Throws unless the file may be written now. */
async function checkPut(exchange: DavExchange): Promise<PutCondition> {
  const { path, headers } = exchange;
  const before = await exchange.find(path);
  if (before?.isDirectory) throw notHere("PUT", hrefOf(path, true), "it is a folder");
  if (before === undefined) await exchange.checkParent(path);
  await exchange.checkWritable(path);
  const { etag: known } = await checkPreconditions(exchange, [{ path, isMember: before === undefined }]);
  const others = entityTags(headers.get("if-none-match") ?? "");
  const mustBeNew = others.includes("*");
  if (before && (mustBeNew || (before.etag !== undefined && others.includes(before.etag))))
    throw conditionFails(hrefOf(path, false), "its content matches If-None-Match");
  const header = headers.get("if-match");
  const wanted = header === undefined ? undefined : entityTags(header);
  // If and If-Match must both hold
  const isOpen = wanted === undefined || wanted.includes("*");
  const etags = known === undefined ? wanted : [known].filter((tag) => isOpen || wanted.includes(tag));
  return { mustBeNew, etags };
}

/**
 * Receives the body: a small one in memory, any other as an upload on disk, so that slow senders use no
 * memory.
 */
async function received(exchange: DavExchange): Promise<Content> {
  const { context, call, request, path, headers } = exchange;
  if (Number(headers.get("content-length") ?? Number.NaN) <= MAX_HELD_BYTES)
    return exchange.receive(MAX_HELD_BYTES, "of WebDAV");
  exchange.checkEncoding();
  const operation = exchange.operation(ResourceService.method.uploadFile, "upload");
  const file = { name: path.at(-1) ?? "", contentType: undefined, bytes: bodyPieces(request, call) };
  const answer = await context.pipeline.upload(call, operation, file);
  if (!isMessage(answer, UploadFileResponseSchema))
    throw new Error(`unexpected response to an upload: ${answer.$typeName}`);
  return { upload: answer.tempFileId };
}
