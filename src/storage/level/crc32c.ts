import { crc32c } from "@node-rs/crc32";

const MASK_DELTA = 0xa282ead8;

/**
 * CRC-32C of bytes `start` to `end` (exclusive) in LevelDB's masked form, which is safe for data that
 * contains checksums itself.
 */
export const maskedCrc32c = (bytes: Uint8Array, start: number, end: number): number => {
  const crc = crc32c(bytes.subarray(start, end));
  return (((crc >>> 15) | (crc << 17)) + MASK_DELTA) >>> 0;
};
