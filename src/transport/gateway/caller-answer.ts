import { clientLeft } from "../call.ts";
import type { HttpResponse } from "../connections/connections.ts";
import { cutUnlessTaken, drained, hasLeft, writeHead, writePiece } from "../respond.ts";
import type { AnswerReader } from "./answer-reader.ts";
import type { ChatAnswer } from "./conversation.ts";
import { headersDown } from "./passed-headers.ts";
import type { AnswerSink } from "./upstream.ts";

export interface CallerAnswerOptions {
  readonly response: HttpResponse;
  /** Headers to add to the provider's. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Returns a reader for a response with these headers (lower-case names); undefined if the response is not
   * read.
   */
  readonly reader: (status: number, header: (name: string) => string | undefined) => AnswerReader | undefined;
  /** Called once with a complete response, before the caller receives its end. Must not reject. */
  readonly onAnswer: (answer: ChatAnswer) => Promise<void>;
}

/** Passes a response on to the caller byte for byte, and reads it. */
export class CallerAnswer implements AnswerSink {
  readonly #options: CallerAnswerOptions;
  #reader: AnswerReader | undefined;
  /** HTTP status; 0 before the response starts. */
  status = 0;

  constructor(options: CallerAnswerOptions) {
    this.#options = options;
  }

  head(status: number, raw: readonly string[]): void {
    const { response, reader, headers } = this.#options;
    this.status = status;
    const passed = headersDown(raw);
    const byName = new Map(Object.entries(passed).map(([name, value]) => [name.toLowerCase(), value]));
    this.#reader = reader(status, (name) => byName.get(name)?.toString());
    if (hasLeft(response)) return;
    writeHead(response, status, { ...passed, ...headers });
    // tell the caller that the response has started, even before the model's first word
    if ("flushHeaders" in response) response.flushHeaders();
  }

  chunk(bytes: Buffer): Promise<void> | undefined {
    if (this.#reader?.add(bytes)) return this.#answered().then(() => this.#write(bytes));
    return this.#write(bytes);
  }

  async end(trailers: Readonly<Record<string, string>>): Promise<void> {
    await this.#answered();
    const { response } = this.#options;
    if (hasLeft(response)) throw clientLeft();
    if (Object.keys(trailers).length > 0) response.addTrailers(trailers);
    response.end();
    cutUnlessTaken(response);
  }

  async #answered(): Promise<void> {
    const answer = this.#reader?.end();
    this.#reader = undefined;
    if (answer !== undefined) await this.#options.onAnswer(answer);
  }

  #write(bytes: Buffer): Promise<void> | undefined {
    const { response } = this.#options;
    if (hasLeft(response)) return Promise.reject(clientLeft());
    if (writePiece(response, bytes)) return undefined;
    return drained(response).then((isThere) => {
      if (!isThere) throw clientLeft();
    });
  }
}
