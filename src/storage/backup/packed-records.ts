import { promisify } from "node:util";
import { crc32, gunzip as gunzipCallback, gzip as gzipCallback } from "node:zlib";

const gzip = promisify(gzipCallback);
const gunzip = promisify(gunzipCallback);

/** Fastest compression level, because the server keeps serving calls meanwhile. */
const LEVEL = 1;
/** Minimum size of a segment in bytes. */
const MIN_BYTES = 256 * 1024;
/** Size in bytes at which a segment ends after any key; its last record may exceed it. */
const MAX_BYTES = 4 * 1024 * 1024;
/** On average, one key in this many ends a segment. */
const CUT_ONE_IN = 1024;
/** Maximum unpacked size of a segment in bytes: the store's largest record and its neighbours. */
const MAX_UNPACKED_BYTES = 256 * 1024 * 1024;
const LENGTH_BYTES = 4;

export type Pair = [key: string, value: Uint8Array];

/**
 * Splits records in key order into segments. The boundaries depend on keys, not positions: if a record
 * changes, only its segment differs from the earlier backup.
 */
export async function* segmentsOf(pages: AsyncIterable<readonly Pair[]>): AsyncGenerator<Uint8Array[]> {
  let parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const page of pages) {
    for (const [key, value] of page) {
      const name = Buffer.from(key);
      parts.push(lengthOf(name), name, lengthOf(value), value);
      bytes += 2 * LENGTH_BYTES + name.byteLength + value.byteLength;
      const mayEnd = bytes >= MIN_BYTES && crc32(name) % CUT_ONE_IN === 0;
      if (!mayEnd && bytes < MAX_BYTES) continue;
      yield parts;
      [parts, bytes] = [[], 0];
    }
  }
  if (parts.length > 0) yield parts;
}

export const packSegment = (parts: readonly Uint8Array[]): Promise<Buffer> =>
  gzip(Buffer.concat(parts), { level: LEVEL });

/** Unpacks the records of a segment. Throws Error if it does not consist of complete records. */
export async function unpackSegment(packed: Uint8Array): Promise<Pair[]> {
  const content = await gunzip(packed, { maxOutputLength: MAX_UNPACKED_BYTES });
  const pairs: Pair[] = [];
  let at = 0;
  const field = (): Buffer => {
    const start = at + LENGTH_BYTES;
    const end = start <= content.byteLength ? start + content.readUInt32LE(at) : Number.POSITIVE_INFINITY;
    if (end > content.byteLength) throw new Error("the segment ends within a record");
    at = end;
    return content.subarray(start, end);
  };
  while (at < content.byteLength) pairs.push([field().toString(), field()]);
  return pairs;
}

function lengthOf({ byteLength }: Uint8Array): Buffer {
  const length = Buffer.allocUnsafe(LENGTH_BYTES);
  length.writeUInt32LE(byteLength);
  return length;
}
