import {
  type DescMessage,
  type DescMethod,
  type DescMethodClientStreaming,
  type DescMethodServerStreaming,
  type DescMethodUnary,
  getOption,
  hasOption,
  type Message,
  type MessageInitShape,
  type MessageShape,
} from "@bufbuild/protobuf";
import type { FileChunkSchema } from "../../gen/ctxdb/v1/file_chunk_pb.ts";
import { http } from "../../gen/google/api/annotations_pb.ts";
import type { Caller } from "../domain/caller.ts";
import type { Call } from "./call.ts";

/** The variables of the REST path by proto field name; on the typed wires the same fields of the request. */
export type PathPart = Readonly<Record<string, string>>;

/**
 * Who may call: anybody (`open`), any authenticated caller, or those accepted by a function. The function
 * runs before the body is read, sees only the path, and throws PERMISSION_DENIED.
 */
export type Access = "open" | "caller" | ((caller: Caller, path: PathPart) => void);

/** A file to send. */
export interface ByteStream {
  /** The file name for saving it. */
  readonly name: string;
  readonly contentType: string;
  /** Size in bytes; absent if the stream is generated, which then has no ranges. */
  readonly size?: number;
  /** Content hash without quotes. */
  readonly etag?: string;
  /** The bytes from `start` (inclusive) to `end` (exclusive), the whole file without a range. Called once. */
  read(range?: { readonly start: number; readonly end: number }): AsyncIterable<Uint8Array>;
}

/** A received file; `bytes` throws above the upload limit and must be read to its end. */
export interface IncomingFile {
  /** The client's untrusted name; empty if it gave none. */
  readonly name: string;
  readonly contentType: string | undefined;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** A named subject of an access rule. */
export interface AccessRule {
  /** `SystemService.GetStatus` */
  readonly name: string;
  readonly access: Access;
  /** What keys that may only read can call. */
  readonly effect: "reads" | "changes";
}

export interface UnaryOperation extends AccessRule {
  readonly kind: "unary";
  readonly method: DescMethodUnary;
  readonly handle: (call: Call, request: Message) => Promise<object> | object;
}

export interface DownloadOperation extends AccessRule {
  readonly kind: "download";
  readonly method: DescMethodServerStreaming;
  readonly open: (call: Call, request: Message) => Promise<ByteStream>;
}

export interface UploadOperation extends AccessRule {
  readonly kind: "upload";
  readonly method: DescMethodClientStreaming;
  readonly receive: (call: Call, file: IncomingFile) => Promise<object>;
}

/** An operation that returns messages as they arise. */
export interface FeedOperation extends AccessRule {
  readonly kind: "feed";
  readonly method: DescMethodServerStreaming;
  /** Called for the next message when the previous one was taken; ends with the call's signal. */
  readonly follow: (call: Call, request: Message) => AsyncIterable<object>;
}

export type Operation = UnaryOperation | DownloadOperation | UploadOperation | FeedOperation;

export const operationName = (method: DescMethod): string => `${method.parent.name}.${method.name}`;

/**
 * Operations that change nothing although they are no GET: their input is too large for a URL, or they are no
 * part of REST.
 */
const READING = new Set([
  "PackService.ExportPack",
  "SearchService.Find",
  "SearchService.Glob",
  "SearchService.Grep",
  "SearchService.Recall",
  "SearchService.Search",
  "SystemService.WaitProcessed",
  "TaskService.WatchTask",
]);

/** Whether an operation may change something; a new one does until it is listed. */
export function effectOf(method: DescMethod): "reads" | "changes" {
  const isGet = hasOption(method, http) && getOption(method, http).pattern.case === "get";
  return isGet || READING.has(`${method.parent.name}.${method.name}`) ? "reads" : "changes";
}

/** An operation with one message in, one out. By default `access` is any caller. */
export function unary<I extends DescMessage, O extends DescMessage>(
  method: DescMethodUnary<I, O>,
  handle: (call: Call, request: MessageShape<I>) => Promise<MessageInitShape<O>> | MessageInitShape<O>,
  access: Access = "caller",
): Operation {
  return {
    kind: "unary",
    name: operationName(method),
    access,
    effect: effectOf(method),
    method,
    handle: handle as (call: Call, request: Message) => Promise<object> | object,
  };
}

/** An operation that returns a file: bare bytes over REST, a stream of FileChunk over the typed wires. */
export function download<I extends DescMessage>(
  method: DescMethodServerStreaming<I, typeof FileChunkSchema>,
  open: (call: Call, request: MessageShape<I>) => Promise<ByteStream>,
  access: Access = "caller",
): Operation {
  return {
    kind: "download",
    name: operationName(method),
    access,
    effect: effectOf(method),
    method,
    open: open as (call: Call, request: Message) => Promise<ByteStream>,
  };
}

/**
 * An operation that returns messages as they arise: a server stream over the typed wires; Server-Sent Events
 * over REST if the method has a route, and then its messages have the fields `event` and `cursor`.
 */
export function feed<I extends DescMessage, O extends DescMessage>(
  method: DescMethodServerStreaming<I, O>,
  follow: (call: Call, request: MessageShape<I>) => AsyncIterable<MessageInitShape<O>>,
  access: Access = "caller",
): Operation {
  return {
    kind: "feed",
    name: operationName(method),
    access,
    effect: effectOf(method),
    method,
    follow: follow as FeedOperation["follow"],
  };
}

/** An operation that receives one file: a multipart form over REST, a client stream over the typed wires. */
export function uploadOperation<I extends DescMessage, O extends DescMessage>(
  method: DescMethodClientStreaming<I, O>,
  receive: (call: Call, file: IncomingFile) => Promise<MessageInitShape<O>>,
  access: Access = "caller",
): Operation {
  return {
    kind: "upload",
    name: operationName(method),
    access,
    effect: effectOf(method),
    method,
    receive: receive as UploadOperation["receive"],
  };
}
