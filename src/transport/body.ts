import { itemAt } from "../base/expect.ts";
import { clientLeft, type RunningCall } from "./call.ts";
import type { HttpRequest } from "./connections/connections.ts";
import { tooLarge } from "./errors.ts";

/** The name under which the limit on bodies is set. */
export const BODY_SETTING = "CTXDB_MAX_BODY_BYTES";

/** Bytes of what is read before anybody is asked for a key: calls that are open to all hold names. */
export const OPEN_BODY_BYTES = 64 * 1024;

const tooLargeBody = (limit: number) =>
  tooLarge("body", limit, limit === OPEN_BODY_BYTES ? "of calls without a key" : BODY_SETTING);

/**
 * The whole body, at most `limit` bytes: beyond that 413 at once, without reading on. What has arrived counts
 * for its call.
 */
export function readBody(
  request: HttpRequest,
  limit: number,
  call: Pick<RunningCall, "holdBody">,
): Promise<Buffer> {
  if (Number(request.headers["content-length"]) > limit) return Promise.reject(tooLargeBody(limit));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) return fail(tooLargeBody(limit));
      chunks.push(chunk);
      try {
        call.holdBody(size);
      } catch (error) {
        fail(error);
      }
    };
    const onEnd = () => {
      release();
      resolve(chunks.length === 1 ? itemAt(chunks, 0) : Buffer.concat(chunks, size));
    };
    const onGone = () => fail(clientLeft());
    const release = () => {
      request.off("data", onData);
      request.off("end", onEnd);
      request.off("error", onGone);
      request.off("close", onGone);
    };
    const fail = (error: unknown) => {
      release();
      reject(error);
    };
    request.on("data", onData);
    request.on("end", onEnd);
    request.on("error", onGone);
    request.on("close", onGone);
  });
}
