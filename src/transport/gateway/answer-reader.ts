import type { AnswerStream, ChatAnswer, ChatApi } from "./conversation.ts";

/** A line of a stream of events, and an answer that is one value. Beyond it nothing is captured. */
const MAX_LINE_BYTES = 4 * 1024 * 1024;
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
/** Values in one event; more are not parsed. */
const MAX_EVENTS = 200_000;

const LINE_END = 0x0a;
const DATA = "data:";
const DONE = "[DONE]";

/** Reads an answer while it passes. It never throws and never holds more than its limits. */
export interface AnswerReader {
  /** Whether the answer is complete with this chunk. */
  add(chunk: Buffer): boolean;
  /** Undefined where the answer was not understood, or is not complete. */
  end(): ChatAnswer | undefined;
}

/** A reader for an answer of this type; undefined for what holds no messages. */
export function answerReader(
  api: ChatApi,
  contentType: string,
  contentLength: number | undefined,
): AnswerReader | undefined {
  const type = contentType.split(";")[0]?.trim().toLowerCase();
  if (type === "text/event-stream") return new EventReader(api.stream());
  return type === "application/json" ? new ValueReader(api, contentLength) : undefined;
}

/** Server-sent events: lines, wherever the chunks are cut; of each event the data, parsed. */
class EventReader implements AnswerReader {
  readonly #stream: AnswerStream;
  #line: Buffer[] = [];
  #lineBytes = 0;
  #events = 0;
  #isGivenUp = false;

  constructor(stream: AnswerStream) {
    this.#stream = stream;
  }

  add(chunk: Buffer): boolean {
    let isComplete = false;
    for (let from = 0; from < chunk.length && !this.#isGivenUp; ) {
      const end = chunk.indexOf(LINE_END, from);
      this.#hold(chunk.subarray(from, end < 0 ? chunk.length : end));
      if (end < 0) break;
      isComplete = this.#endLine() || isComplete;
      from = end + 1;
    }
    return isComplete;
  }

  end(): ChatAnswer | undefined {
    return this.#isGivenUp ? undefined : this.#stream.answer();
  }

  #hold(piece: Buffer): void {
    this.#lineBytes += piece.length;
    if (this.#lineBytes <= MAX_LINE_BYTES) this.#line.push(piece);
    else {
      this.#isGivenUp = true;
      this.#line = [];
    }
  }

  #endLine(): boolean {
    const line = Buffer.concat(this.#line).toString();
    this.#line = [];
    this.#lineBytes = 0;
    if (!line.startsWith(DATA)) return false;
    const data = line.slice(DATA.length).trim();
    if (data === DONE) return this.#stream.add(undefined);
    if (++this.#events > MAX_EVENTS) {
      this.#isGivenUp = true;
      return false;
    }
    return this.#stream.add(parsed(data));
  }
}

/** An answer that is one JSON value. */
class ValueReader implements AnswerReader {
  readonly #api: ChatApi;
  readonly #length: number | undefined;
  #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(api: ChatApi, length: number | undefined) {
    this.#api = api;
    this.#length = length;
  }

  add(chunk: Buffer): boolean {
    this.#bytes += chunk.length;
    if (this.#bytes <= MAX_ANSWER_BYTES) this.#chunks.push(chunk);
    else this.#chunks = [];
    return this.#bytes === this.#length;
  }

  end(): ChatAnswer | undefined {
    if (this.#bytes > MAX_ANSWER_BYTES) return undefined;
    return this.#api.answer(parsed(Buffer.concat(this.#chunks).toString()));
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
