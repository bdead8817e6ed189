import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { isDeepStrictEqual } from "node:util";
import type { HttpAnswer } from "../../base/http-client.ts";
import { sha256 } from "../../base/sha256.ts";
import { answerParser } from "./bucket-listing.ts";
import type { S3Content, S3Request } from "./s3-request.ts";

/** Size of a part in bytes, and maximum number of parts: larger objects have larger parts. */
export const PART_BYTES = 64 * 1024 * 1024;
const MAX_PARTS = 10_000;
const HOUR_MS = 3_600_000;
/** Age in ms above which an incomplete upload is considered abandoned. */
export const ABANDONED_MS = 24 * HOUR_MS;

const NO_LIST = [400, 403, 404, 405, 501];

type Ask = (request: S3Request, statuses: readonly number[]) => Promise<HttpAnswer>;
type TextOf = (answer: HttpAnswer) => Promise<string>;

/**
 * Uploads an object in parts, each of which is retried separately. The object appears after the last part; if
 * the upload fails, its parts are removed.
 */
export async function putInParts(
  { ask, textOf }: { ask: Ask; textOf: TextOf },
  key: string,
  { open, bytes }: S3Content,
  partBytes: number,
): Promise<void> {
  const begun = await textOf(await ask({ method: "POST", key, query: { uploads: "" } }, [200]));
  const [uploadId] = textsIn(begun, "UploadId");
  if (uploadId === undefined) throw new Error("the object store did not name the upload");
  try {
    const size = Math.max(partBytes, Math.ceil(bytes / MAX_PARTS));
    const tags: string[] = [];
    for (let start = 0; start < bytes; start += size) {
      const range = { start, end: Math.min(start + size, bytes) };
      const hash = await hashOf(open(range));
      const query = { partNumber: String(tags.length + 1), uploadId };
      const content = { open: () => open(range), bytes: range.end - start, sha256: hash };
      const answer = await ask({ method: "PUT", key, query, content }, [200]);
      tags.push(String(answer.message.headers.etag ?? ""));
      await textOf(answer);
    }
    const said = await textOf(
      await ask({ method: "POST", key, query: { uploadId }, content: listOf(tags) }, [200]),
    );
    // the status is sent before the parts are joined
    const [fault] = textsIn(said, "Code");
    if (fault !== undefined) throw new Error(`the object store did not join the parts: ${fault}`);
  } catch (error) {
    // an upload that cannot be aborted now is aborted later because of its age
    await abort({ ask, textOf }, key, uploadId).catch(() => undefined);
    throw error;
  }
}

/** Aborts uploads below a prefix that were begun before `before`, Unix time in ms. Returns how many. */
export async function abortAbandoned(
  asking: { ask: Ask; textOf: TextOf },
  prefix: string,
  before: number,
): Promise<number> {
  let aborted = 0;
  let from: Record<string, string> | undefined = {};
  for (let page = 0; from && page < MAX_PAGES; page++) {
    // not every store supports a prefix here, and some do not support or permit this listing
    const query: Record<string, string> = { uploads: "", ...from };
    const answer = await asking.ask({ method: "GET", key: "", query }, [200, ...NO_LIST]);
    const said = await asking.textOf(answer);
    if (answer.message.statusCode !== 200) return aborted;
    const [keys, ids, times] = ["Key", "UploadId", "Initiated"].map((name) => textsIn(said, name));
    for (const [at, key] of (keys ?? []).entries()) {
      const uploadId = ids?.[at];
      const isOld = Date.parse(times?.[at] ?? "") < before;
      if (uploadId === undefined || !isOld || !key.startsWith(prefix)) continue;
      await abort(asking, key, uploadId);
      aborted++;
    }
    const next = nextPage(said);
    // a page that names itself as the next one repeats forever
    from = isDeepStrictEqual(next, from) ? undefined : next;
  }
  return aborted;
}

/** Maximum number of pages of uploads, of 1,000 each; a store may repeat them forever. */
const MAX_PAGES = 1000;

/** Where the next page of uploads begins; undefined on the last page. */
function nextPage(said: string): Record<string, string> | undefined {
  const [key] = textsIn(said, "NextKeyMarker");
  const [id] = textsIn(said, "NextUploadIdMarker");
  if (textsIn(said, "IsTruncated")[0] !== "true" || !key) return undefined;
  return { "key-marker": key, ...(id ? { "upload-id-marker": id } : {}) };
}

async function abort(
  { ask, textOf }: { ask: Ask; textOf: TextOf },
  key: string,
  uploadId: string,
): Promise<void> {
  await textOf(await ask({ method: "DELETE", key, query: { uploadId } }, [200, 204, 404]));
}

async function hashOf(content: Readable): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of content) hash.update(chunk as Uint8Array);
  return hash.digest("hex");
}

function listOf(tags: readonly string[]): NonNullable<S3Request["content"]> {
  const escaped = (tag: string) => tag.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  const parts = tags.map(
    (tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${escaped(tag)}</ETag></Part>`,
  );
  return bytesOf(Buffer.from(`<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`));
}

/** Content in memory. */
export const bytesOf = (content: Uint8Array): S3Content => ({
  open: (range) => Readable.from([content.subarray(range?.start, range?.end)]),
  bytes: content.byteLength,
  sha256: sha256(content),
});

/** Texts of the elements with a name, in order. */
function textsIn(xml: string, wanted: string): string[] {
  const found: string[] = [];
  let text: string | undefined;
  const parser = answerParser();
  parser.on("opentag", ({ name }) => {
    text = name === wanted ? "" : undefined;
  });
  parser.on("text", (more) => {
    if (text !== undefined) text += more;
  });
  parser.on("closetag", ({ name }) => {
    if (name === wanted && text !== undefined) found.push(text.trim());
    text = undefined;
  });
  parser.write(xml).close();
  return found;
}
