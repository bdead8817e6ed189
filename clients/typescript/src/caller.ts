import type {
  DescMessage,
  DescMethodServerStreaming,
  DescMethodStreaming,
  DescMethodUnary,
  MessageInitShape,
  MessageShape,
} from "@bufbuild/protobuf";
import type { Transport } from "@connectrpc/connect";
import { isUnavailable, toCtxdbError } from "./errors.ts";
import { type CallOptions, deadlineOf, type Settings } from "./options.ts";
import { pause, pauseBefore } from "./retry.ts";

/** A message with the headers that came with it. */
export interface Answer<T> {
  readonly message: T;
  readonly headers: Headers;
}

/**
 * Makes calls: with the headers of the connection, a deadline, and repetitions where they are safe.
 * Everything it throws is a CtxdbError.
 */
export class Caller {
  readonly settings: Settings;
  readonly #transport: Transport;

  constructor(transport: Transport, settings: Settings) {
    this.#transport = transport;
    this.settings = settings;
  }

  /** A call that changes nothing, repeated while the server is unavailable. */
  read<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    input: MessageInitShape<I>,
    options: CallOptions = {},
  ): Promise<Answer<MessageShape<O>>> {
    return this.#unary(method, input, options, this.settings.retries);
  }

  /**
   * A call that changes something: repeated only under an idempotency key, which is made here where the
   * request has room for one.
   */
  write<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    input: MessageInitShape<I>,
    options: CallOptions = {},
  ): Promise<Answer<MessageShape<O>>> {
    if (!method.input.fields.some((field) => field.name === "idempotency_key"))
      return this.#unary(method, input, options, 0);
    return this.#unary(method, { ...input, idempotencyKey: keyOf(input) }, options, this.settings.retries);
  }

  /**
   * Opens a server stream and waits for its first message. Retries the call if the server is unavailable
   * before that message arrives.
   */
  async stream<I extends DescMessage, O extends DescMessage>(
    method: DescMethodServerStreaming<I, O>,
    input: MessageInitShape<I>,
    options: CallOptions = {},
  ): Promise<AsyncIterable<MessageShape<O>>> {
    const seconds = options.deadlineSeconds ?? this.settings.longDeadlineSeconds;
    const left = new AbortController();
    const signal = options.signal ? AbortSignal.any([options.signal, left.signal]) : left.signal;
    const [first, messages] = await this.#repeated(
      seconds,
      this.settings.retries,
      options.signal,
      async (leftMs) => {
        const { message } = await this.#transport.stream(
          method,
          signal,
          leftMs,
          this.settings.headers,
          only(input),
        );
        const iterator = message[Symbol.asyncIterator]();
        return [await iterator.next(), iterator] as const;
      },
    );
    return continued(first, messages, () => left.abort());
  }

  /** Makes a client-streaming call. Never retried, because the sent data is not buffered. */
  async send<I extends DescMessage, O extends DescMessage>(
    method: DescMethodStreaming<I, O>,
    input: AsyncIterable<MessageInitShape<I>>,
    { signal, deadlineSeconds = this.settings.longDeadlineSeconds }: CallOptions = {},
  ): Promise<MessageShape<O>> {
    return this.#repeated(deadlineSeconds, 0, signal, async (left) => {
      const { message } = await this.#transport.stream(method, signal, left, this.settings.headers, input);
      let last: MessageShape<O> | undefined;
      // to the end: the transport watches the deadline until then
      for await (const answer of message) last = answer;
      if (last === undefined) throw new Error(`${method.name}: the server ended without an answer`);
      return last;
    });
  }

  #unary<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    input: MessageInitShape<I>,
    options: CallOptions,
    retries: number,
  ): Promise<Answer<MessageShape<O>>> {
    return this.#repeated(
      deadlineOf(input, options, this.settings),
      retries,
      options.signal,
      async (left) => {
        const { message, header } = await this.#transport.unary(
          method,
          options.signal,
          left,
          this.settings.headers,
          input,
        );
        this.#warn(method.output, header);
        return { message, headers: header };
      },
    );
  }

  /** Passes on warnings of the header, unless the message has a list of them. */
  #warn(output: DescMessage, headers: Headers): void {
    const { onWarning } = this.settings;
    const warning = onWarning && headers.get("warning");
    if (!warning || output.fields.some((field) => field.name === "warnings")) return;
    for (const [, text = ""] of warning.matchAll(/299 ctxdb "([^"]*)"/g)) onWarning(text);
  }

  /**
   * Attempts, each with the milliseconds that are left, until one succeeds, fails for another reason, or
   * there is no time for the next.
   */
  async #repeated<T>(
    seconds: number,
    retries: number,
    signal: AbortSignal | undefined,
    attempt: (leftMs: number) => Promise<T>,
  ): Promise<T> {
    const ends = performance.now() + seconds * 1000;
    for (let count = 0; ; count++) {
      try {
        return await attempt(Math.max(1, Math.ceil(ends - performance.now())));
      } catch (thrown) {
        const wanted = pauseBefore(count, thrown);
        const isLast = count >= retries || !isUnavailable(thrown) || performance.now() + wanted >= ends;
        if (isLast || signal?.aborted) throw toCtxdbError(thrown);
        await pause(wanted, signal);
      }
    }
  }
}

async function* only<T>(message: T): AsyncGenerator<T> {
  yield message;
}

/** What follows a first message; a loop that ends early ends the call. */
async function* continued<T>(
  first: IteratorResult<T>,
  iterator: AsyncIterator<T>,
  end: () => void,
): AsyncGenerator<T> {
  try {
    for (let next = first; !next.done; next = await iterator.next()) yield next.value;
  } catch (thrown) {
    throw toCtxdbError(thrown);
  } finally {
    end();
    // one more `next` lets the transport clear the deadline's timer
    iterator.next().catch(() => undefined);
  }
}

/** The idempotency key of a request, or a new one if it is absent or undefined. */
function keyOf(input: object): string {
  const { idempotencyKey } = input as { readonly idempotencyKey?: string };
  return idempotencyKey ?? newKey();
}

/** 128 random bits; crypto.randomUUID is missing on pages without TLS. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}
