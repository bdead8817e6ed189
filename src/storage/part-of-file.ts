import { createReadStream, type ReadStream } from "node:fs";

/** Opens a file, or bytes `start` to `end` (exclusive) of it. */
export const partOf =
  (path: string) =>
  (range?: { readonly start: number; readonly end: number }): ReadStream =>
    createReadStream(path, range && { start: range.start, end: range.end - 1 });
