import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { codeOf } from "../../base/faults.ts";
import { invalidArgument, ServiceError } from "../../domain/errors.ts";
import { tooLarge } from "../errors.ts";
import { BODY_SETTING } from "../request-body.ts";

const HEAD_BYTES = 5;
const COMPRESSED = 0x01;
const TRAILERS = 0x80;

const inflate = promisify(gunzip);

/** Reads the single message of a unary request: one byte of flags, four bytes of length, the content. */
export async function readFrame(body: Buffer, encoding: string | undefined, limit: number): Promise<Buffer> {
  if (body.length < HEAD_BYTES) throw invalidArgument("request", "must be exactly one message");
  const end = HEAD_BYTES + body.readUInt32BE(1);
  if (end > body.length) throw invalidArgument("request", "is incomplete");
  const rest = body.subarray(end);
  if (rest.length > 0 && (rest.readUInt8(0) & TRAILERS) === 0)
    throw invalidArgument("request", "must be exactly one message");
  const message = body.subarray(HEAD_BYTES, end);
  return (body.readUInt8(0) & COMPRESSED) === 0 ? message : decompress(message, encoding, limit);
}

/** Decompresses `encoding` (identity or gzip) to at most `limit` bytes. */
export async function decompress(
  bytes: Buffer,
  encoding: string | undefined,
  limit: number,
): Promise<Buffer> {
  if (encoding === undefined || encoding === "identity" || bytes.length === 0) return bytes;
  if (encoding !== "gzip")
    throw new ServiceError(
      "UNIMPLEMENTED",
      `compression ${encoding.slice(0, 50)} is not supported: use gzip`,
    );
  try {
    return await inflate(bytes, { maxOutputLength: limit });
  } catch (error) {
    if (codeOf(error) === "ERR_BUFFER_TOO_LARGE") throw tooLarge("body", limit, BODY_SETTING);
    throw invalidArgument("request", "is not valid gzip");
  }
}

export function writeFrame(message: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(HEAD_BYTES + message.length);
  frame[0] = 0;
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, HEAD_BYTES);
  return frame;
}

/** The trailers as the last frame of a gRPC-Web body. */
export function writeTrailerFrame(trailers: Readonly<Record<string, string>>): Buffer {
  const lines = Object.entries(trailers).map(([name, value]) => `${name}: ${value}\r\n`);
  const frame = writeFrame(Buffer.from(lines.join(""), "latin1"));
  frame[0] = TRAILERS;
  return frame;
}
