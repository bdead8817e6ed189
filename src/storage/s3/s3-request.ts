import type { Readable } from "node:stream";

/** The bytes of an object, or of a range of it: from `start` up to, not including, `end`. */
export interface S3Content {
  readonly open: (range?: { readonly start: number; readonly end: number }) => Readable;
  readonly bytes: number;
  readonly sha256: string;
}

/** A request of an object, or of the bucket. */
export interface S3Request {
  readonly method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE";
  /** Key of the object; "" for the bucket itself. */
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly content?: S3Content;
}
