import {
  create,
  type DescMessage,
  type DescMethod,
  type DescMethodServerStreaming,
  type DescMethodUnary,
  isMessage,
  type MessageInitShape,
  type MessageShape,
} from "@bufbuild/protobuf";
import { ContentService } from "../../../gen/ctxdb/v1/content_pb.ts";
import { ResourceService, type UploadFileResponse } from "../../../gen/ctxdb/v1/resource_pb.ts";
import { failedPrecondition } from "../../domain/errors.ts";
import type { RunningCall } from "../call.ts";
import type { HeaderView } from "../identity.ts";
import { type AccessRule, type Operation, operationName } from "../operation.ts";
import type { Arrival, Pipeline } from "../pipeline/pipeline.ts";
import { secretWarnings } from "../pipeline/warnings.ts";
import { runRequest, type TypedOperation, typedOperation } from "../rpc/unary.ts";
import type { ProgressReport } from "./progress.ts";

/**
 * Time limit of an operation in seconds, because most MCP clients give up after 60. Operations that wait have
 * a lower one, so that they can report progress.
 */
const OPERATION_SECONDS = 50;

/** A downloaded file. */
export interface DownloadedFile {
  readonly contentType: string;
  readonly bytes: Buffer;
}

/** Operations by API method, for MCP. */
export class OperationTable {
  readonly #unary = new Map<string, TypedOperation>();
  readonly #others = new Map<string, Operation>();

  constructor(operations: readonly Operation[]) {
    for (const operation of operations) {
      if (operation.kind === "unary") this.#unary.set(operation.name, typedOperation(operation));
      else this.#others.set(operation.name, operation);
    }
  }

  unary(method: DescMethodUnary): TypedOperation {
    return this.#unary.get(operationName(method)) ?? missing(method);
  }

  /** The streaming operation of a method; `kind` must match. */
  stream<K extends "upload" | "download" | "feed">(
    method: DescMethod,
    kind: K,
  ): Extract<Operation, { kind: K }> {
    const operation = this.#others.get(operationName(method));
    return operation?.kind === kind ? (operation as Extract<Operation, { kind: K }>) : missing(method);
  }
}

function missing(method: DescMethod): never {
  throw new Error(`${operationName(method)} is not served`);
}

/** Dependencies shared by all requests. */
export interface Served {
  readonly pipeline: Pipeline;
  readonly operations: OperationTable;
  /** Such as `ctx://`. */
  readonly root: string;
}

/**
 * Runs operations for one MCP request, each as a separate call through the whole pipeline with the request's
 * headers.
 */
export class OperationInvoker {
  /** URI of the root, with this server's scheme. */
  readonly root: string;
  /** MCP revision of the caller; undefined if the request does not name it. */
  readonly revision: string | undefined;
  /** Reports progress, if the caller asked for it. */
  progress: ProgressReport | undefined;
  /** Warnings about stored content. */
  readonly warnings = new Set<string>();
  readonly #pipeline: Pipeline;
  readonly #operations: OperationTable;
  readonly #headers: HeaderView;
  readonly #outer: RunningCall;

  /** `outer`: the call of the MCP request; ending it ends the operations. */
  constructor({ pipeline, operations, root }: Served, headers: HeaderView, outer: RunningCall) {
    this.root = root;
    this.revision = headers.get("mcp-protocol-version");
    this.#pipeline = pipeline;
    this.#operations = operations;
    this.#outer = outer;
    const { requestId } = outer;
    this.#headers = {
      peer: headers.peer,
      get: (name) => (name === "x-request-id" ? requestId : headers.get(name)),
    };
  }

  /** Calls an operation. Throws its ServiceError. */
  async ask<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    input: MessageInitShape<I>,
  ): Promise<MessageShape<O>> {
    const typed = this.#operations.unary(method);
    const request = create(method.input, input);
    const answer = await this.#serve(
      typed.operation,
      (call) => runRequest(this.#pipeline, call, typed, this.#headers, request),
      OPERATION_SECONDS,
    );
    return answer as MessageShape<O>;
  }

  /**
   * Passes each message of a feed to a callback, waiting until it is processed, until the feed ends. Throws
   * the operation's ServiceError; DEADLINE_EXCEEDED after `seconds`, if given.
   */
  async follow<I extends DescMessage, O extends DescMessage>(
    method: DescMethodServerStreaming<I, O>,
    input: MessageInitShape<I>,
    onMessage: (message: MessageShape<O>) => void,
    seconds?: number,
  ): Promise<void> {
    const operation = this.#operations.stream(method, "feed");
    const request = create(method.input, input);
    const work = async (call: RunningCall) => {
      for await (const message of this.#pipeline.feed(call, operation, request))
        if (isMessage(message, method.output)) onMessage(message);
    };
    await this.#serve(operation, work, seconds);
  }

  /** Stores a text for an hour; `temp_path` in the response identifies it for AddResource. */
  async upload(name: string, text: string): Promise<UploadFileResponse> {
    const operation = this.#operations.stream(ResourceService.method.uploadFile, "upload");
    const file = { name, contentType: undefined, bytes: piecesOf(text) };
    return (await this.#serve(
      operation,
      (call) => this.#pipeline.upload(call, operation, file),
      OPERATION_SECONDS,
    )) as UploadFileResponse;
  }

  /** The content of a file. Throws FAILED_PRECONDITION above `limit` bytes. */
  async download(uri: string, limit: number): Promise<DownloadedFile> {
    const operation = this.#operations.stream(ContentService.method.downloadContent, "download");
    const request = create(ContentService.method.downloadContent.input, { uri });
    const work = async (call: RunningCall) => {
      const stream = await this.#pipeline.download(call, operation, request);
      const { contentType, size } = stream;
      if (size === undefined || size > limit)
        throw failedPrecondition(
          uri,
          size === undefined
            ? `it is larger than the limit of ${limit} bytes`
            : `it is ${size} bytes long; the limit is ${limit} bytes`,
        );
      const pieces: Uint8Array[] = [];
      for await (const piece of stream.read()) pieces.push(piece);
      return { contentType, bytes: Buffer.concat(pieces) };
    };
    return this.#serve(operation, work, OPERATION_SECONDS);
  }

  async #serve<T>(
    operation: AccessRule,
    work: (call: RunningCall) => Promise<T>,
    seconds: number | undefined,
  ): Promise<T> {
    const deadline = seconds === undefined ? {} : { deadline: seconds };
    const arrival: Arrival = { wire: "mcp", headers: this.#headers, ...deadline };
    let follow: (() => void) | undefined;
    const { signal } = this.#outer;
    try {
      const answer = await this.#pipeline.serve(operation, arrival, (call) => {
        follow = () => call.abort(signal.reason);
        if (signal.aborted) follow();
        signal.addEventListener("abort", follow);
        this.#pipeline.allowSomewhere(call, operation);
        return work(call);
      });
      if (answer.error !== undefined) throw answer.error;
      for (const warning of secretWarnings(answer.call.reply)) this.warnings.add(warning);
      return answer.value;
    } finally {
      if (follow) signal.removeEventListener("abort", follow);
    }
  }
}

async function* piecesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
