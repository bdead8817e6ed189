import { maskedCrc32c } from "./crc32c.ts";

/**
 * Format of LevelDB's logs and manifests: blocks of this size; records consist of fragments that do not cross
 * blocks.
 */
const BLOCK = 32 * 1024;
const HEADER = 7;
const FULL = 1;
const FIRST = 2;
const LAST = 4;

export interface LogContent {
  readonly records: Uint8Array[];
  /**
   * `whole`: no error. `torn`: the end is missing or unreadable, as after an interrupted write. `damaged`:
   * bytes changed after they were written, so that LevelDB's reading of the rest cannot be trusted.
   */
  readonly state: "whole" | "torn" | "damaged";
  /** Offset at which reading ended. */
  readonly end: number;
}

/** Reads a log to its end, or to the first fragment that does not match its checksum. */
export function readLog(file: Buffer): LogContent {
  const records: Uint8Array[] = [];
  let parts: Uint8Array[] = [];
  let at = 0;
  while (at < file.byteLength) {
    const room = BLOCK - (at % BLOCK);
    if (room < HEADER) {
      at += room;
      continue;
    }
    const type = fragmentAt(file, at);
    if (type === undefined) return { records, state: isTorn(file, at) ? "torn" : "damaged", end: at };
    const length = file.readUInt16LE(at + 4);
    if (type === FULL || type === FIRST) parts = [];
    parts.push(file.subarray(at + HEADER, at + HEADER + length));
    if (type === FULL || type === LAST) records.push(Buffer.concat(parts));
    at += HEADER + length;
  }
  return { records, state: "whole", end: at };
}

/** The type of the fragment at an offset; undefined if no fragment there matches its checksum. */
function fragmentAt(file: Buffer, at: number): number | undefined {
  const blockEnd = Math.min(file.byteLength, at - (at % BLOCK) + BLOCK);
  if (at + HEADER > blockEnd) return undefined;
  const end = at + HEADER + file.readUInt16LE(at + 4);
  const type = file.readUInt8(at + 6);
  if (end > blockEnd || type < FULL || type > LAST) return undefined;
  return maskedCrc32c(file, at + 6, end) === file.readUInt32LE(at) ? type : undefined;
}

function isTorn(file: Buffer, at: number): boolean {
  // the length field is damaged, but the data is present and matches
  if (
    at + HEADER <= file.byteLength &&
    maskedCrc32c(file, at + 6, Math.min(file.byteLength, at - (at % BLOCK) + BLOCK)) === file.readUInt32LE(at)
  )
    return false;
  for (let next = at + 1; next + HEADER <= file.byteLength; next++)
    if (fragmentAt(file, next) !== undefined) return false;
  return true;
}
