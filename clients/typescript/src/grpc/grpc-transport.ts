import {
  create,
  type DescMessage,
  type DescMethod,
  type DescMethodStreaming,
  type DescMethodUnary,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import {
  Code,
  ConnectError,
  type StreamResponse,
  type Transport,
  type UnaryResponse,
} from "@connectrpc/connect";
import { type CallOptions, type Client, type ClientWritableStream, Metadata } from "@grpc/grpc-js";
import { connectErrorOf, headersOf } from "./grpc-errors.ts";

type HeadersLike = ConstructorParameters<typeof Headers>[0];

/**
 * A transport for Connect's clients over a channel of grpc-js. Streams have one direction only, as those of
 * ctxdb do.
 */
export class GrpcTransport implements Transport {
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  async unary<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    signal: AbortSignal | undefined,
    timeoutMs: number | undefined,
    header: HeadersLike,
    input: MessageInitShape<I>,
  ): Promise<UnaryResponse<I, O>> {
    const call = new StartedCall(this.#client, method, signal, timeoutMs, header);
    const message = await call.unary(create(method.input, input));
    return {
      stream: false,
      service: method.parent,
      method,
      header: call.headers,
      trailer: new Headers(),
      message,
    };
  }

  async stream<I extends DescMessage, O extends DescMessage>(
    method: DescMethodStreaming<I, O>,
    signal: AbortSignal | undefined,
    timeoutMs: number | undefined,
    header: HeadersLike,
    input: AsyncIterable<MessageInitShape<I>>,
  ): Promise<StreamResponse<I, O>> {
    if (method.methodKind === "bidi_streaming")
      throw new ConnectError(`${method.name}: streams in both directions`, Code.Unimplemented);
    const call = new StartedCall(this.#client, method, signal, timeoutMs, header);
    const message = method.methodKind === "server_streaming" ? call.receive(input) : call.send(input);
    return {
      stream: true,
      service: method.parent,
      method,
      header: call.headers,
      trailer: new Headers(),
      message,
    };
  }
}

/** A running call. Throws errors like any transport. */
class StartedCall<I extends DescMessage, O extends DescMessage> {
  /** Headers that the server sent before its first message. */
  readonly headers = new Headers();
  readonly #client: Client;
  readonly #method: DescMethod & { readonly input: I; readonly output: O };
  readonly #signal: AbortSignal | undefined;
  readonly #metadata = new Metadata();
  readonly #options: CallOptions;

  constructor(
    client: Client,
    method: DescMethod & { readonly input: I; readonly output: O },
    signal: AbortSignal | undefined,
    timeoutMs: number | undefined,
    header: HeadersLike,
  ) {
    if (signal?.aborted) throw new ConnectError("the call was cancelled before it began", Code.Canceled);
    this.#client = client;
    this.#method = method;
    this.#signal = signal;
    this.#options = timeoutMs === undefined ? {} : { deadline: Date.now() + timeoutMs };
    new Headers(header).forEach((value, name) => {
      this.#metadata.set(name, value);
    });
  }

  unary(request: MessageShape<I>): Promise<MessageShape<O>> {
    return new Promise((resolve, reject) => {
      const call = this.#client.makeUnaryRequest(
        ...this.#codec(),
        request,
        this.#metadata,
        this.#options,
        (error, answer) => (error ? reject(connectErrorOf(error, this.headers)) : resolve(answer!)),
      );
      this.#watch(call);
    });
  }

  async *receive(input: AsyncIterable<MessageInitShape<I>>): AsyncGenerator<MessageShape<O>> {
    let request: MessageInitShape<I> | undefined;
    for await (const only of input) request = only;
    const call = this.#client.makeServerStreamRequest(
      ...this.#codec(),
      create(this.#method.input, request),
      this.#metadata,
      this.#options,
    );
    this.#watch(call);
    try {
      for await (const message of call) yield message as MessageShape<O>;
    } catch (thrown) {
      throw connectErrorOf(thrown, this.headers);
    } finally {
      call.cancel();
    }
  }

  async *send(input: AsyncIterable<MessageInitShape<I>>): AsyncGenerator<MessageShape<O>> {
    let call: ClientWritableStream<MessageShape<I>> | undefined;
    const answered = new Promise<MessageShape<O>>((resolve, reject) => {
      call = this.#client.makeClientStreamRequest(
        ...this.#codec(),
        this.#metadata,
        this.#options,
        (error, answer) => (error ? reject(connectErrorOf(error, this.headers)) : resolve(answer!)),
      );
      this.#watch(call);
    });
    const sent = write(call!, this.#method.input, input);
    // an early response, successful or not, ends the upload; an error of the input ends the call
    sent.catch(() => call!.cancel());
    yield await Promise.race([answered, sent.then(() => answered)]);
  }

  #codec() {
    const { parent, name, input, output } = this.#method;
    return [
      `/${parent.typeName}/${name}`,
      (message: MessageShape<I>) => Buffer.from(toBinary(input, message)),
      (bytes: Buffer) => fromBinary(output, bytes),
    ] as const;
  }

  #watch(call: {
    cancel(): void;
    on(event: "metadata", listener: (found: Metadata) => void): unknown;
    once(event: "status", listener: () => void): unknown;
  }): void {
    call.on("metadata", (found) => {
      headersOf(found).forEach((value, name) => {
        this.headers.set(name, value);
      });
    });
    const cancel = () => call.cancel();
    this.#signal?.addEventListener("abort", cancel, { once: true });
    call.once("status", () => this.#signal?.removeEventListener("abort", cancel));
  }
}

async function write<I extends DescMessage>(
  call: ClientWritableStream<MessageShape<I>>,
  schema: I,
  input: AsyncIterable<MessageInitShape<I>>,
): Promise<void> {
  const ended = new AbortController();
  call.once("status", () => ended.abort());
  for await (const message of input) {
    if (ended.signal.aborted) return;
    if (!call.write(create(schema, message))) await room(call, ended.signal);
  }
  call.end();
}

interface Emitter {
  on(event: "drain", listener: () => void): unknown;
  off(event: "drain", listener: () => void): unknown;
}

/** Waits until the call accepts more data, or has ended. */
function room(call: Emitter, ended: AbortSignal): Promise<void> {
  if (ended.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const go = () => {
      call.off("drain", go);
      ended.removeEventListener("abort", go);
      resolve();
    };
    call.on("drain", go);
    ended.addEventListener("abort", go);
  });
}
