import { clientLeft } from "./call.ts";
import type { HttpRequest } from "./connections.ts";
import { tooLarge } from "./errors.ts";

/** The name under which the limit on bodies is set. */
export const BODY_SETTING = "CTXDB_MAX_BODY_BYTES";

/** The whole body, at most `limit` bytes: beyond that 413 at once, without reading on. */
export function readBody(request: HttpRequest, limit: number): Promise<Buffer> {
  if (Number(request.headers["content-length"]) > limit) return Promise.reject(tooLarge("body", limit, BODY_SETTING));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else fail(tooLarge("body", limit, BODY_SETTING));
    };
    const onEnd = () => {
      release();
      resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size));
    };
    const onGone = () => fail(clientLeft());
    const release = () => {
      request.off("data", onData);
      request.off("end", onEnd);
      request.off("error", onGone);
      request.off("close", onGone);
    };
    const fail = (error: Error) => {
      release();
      reject(error);
    };
    request.on("data", onData);
    request.on("end", onEnd);
    request.on("error", onGone);
    request.on("close", onGone);
  });
}
