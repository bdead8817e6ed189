import { maskedCrc32c } from "./crc32c.ts";
import { BlockError, unsnappy, varint } from "./snappy.ts";

const FOOTER = 48;
const MAGIC = 0xdb4775248b80fb57n;
/** Bytes after each block: type (1) and checksum (4). */
const TRAILER = 5;
const SNAPPY = 1;
const MAX_BLOCK_BYTES = 256 * 1024 * 1024;

type Handle = readonly [offset: number, size: number];

/**
 * Verifies the checksum of every block of a sorted table, which LevelDB does not do on reads. Throws
 * BlockError.
 */
export function checkTable(file: Buffer): void {
  const footer = file.byteLength - FOOTER;
  if (footer < 0 || file.readBigUInt64LE(file.byteLength - 8) !== MAGIC)
    throw new BlockError("the file does not end like a table");
  const [metaindex, next] = handleAt(file, footer);
  const [index] = handleAt(file, next);
  for (const handle of handlesIn(block(file, metaindex))) block(file, handle);
  for (const handle of handlesIn(block(file, index))) checkBlock(file, handle);
}

function handleAt(bytes: Uint8Array, at: number): [Handle, next: number] {
  const [offset, middle] = varint(bytes, at);
  const [size, next] = varint(bytes, middle);
  return [[offset, size], next];
}

function checkBlock(file: Buffer, [offset, size]: Handle): void {
  const end = offset + size;
  if (end + TRAILER > file.byteLength) throw new BlockError("a block extends beyond the end of the file");
  if (maskedCrc32c(file, offset, end + 1) !== file.readUInt32LE(end + 1))
    throw new BlockError(`the block at ${offset} does not match its checksum`);
}

function block(file: Buffer, handle: Handle): Buffer {
  checkBlock(file, handle);
  const [offset, size] = handle;
  const content = file.subarray(offset, offset + size);
  return file[offset + size] === SNAPPY ? unsnappy(content, MAX_BLOCK_BYTES) : content;
}

/** The values of an index block: positions of other blocks. */
function* handlesIn(content: Buffer): Generator<Handle> {
  const restarts = content.readUInt32LE(content.byteLength - 4);
  const end = content.byteLength - 4 - 4 * restarts;
  for (let at = 0; at < end; ) {
    const [, own] = varint(content, at);
    const [keyLength, value] = varint(content, own);
    const [valueLength, key] = varint(content, value);
    yield handleAt(content, key + keyLength)[0];
    at = key + keyLength + valueLength;
  }
}
