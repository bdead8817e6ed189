import { ServiceError } from "../domain/errors.ts";
import { clientLeft, type RunningCall } from "./call.ts";
import type { HttpRequest } from "./connections/connections.ts";
import { tooLarge } from "./errors.ts";

/** Setting that limits request bodies. */
export const BODY_SETTING = "CTXDB_MAX_BODY_BYTES";

/** Maximum body size in bytes before authentication: open calls contain only names. */
export const OPEN_BODY_BYTES = 64 * 1024;

export const hasBody = ({ headers }: HttpRequest): boolean =>
  Number(headers["content-length"]) > 0 || headers["transfer-encoding"] !== undefined;

/** Idle timeout in ms of a body, which keeps memory of its account from other calls. */
const BODY_SILENCE_MS = 60_000;

const silentBody = () =>
  new ServiceError(
    "DEADLINE_EXCEEDED",
    `no byte of the body arrived for ${BODY_SILENCE_MS / 1000} s: send it again`,
    { operation: "body", timeout: BODY_SILENCE_MS / 1000 },
    { http: 408 },
  );

const tooLargeBody = (limit: number, setting: string) =>
  tooLarge("body", limit, limit === OPEN_BODY_BYTES ? "of calls without a key" : setting);

/**
 * Reads the whole body. Throws status 413 as soon as it exceeds `limit` bytes, and 408 if it stops arriving.
 * Received bytes count toward the call's memory. `setting`: the setting named in the error.
 */
export function readBody(
  request: HttpRequest,
  limit: number,
  call: Pick<RunningCall, "holdBody">,
  setting = BODY_SETTING,
  silenceMs = BODY_SILENCE_MS,
): Promise<Buffer> {
  if (Number(request.headers["content-length"]) > limit) return Promise.reject(tooLargeBody(limit, setting));
  return new Promise((resolve, reject) => {
    const body = new ArrivedBytes();
    const silence = setTimeout(() => fail(silentBody()), silenceMs);
    const onData = (chunk: Buffer) => {
      silence.refresh();
      if (body.size + chunk.length > limit) return fail(tooLargeBody(limit, setting));
      body.add(chunk);
      try {
        call.holdBody(body.size);
      } catch (error) {
        fail(error);
      }
    };
    const onEnd = () => {
      release();
      resolve(body.bytes);
    };
    const onGone = () => fail(clientLeft());
    const release = () => {
      clearTimeout(silence);
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

/** Initial buffer size for a body of several chunks. */
const FIRST_ROOM_BYTES = 16 * 1024;

/**
 * Collects chunks in one buffer of at most twice their total size. Keeping the chunks would take a hundred
 * times their size if a client sent one byte in each.
 */
export class ArrivedBytes {
  size = 0;
  #room: Buffer = Buffer.alloc(0);

  add(chunk: Buffer): void {
    const size = this.size + chunk.length;
    // most bodies are a single chunk, which is used directly
    if (this.size === 0) this.#room = chunk;
    else {
      if (size > this.#room.length) this.#grow(size);
      this.#room.set(chunk, this.size);
    }
    this.size = size;
  }

  get bytes(): Buffer {
    return this.#room.subarray(0, this.size);
  }

  #grow(least: number): void {
    const room = Buffer.allocUnsafeSlow(Math.max(FIRST_ROOM_BYTES, least, this.size * 2));
    room.set(this.bytes);
    this.#room = room;
  }
}
