import { pipeline, Readable } from "node:stream";
import { crc32, createDeflateRaw, deflateRawSync } from "node:zlib";
import { EventLoopYielder } from "../base/event-loop.ts";

/** A file to add to a ZIP archive. */
export interface ZipInput {
  /** Path segments joined with `/`. */
  readonly name: string;
  /** Time of the last modification, Unix time in ms. */
  readonly modified: number;
  /** Size in bytes; may be omitted below 4 GiB. */
  readonly size?: number;
  /** Returns bytes directly for small files (at most 64 KiB), which are compressed at once. */
  readonly read: () => AsyncIterable<Uint8Array> | Uint8Array;
}

/** Entry of a written file in the central directory. */
interface Written {
  readonly name: Buffer;
  readonly time: number;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  readonly offset: number;
}

const LEVEL = 4;
/** Size in bytes at which collected small parts are sent. */
const PART_BYTES = 64 * 1024;
/** Maximum 32-bit number; larger values need ZIP64. */
const WIDE = 0xffffffff;
/** Size above which a file gets 64-bit size fields, because compression might enlarge it. */
const MAYBE_WIDE = 0xf0000000;
/** Flags: sizes follow the data; names are UTF-8. */
const FLAGS = 0x0808;
const DEFLATE = 8;
const ENTRIES_PER_PART = 500;

/**
 * Streams a zip file, one member after the other: the next file is requested when the previous one has been
 * read. Uses memory for one directory entry per file. Common zip packages search all entries for each file,
 * which is quadratic. If reading a file fails, the stream fails with the same error.
 */
export async function* zipOf(files: AsyncIterable<ZipInput>): AsyncGenerator<Uint8Array> {
  let parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of partsOf(files)) {
    parts.push(part);
    bytes += part.byteLength;
    if (bytes < PART_BYTES) continue;
    yield Buffer.concat(parts);
    parts = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(parts);
}

async function* partsOf(files: AsyncIterable<ZipInput>): AsyncGenerator<Uint8Array> {
  const yielder = new EventLoopYielder();
  const written: Written[] = [];
  let offset = 0;
  for await (const file of files) {
    const name = Buffer.from(file.name);
    const isWide = (file.size ?? 0) > MAYBE_WIDE;
    const time = dosTime(file.modified);
    const head = localHeader(name, time, isWide);
    yield head;
    const tally = { crc: 0, size: 0 };
    let packed = 0;
    const content = file.read();
    if (content instanceof Uint8Array) {
      const part = deflateRawSync(content, { level: LEVEL });
      Object.assign(tally, { crc: crc32(content), size: content.byteLength });
      packed = part.byteLength;
      yield part;
      await yielder.yieldIfDue();
    } else {
      for await (const part of deflated(content, tally)) {
        packed += part.byteLength;
        yield part;
      }
    }
    const tail = descriptor(tally.crc, packed, tally.size, isWide);
    yield tail;
    written.push({ name, time, packed, offset, ...tally });
    offset += head.byteLength + packed + tail.byteLength;
  }
  let length = 0;
  for (let at = 0; at < written.length; at += ENTRIES_PER_PART) {
    const part = Buffer.concat(written.slice(at, at + ENTRIES_PER_PART).map(directoryEntry));
    length += part.byteLength;
    yield part;
  }
  yield end(written.length, length, offset);
}

async function* deflated(
  parts: AsyncIterable<Uint8Array>,
  tally: { crc: number; size: number },
): AsyncGenerator<Uint8Array> {
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const part of parts) {
      tally.crc = crc32(part, tally.crc);
      tally.size += part.byteLength;
      yield part;
    }
  }
  const deflate = createDeflateRaw({ level: LEVEL });
  // errors on either side are thrown to the reader
  pipeline(Readable.from(counted(), { objectMode: false }), deflate, () => undefined);
  const deflated: AsyncIterable<Uint8Array> = deflate;
  yield* deflated;
}

