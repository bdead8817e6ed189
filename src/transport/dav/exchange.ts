import {
  create,
  type DescMessage,
  type DescMethod,
  type DescMethodUnary,
  type Message,
  type MessageInitShape,
} from "@bufbuild/protobuf";
import { includes } from "../../domain/access.ts";
import { invalidArgument, ServiceError } from "../../domain/errors.ts";
import { checkWritable } from "../../domain/scope.ts";
import type { Path } from "../../domain/uri.ts";
import type { PutDeps } from "../../service/content/put-file.ts";
import type { CopyDeps } from "../../service/filesystem/copy-node.ts";
import {
  type DescribeInput,
  describeNodes,
  type NodeDescription,
} from "../../service/filesystem/describe-nodes.ts";
import { freeName } from "../../service/filesystem/free-name.ts";
import type { RunningCall } from "../call.ts";
import type { HttpRequest, HttpResponse } from "../connections/connections.ts";
import type { HeaderView } from "../identity.ts";
import { type AccessRule, type Operation, operationName } from "../operation.ts";
import type { Pipeline } from "../pipeline/pipeline.ts";
import { readBody } from "../request-body.ts";
import type { Headers } from "../respond.ts";
import { conflict } from "./dav-error.ts";
import type { LockTable } from "./lock-table.ts";
import { hrefOf } from "./paths.ts";
import { MAX_XML_BYTES, parseXml, type RequestElement } from "./xml-reader.ts";

/** Context shared by all methods. */
export interface DavContext {
  readonly pipeline: Pipeline;
  readonly operations: readonly Operation[];
  readonly deps: PutDeps & CopyDeps;
  /** Such as `ctx`. */
  readonly uriScheme: string;
  readonly locks: LockTable;
}

/** The response of a method; undefined if the method has sent its response itself. */
export interface DavAnswer {
  readonly status: number;
  readonly headers?: Headers;
  /** XML unless the headers say otherwise. */
  readonly body?: string;
}

export interface DavRequest {
  readonly request: HttpRequest;
  readonly response: HttpResponse;
  readonly headers: HeaderView;
  readonly path: Path;
  /** Host and port of the request. */
  readonly authority: string | undefined;
  readonly rule: AccessRule;
}

/** A WebDAV request and the operations it uses. */
export class DavExchange implements DavRequest {
  readonly context: DavContext;
  readonly call: RunningCall;
  readonly request: HttpRequest;
  readonly response: HttpResponse;
  readonly headers: HeaderView;
  readonly path: Path;
  readonly authority: string | undefined;
  readonly rule: AccessRule;

  constructor(context: DavContext, call: RunningCall, from: DavRequest) {
    this.context = context;
    this.call = call;
    this.request = from.request;
    this.response = from.response;
    this.headers = from.headers;
    this.path = from.path;
    this.authority = from.authority;
    this.rule = from.rule;
  }

  /** The Depth header in lower case. */
  get depth(): string {
    return this.headers.get("depth")?.trim().toLowerCase() ?? "infinity";
  }

  uri(path: Path = this.path): string {
    return `${this.context.uriScheme}://${path.join("/")}`;
  }

  /** The operation that implements a method of the API. */
  operation<K extends Operation["kind"]>(method: DescMethod, kind: K): Extract<Operation, { kind: K }> {
    const name = operationName(method);
    const isServed = (one: Operation): one is Extract<Operation, { kind: K }> =>
      one.kind === kind && one.name === name;
    const operation = this.context.operations.find(isServed);
    if (!operation) throw new Error(`${name} is not served`);
    return operation;
  }

  /** Runs an operation of the API. */
  async run<I extends DescMessage>(method: DescMethodUnary<I>, input: MessageInitShape<I>): Promise<Message> {
    const operation = this.operation(method, "unary");
    return this.context.pipeline.unary(this.call, operation, create(method.input, input));
  }

  describe(path: Path, input: Partial<DescribeInput> = {}) {
    return describeNodes(this.context.deps, this.call, {
      uri: this.uri(path),
      withChildren: false,
      withLayers: false,
      withProperties: false,
      ...input,
    });
  }

  /** The node at a path; undefined if there is none. */
  async find(path: Path): Promise<NodeDescription | undefined> {
    try {
      return (await this.describe(path)).self;
    } catch (error) {
      if (error instanceof ServiceError && error.code === "NOT_FOUND") return undefined;
      throw error;
    }
  }

  /** Checks that the caller may write the path. */
  async checkWritable(path: Path): Promise<void> {
    const { owner } = await this.context.deps.tenants.openOrEmpty(this.call.caller);
    checkWritable(owner, path, this.uri(path), "uri");
  }

  /** Whether the caller has admin access to the path. */
  async administers(path: Path): Promise<boolean> {
    const { owner } = await this.context.deps.tenants.openOrEmpty(this.call.caller);
    return owner.access !== undefined && includes(owner.access.levelAt(path), "admin");
  }

  /** Frees a name that only an invisible node uses, before something is created there. */
  free(path: Path): Promise<void> {
    return freeName(this.context.deps, this.call, { uri: this.uri(path) });
  }

  /** Throws status 409 unless the parent folder of a new node exists. */
  async checkParent(path: Path): Promise<void> {
    const above = path.slice(0, -1);
    const parent = await this.find(above);
    if (!parent?.isDirectory) throw conflict(hrefOf(above, true), "the folder does not exist; make it first");
  }

  /** Parses the XML body; undefined if the body is empty. */
  async xml(): Promise<RequestElement | undefined> {
    const bytes = await this.receive(MAX_XML_BYTES, "of XML in WebDAV");
    return bytes.length === 0 ? undefined : parseXml(bytes);
  }

  /** Receives the whole body, then checks the caller again and waits for the call's turn. */
  async receive(limit: number, setting: string): Promise<Buffer> {
    this.checkEncoding();
    const bytes = await readBody(this.request, limit, this.call, setting);
    await this.admit();
    return bytes;
  }

  /**
   * To be called after a body was received, which may have taken long: checks the caller again, and waits for
   * the call's turn.
   */
  async admit(): Promise<void> {
    const { pipeline } = this.context;
    pipeline.authenticate(this.call, this.rule, this.headers);
    await pipeline.turn(this.call);
  }

  checkEncoding(): void {
    const encoding = this.headers.get("content-encoding") ?? "identity";
    if (encoding !== "identity") throw invalidArgument("Content-Encoding", "must be identity", 415);
  }
}
