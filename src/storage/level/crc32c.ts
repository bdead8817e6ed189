const POLYNOMIAL = 0x82f63b78;
const SLICES = 8;

/** Slicing by eight: TABLES[k][b] is the remainder of byte b followed by k zero bytes. */
const TABLES: readonly Int32Array[] = (() => {
  const tables = Array.from({ length: SLICES }, () => new Int32Array(256));
  for (let byte = 0; byte < 256; byte++) {
    let remainder = byte;
    for (let bit = 0; bit < 8; bit++) remainder = remainder & 1 ? (remainder >>> 1) ^ POLYNOMIAL : remainder >>> 1;
    tables[0]![byte] = remainder;
  }
  for (let slice = 1; slice < SLICES; slice++) {
    for (let byte = 0; byte < 256; byte++) {
      const before = tables[slice - 1]![byte]!;
      tables[slice]![byte] = (before >>> 8) ^ tables[0]![before & 255]!;
    }
  }
  return tables;
})();

/** CRC-32C (Castagnoli) of bytes `start` to `end` (exclusive), unsigned. */
export function crc32c(bytes: Uint8Array, start: number, end: number): number {
  const [t0, t1, t2, t3, t4, t5, t6, t7] = TABLES as [
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
  ];
  let crc = -1;
  let at = start;
  for (; at + SLICES <= end; at += SLICES) {
    crc ^= bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
    crc =
      t7[crc & 255]! ^
      t6[(crc >>> 8) & 255]! ^
      t5[(crc >>> 16) & 255]! ^
      t4[crc >>> 24]! ^
      t3[bytes[at + 4]!]! ^
      t2[bytes[at + 5]!]! ^
      t1[bytes[at + 6]!]! ^
      t0[bytes[at + 7]!]!;
  }
  for (; at < end; at++) crc = (crc >>> 8) ^ t0[(crc ^ bytes[at]!) & 255]!;
  return ~crc >>> 0;
}

const MASK_DELTA = 0xa282ead8;

/** As LevelDB stores it, so that a checksum over data that holds checksums stays one. */
export const maskedCrc32c = (bytes: Uint8Array, start: number, end: number): number => {
  const crc = crc32c(bytes, start, end);
  return (((crc >>> 15) | (crc << 17)) + MASK_DELTA) >>> 0;
};
