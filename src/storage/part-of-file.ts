import { createReadStream, type ReadStream } from "node:fs";

/** Opens a file, or its bytes from `start` up to, not including, `end`. */
export const partOf =
  (path: string) =>
  (range?: { readonly start: number; readonly end: number }): ReadStream =>
    createReadStream(path, range && { start: range.start, end: range.end - 1 });
