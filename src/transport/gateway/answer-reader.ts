import { ArrivedBytes } from "../request-body.ts";
import { checkJsonValues } from "../value-count.ts";
import type { AnswerStream, ChatAnswer, ChatApi } from "./conversation.ts";

/**
 * Maximum bytes of a response with a single value, and of a line in an event stream. Above it, nothing is
 * captured.
 */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
const MAX_LINE_BYTES = 4 * 1024 * 1024;
/** Maximum bytes of an event stream, whose events take several times the size of their content. */
const MAX_STREAM_BYTES = 64 * 1024 * 1024;

/** Maximum number of values in a JSON text, which is parsed without a yield. */
const MAX_ANSWER_VALUES = 200_000;
/** Buffered bytes below which memory is not counted. */
const UNCOUNTED_BYTES = 64 * 1024;

const LINE_END = 0x0a;
const DATA = Buffer.from("data:");
const DONE = "[DONE]";

/** Updates the number of buffered bytes counted for a reader; false if the memory budget is exceeded. */
export type HoldBytes = (bytes: number) => boolean;

/** Reads a response while it is passed on. Never throws, and never buffers more than its limits. */
export interface AnswerReader {
  /** Returns whether the response is complete with this chunk. */
  add(chunk: Buffer): boolean;
  /** Undefined if the response is incomplete or in an unknown format. */
  end(): ChatAnswer | undefined;
}

/** A reader for a response of this content type; undefined if it contains no messages. */
export function answerReader(
  api: ChatApi,
  contentType: string,
  contentLength: number | undefined,
  hold: HoldBytes,
): AnswerReader | undefined {
  const type = contentType.split(";")[0]?.trim().toLowerCase();
  if (type === "text/event-stream") return new EventReader(api.stream(), hold);
  return type === "application/json" ? new ValueReader(api, contentLength, hold) : undefined;
}

/** Reads server-sent events: splits chunks into lines and parses the data of each event. */
class EventReader implements AnswerReader {
  readonly #hold: HoldBytes;
  #stream: AnswerStream | undefined;
  #line = new ArrivedBytes();
  #bytes = 0;

  constructor(stream: AnswerStream, hold: HoldBytes) {
    this.#stream = stream;
    this.#hold = hold;
  }

  add(chunk: Buffer): boolean {
    this.#bytes += chunk.length;
    if (this.#bytes > MAX_STREAM_BYTES) this.#giveUp();
    let isComplete = false;
    for (let from = 0; from < chunk.length && this.#stream !== undefined; ) {
      const end = chunk.indexOf(LINE_END, from);
      const piece = chunk.subarray(from, end < 0 ? chunk.length : end);
      if (this.#hasRoomFor(this.#line.size + piece.length, this.#stream.bytes)) this.#line.add(piece);
      else this.#giveUp();
      if (end < 0) break;
      isComplete = this.#endLine() || isComplete;
      from = end + 1;
    }
    return isComplete;
  }

  end(): ChatAnswer | undefined {
    return this.#stream?.answer();
  }

  #hasRoomFor(line: number, assembled: number): boolean {
    const held = line + assembled;
    return line <= MAX_LINE_BYTES && (held <= UNCOUNTED_BYTES || this.#hold(held));
  }

  #giveUp(): void {
    this.#stream = undefined;
    this.#line = new ArrivedBytes();
    this.#hold(0);
  }

  #endLine(): boolean {
    const { bytes, size } = this.#line;
    if (size === 0) return false;
    this.#line = new ArrivedBytes();
    if (size > UNCOUNTED_BYTES) this.#hold(this.#stream?.bytes ?? 0);
    if (!bytes.subarray(0, DATA.length).equals(DATA)) return false;
    const data = bytes.subarray(DATA.length);
    const isDone = data.length < UNCOUNTED_BYTES && data.toString().trim() === DONE;
    return this.#stream?.add(isDone ? undefined : parsed(data)) ?? false;
  }
}

/** Reads a response that is one JSON value. */
class ValueReader implements AnswerReader {
  readonly #api: ChatApi;
  readonly #length: number | undefined;
  readonly #hold: HoldBytes;
  #answer: ArrivedBytes | undefined = new ArrivedBytes();
  #bytes = 0;

  constructor(api: ChatApi, length: number | undefined, hold: HoldBytes) {
    this.#api = api;
    this.#length = length;
    this.#hold = hold;
  }

  add(chunk: Buffer): boolean {
    this.#bytes += chunk.length;
    const isCounted = this.#answer !== undefined && this.#bytes > UNCOUNTED_BYTES;
    if (this.#bytes > MAX_ANSWER_BYTES || (isCounted && !this.#hold(this.#bytes))) this.#answer = undefined;
    this.#answer?.add(chunk);
    return this.#bytes === this.#length;
  }

  end(): ChatAnswer | undefined {
    return this.#answer && this.#api.answer(parsed(this.#answer.bytes));
  }
}

function parsed(bytes: Buffer): unknown {
  try {
    checkJsonValues(bytes, MAX_ANSWER_VALUES);
    return JSON.parse(bytes.toString());
  } catch {
    return {};
  }
}
