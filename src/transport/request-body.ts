import type { Readable } from "node:stream";
import { ServiceError } from "../domain/errors.ts";
import { BodyPace, paced } from "./body-pace.ts";
import { clientLeft, type RunningCall } from "./call.ts";
import type { HttpRequest } from "./connections/connections.ts";
import { tooLarge } from "./errors.ts";

/** Setting that limits request bodies. */
export const BODY_SETTING = "CTXDB_MAX_BODY_BYTES";

/** Maximum body size in bytes before authentication: such calls send only names. */
export const OPEN_BODY_BYTES = 64 * 1024;

export const hasBody = ({ headers }: HttpRequest): boolean =>
  Number(headers["content-length"]) > 0 || headers["transfer-encoding"] !== undefined;

const tooLargeBody = (limit: number, setting: string) =>
  tooLarge("body", limit, limit === OPEN_BODY_BYTES ? "of calls without a key" : setting);

/**
 * Reads the whole body. Throws status 413 as soon as it exceeds `limit` bytes, and 408 if it arrives too
 * slowly. Received bytes count toward the call's memory. `setting`: the setting named in the error.
 */
export function readBody(
  request: HttpRequest,
  limit: number,
  call: Pick<RunningCall, "holdBody" | "pace">,
  setting = BODY_SETTING,
): Promise<Buffer> {
  if (Number(request.headers["content-length"]) > limit) return Promise.reject(tooLargeBody(limit, setting));
  return new Promise((resolve, reject) => {
    const body = new ArrivedBytes();
    const pace = new BodyPace(call.pace, (error) => fail(error));
    const onData = (chunk: Buffer) => {
      pace.arrived(chunk.length);
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
      pace.end();
      request.off("data", onData);
      request.off("end", onEnd);
      request.off("error", onGone);
      request.off("close", onGone);
    };
    const fail = (error: unknown) => {
      release();
      reject(error);
    };
    pace.wait();
    request.on("data", onData);
    request.on("end", onEnd);
    request.on("error", onGone);
    request.on("close", onGone);
  });
}

/**
 * The pieces of a body as they arrive, for bodies that are stored on disk. Throws status 408 if they arrive
 * too slowly. The rest of the body can still be drained.
 */
export async function* bodyPieces(
  request: HttpRequest,
  { pace }: Pick<RunningCall, "pace">,
): AsyncGenerator<Uint8Array> {
  const body: Readable = request;
  const next = paced(body.iterator({ destroyOnReturn: false }), pace);
  let isEnded = false;
  try {
    for (let piece = await next(); ; piece = await next()) {
      isEnded = piece.done === true;
      if (piece.done) return;
      yield piece.value;
    }
  } catch (error) {
    throw error instanceof ServiceError ? error : clientLeft();
  } finally {
    // the iterator may still wait, which would keep others from reading
    if (!isEnded) request.removeAllListeners("readable");
  }
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