function localHeader(name: Buffer, time: number, isWide: boolean): Buffer {
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x04034b50, 0);
  head.writeUInt16LE(isWide ? 45 : 20, 4);
  head.writeUInt16LE(FLAGS, 6);
  head.writeUInt16LE(DEFLATE, 8);
  head.writeUInt32LE(time, 10);
  head.writeUInt16LE(name.byteLength, 26);
  const extra = isWide ? wideField([0, 0]) : Buffer.alloc(0);
  head.writeUInt16LE(extra.byteLength, 28);
  return Buffer.concat([head, name, extra]);
}

function descriptor(crc: number, packed: number, size: number, isWide: boolean): Buffer {
  const tail = Buffer.alloc(isWide ? 24 : 16);
  tail.writeUInt32LE(0x08074b50, 0);
  tail.writeUInt32LE(crc, 4);
  if (isWide) {
    tail.writeBigUInt64LE(BigInt(packed), 8);
    tail.writeBigUInt64LE(BigInt(size), 16);
  } else {
    tail.writeUInt32LE(packed, 8);
    tail.writeUInt32LE(size, 12);
  }
  return tail;
}

function directoryEntry({ name, time, crc, packed, size, offset }: Written): Buffer {
  const long = [size, packed, offset].filter((value) => value >= WIDE);
  const extra = long.length > 0 ? wideField(long) : Buffer.alloc(0);
  const head = Buffer.alloc(46);
  head.writeUInt32LE(0x02014b50, 0);
  head.writeUInt16LE(0x032d, 4);
  head.writeUInt16LE(long.length > 0 ? 45 : 20, 6);
  head.writeUInt16LE(FLAGS, 8);
  head.writeUInt16LE(DEFLATE, 10);
  head.writeUInt32LE(time, 12);
  head.writeUInt32LE(crc, 16);
  head.writeUInt32LE(Math.min(packed, WIDE), 20);
  head.writeUInt32LE(Math.min(size, WIDE), 24);
  head.writeUInt16LE(name.byteLength, 28);
  head.writeUInt16LE(extra.byteLength, 30);
  head.writeUInt32LE(REGULAR_FILE, 38);
  head.writeUInt32LE(Math.min(offset, WIDE), 42);
  return Buffer.concat([head, name, extra]);
}

/** Unix mode: a regular file, writable by its owner and readable by all. */
const REGULAR_FILE = (0o100644 << 16) >>> 0;

function wideField(values: readonly number[]): Buffer {
  const field = Buffer.alloc(4 + 8 * values.length);
  field.writeUInt16LE(1, 0);
  field.writeUInt16LE(8 * values.length, 2);
  for (const [i, value] of values.entries()) field.writeBigUInt64LE(BigInt(value), 4 + 8 * i);
  return field;
}

/** End of the central directory; adds the ZIP64 form if the short form cannot hold the values. */
function end(count: number, length: number, offset: number): Buffer {
  const short = Buffer.alloc(22);
  short.writeUInt32LE(0x06054b50, 0);
  short.writeUInt16LE(Math.min(count, 0xffff), 8);
  short.writeUInt16LE(Math.min(count, 0xffff), 10);
  short.writeUInt32LE(Math.min(length, WIDE), 12);
  short.writeUInt32LE(Math.min(offset, WIDE), 16);
  if (count < 0xffff && length < WIDE && offset < WIDE) return short;
  const long = Buffer.alloc(76);
  long.writeUInt32LE(0x06064b50, 0);
  long.writeBigUInt64LE(44n, 4);
  long.writeUInt16LE(0x032d, 12);
  long.writeUInt16LE(45, 14);
  long.writeBigUInt64LE(BigInt(count), 24);
  long.writeBigUInt64LE(BigInt(count), 32);
  long.writeBigUInt64LE(BigInt(length), 40);
  long.writeBigUInt64LE(BigInt(offset), 48);
  long.writeUInt32LE(0x07064b50, 56);
  long.writeBigUInt64LE(BigInt(offset + length), 64);
  long.writeUInt32LE(1, 72);
  return Buffer.concat([long, short]);
}

/** Date and time as two MS-DOS words in UTC. */
function dosTime(ms: number): number {
  const date = new Date(Math.min(Math.max(ms, Date.UTC(1980)), Date.UTC(2107)));
  const day = ((date.getUTCFullYear() - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate();
  const time = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1);
  return ((day << 16) | time) >>> 0;
}
