import { ArrivedBytes } from "../body.ts";
import type { AnswerStream, ChatAnswer, ChatApi } from "./conversation.ts";

/** Limit of a single-value answer, and of a line of an event stream. Above it nothing is captured. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
const MAX_LINE_BYTES = 4 * 1024 * 1024;
/** Limit of a stream, whose events take several times the size of their content. */
const MAX_STREAM_BYTES = 64 * 1024 * 1024;

const LINE_END = 0x0a;
const DATA = "data:";
const DONE = "[DONE]";

/** Reads an answer as it passes. It never throws and never holds more than its limits. */
export interface AnswerReader {
  /** Whether the answer is complete with this chunk. */
  add(chunk: Buffer): boolean;
  /** Undefined if the answer was not understood, or is incomplete. */
  end(): ChatAnswer | undefined;
}

/** A reader for an answer of this type; undefined if it has no messages. */
export function answerReader(
  api: ChatApi,
  contentType: string,
  contentLength: number | undefined,
): AnswerReader | undefined {
  const type = contentType.split(";")[0]?.trim().toLowerCase();
  if (type === "text/event-stream") return new EventReader(api.stream());
  return type === "application/json" ? new ValueReader(api, contentLength) : undefined;
}

/** Server-sent events: splits chunks into lines, and parses the data of each event. */
class EventReader implements AnswerReader {
  #stream: AnswerStream | undefined;
  #line = new ArrivedBytes();
  #bytes = 0;

  constructor(stream: AnswerStream) {
    this.#stream = stream;
  }

  add(chunk: Buffer): boolean {
    this.#bytes += chunk.length;
    if (this.#bytes > MAX_STREAM_BYTES) this.#giveUp();
    let isComplete = false;
    for (let from = 0; from < chunk.length && this.#stream !== undefined; ) {
      const end = chunk.indexOf(LINE_END, from);
      const piece = chunk.subarray(from, end < 0 ? chunk.length : end);
      if (this.#line.size + piece.length > MAX_LINE_BYTES) this.#giveUp();
      else this.#line.add(piece);
      if (end < 0) break;
      isComplete = this.#endLine() || isComplete;
      from = end + 1;
    }
    return isComplete;
  }

  end(): ChatAnswer | undefined {
    return this.#stream?.answer();
  }

  #giveUp(): void {
    this.#stream = undefined;
    this.#line = new ArrivedBytes();
  }

  #endLine(): boolean {
    const line = this.#line.bytes.toString();
    this.#line = new ArrivedBytes();
    if (!line.startsWith(DATA)) return false;
    const data = line.slice(DATA.length).trim();
    return this.#stream?.add(data === DONE ? undefined : parsed(data)) ?? false;
  }
}

/** An answer that is one JSON value. */
class ValueReader implements AnswerReader {
  readonly #api: ChatApi;
  readonly #length: number | undefined;
  #answer: ArrivedBytes | undefined = new ArrivedBytes();
  #bytes = 0;

  constructor(api: ChatApi, length: number | undefined) {
    this.#api = api;
    this.#length = length;
  }

  add(chunk: Buffer): boolean {
    this.#bytes += chunk.length;
    if (this.#bytes > MAX_ANSWER_BYTES) this.#answer = undefined;
    this.#answer?.add(chunk);
    return this.#bytes === this.#length;
  }

  end(): ChatAnswer | undefined {
    return this.#answer && this.#api.answer(parsed(this.#answer.bytes.toString()));
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
