import { ServiceError } from "../../domain/errors.ts";

export interface ByteRange {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

/**
 * Parses a Range header for `size` bytes; undefined means to send everything (no header, another unit,
 * several ranges, invalid syntax). Throws INVALID_ARGUMENT with status 416 for a range that cannot be
 * satisfied.
 */
export function parseRange(header: string | undefined, size: number): ByteRange | undefined {
  const match = header === undefined ? null : /^bytes=(\d*)-(\d*)$/i.exec(header.trim());
  if (match === null) return undefined;
  const [, from = "", to = ""] = match;
  if (from === "" && to === "") return undefined;
  if (from === "") {
    const length = Number(to);
    if (length === 0 || size === 0) throw unsatisfiable(size);
    return { start: Math.max(0, size - length), end: size };
  }
  const start = Number(from);
  if (to !== "" && Number(to) < start) return undefined;
  if (start >= size) throw unsatisfiable(size);
  return { start, end: to === "" ? size : Math.min(size, Number(to) + 1) };
}

function unsatisfiable(size: number): ServiceError {
  const reason = `lies outside of the ${size} bytes`;
  return new ServiceError(
    "INVALID_ARGUMENT",
    `Range: ${reason}`,
    { field: "Range", reason, size },
    { http: 416 },
  );
}

/** `attachment` with the file name in ASCII and in full (RFC 6266). */
export function attachment(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const full = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${full}`;
}
