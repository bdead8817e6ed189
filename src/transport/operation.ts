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
import { mayOnlyRead } from "../accounts/standing.ts";
import type { Caller } from "../domain/caller.ts";
import type { Call } from "./call.ts";

/** Variables of the REST path by proto field name; with gRPC and Connect, the same request fields. */
export type PathPart = Readonly<Record<string, string>>;

/**
 * Access to an operation: for anybody (`open`), any authenticated caller, or callers accepted by a function.
 * The function runs before the body is read, sees only the path, and throws PERMISSION_DENIED.
 */
export type Access = "open" | "caller" | ((caller: Caller, path: PathPart) => void);

/** A file to send. */
export interface ByteStream {
  /** File name for saving. */
  readonly name: string;
  readonly contentType: string;
  /** Size in bytes; absent for a generated stream, which does not support ranges. */
  readonly size?: number;
  /** Content hash without quotes. */
  readonly etag?: string;
  /**
   * Streams bytes from `start` (inclusive) to `end` (exclusive); the whole file without a range. Called at
   * most once.
   */
  read(range?: { readonly start: number; readonly end: number }): AsyncIterable<Uint8Array>;
}

/** A received file. `bytes` throws above the upload limit and must be read to its end. */
export interface IncomingFile {
  /** Untrusted name from the client; "" if absent. */
  readonly name: string;
  readonly contentType: string | undefined;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** The access rule of an operation. */
export interface AccessRule {
  /** Such as `SystemService.GetStatus`. */
  readonly name: string;
  readonly access: Access;
  /** Effect of the operation; read-only keys may call only those with "reads". */
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

/** An operation that streams messages as they arise. */
export interface FeedOperation extends AccessRule {
  readonly kind: "feed";
  readonly method: DescMethodServerStreaming;
  /** The next message is requested once the previous one has been sent; ends with the call's signal. */
  readonly follow: (call: Call, request: Message) => AsyncIterable<object>;
}

export type Operation = UnaryOperation | DownloadOperation | UploadOperation | FeedOperation;

export const operationName = (method: DescMethod): string => `${method.parent.name}.${method.name}`;

/**
 * Operations without effects that do not use GET: their input is too large for a URL, or they are not part of
 * REST.
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

/** Whether an operation may change something; unlisted operations count as changing. */
export function effectOf(method: DescMethod): "reads" | "changes" {
  const isGet = hasOption(method, http) && getOption(method, http).pattern.case === "get";
  return isGet || READING.has(`${method.parent.name}.${method.name}`) ? "reads" : "changes";
}

/** Services whose operations grant or limit rights, or concern the server itself. */
const STRICT_SERVICES = new Set([
  "AccessService",
  "AccountService",
  "BackupService",
  "ObserverService",
  "WebhookService",
]);
/** Other operations that would do more than the caller intended if a field were ignored. */
const STRICT = new Set(["FilesystemService.RemoveNodes", "ResourceService.ScheduleRefresh"]);

/**
 * Whether an operation refuses unknown fields: those that grant or limit rights, remove something, or have a
 * dry run. A misspelt or newer field must not make them do more than was asked.
 */
export function isStrict(method: DescMethod): boolean {
  if (effectOf(method) === "reads") return false;
  if (STRICT_SERVICES.has(method.parent.name) || STRICT.has(operationName(method))) return true;
  const isDelete = hasOption(method, http) && getOption(method, http).pattern.case === "delete";
  return isDelete || method.input.fields.some(({ name }) => name === "dry_run");
}

/** Defines an operation with one request and one response. By default, any caller has access. */
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

/**
 * Defines an operation that returns a file: plain bytes over REST, a stream of FileChunk over gRPC and
 * Connect.
 */
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
 * Defines an operation that streams messages as they arise: a server stream over gRPC and Connect;
 * Server-Sent Events over REST if the method has a route, for which its messages need the fields `event` and
 * `cursor`.
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

/**
 * Defines an operation that receives one file: a multipart form over REST, a client stream over gRPC and
 * Connect.
 */
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

/** Refuses operations with effects for a read-only key; every change checks this again. */
export function checkEffect(caller: Caller | undefined, { effect }: AccessRule): void {
  const key = caller?.key;
  if (key?.access === "read" && effect === "changes") throw mayOnlyRead(key);
}
