import type { Readable } from "node:stream";

/** Content of an object. `open`: all its bytes, or those from `start` to `end` (exclusive). */
export interface S3Content {
  readonly open: (range?: { readonly start: number; readonly end: number }) => Readable;
  readonly bytes: number;
  readonly sha256: string;
}

/** A request for an object or the bucket. */
export interface S3Request {
  readonly method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE";
  /** Key of the object; "" for the bucket itself. */
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly content?: S3Content;
}
