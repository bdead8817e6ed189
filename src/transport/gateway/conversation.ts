import { createHash } from "node:crypto";
import type { JsonSpan, JsonText } from "./json-spans.ts";

/** A part of a message of any chat API, in the form stored in sessions. */
export type ChatPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "call"; readonly id: string; readonly name: string; readonly input: unknown }
  | { readonly kind: "result"; readonly id: string; readonly output: string; readonly isError: boolean };

/** Position at which text can be inserted into a user's message. */
export type InsertionPlace =
  /** Inside its text, before this byte. */
  | { readonly kind: "text"; readonly at: number }
  /** As a separate part, before the part that starts at this byte. */
  | { readonly kind: "part"; readonly at: number; readonly type: string };

/** A message of a request, or an independent item. */
export interface ChatItem {
  readonly speaker: "user" | "assistant" | "tool";
  /** Identical for the same message in another request, regardless of cache markers. */
  readonly digest: string;
  /** Where text can be inserted before the user's own. */
  readonly place?: InsertionPlace;
  /** Lazy, because most messages of a request were already read earlier. */
  readonly read: () => readonly ChatPart[];
}

/** A request, parsed as a conversation. */
export interface ChatRequest {
  /** Oldest first, without system messages. */
  readonly items: readonly ChatItem[];
  /** Caller's name for the conversation, sent separately from its messages; "" if none. */
  readonly mark: string;
  /** Id of the response that the request continues, if the provider stores messages. */
  readonly previous?: string;
  /** Id of a conversation that the provider stores. */
  readonly kept?: string;
}

/** A model's response. */
export interface ChatAnswer {
  readonly parts: readonly ChatPart[];
  /** Id of the response, if later requests may refer to it. */
  readonly id?: string;
}

/** Message format of a chat API. */
export interface ChatApi {
  /** Parses a request. Throws UnreadableJson. */
  readonly request: (json: JsonText) => ChatRequest | undefined;
  /** Parses a response with a single value; undefined for anything else. */
  readonly answer: (value: unknown) => ChatAnswer | undefined;
  readonly stream: () => AnswerStream;
}

/** Assembles a response from its events. */
export interface AnswerStream {
  /** Upper bound of the response bytes buffered so far. */
  readonly bytes: number;
  /** Adds the value of an event; returns whether the response is complete. */
  add(event: unknown): boolean;
  /** Undefined until complete. */
  answer(): ChatAnswer | undefined;
}

/** Bytes from the beginning and end of a part without text (such as an image) that identify it. */
const SAMPLE_BYTES = 512;

/** Hash that identifies a message, computed from its relevant bytes. */
export class Digest {
  readonly #hash = createHash("sha256");

  add(kind: string, bytes: Uint8Array): this {
    this.#hash.update(`${kind} ${bytes.length}\n`).update(bytes);
    return this;
  }

  /** Adds a large value to the fingerprint by its length, beginning and end. */
  addSample(json: JsonText, { start, end }: JsonSpan): this {
    const { bytes } = json;
    this.#hash.update(`sample ${end - start}\n`);
    this.#hash.update(bytes.subarray(start, Math.min(end, start + SAMPLE_BYTES)));
    this.#hash.update(bytes.subarray(Math.max(start, end - SAMPLE_BYTES), end));
    return this;
  }

  text(): string {
    return this.#hash.digest("hex");
  }
}

/** A message to capture. */
export interface IdentifiedMessage {
  /** The same in every request of the conversation. */
  readonly id: string;
  readonly role: "user" | "assistant";
  readonly items: readonly ChatItem[];
}

export interface IdentifiedConversation {
  /** Oldest first; consecutive assistant messages are merged. */
  readonly messages: readonly IdentifiedMessage[];
  /** Id for the response to the request. */
  readonly answerId: string;
}

const hashOf = (...parts: readonly string[]): string =>
  createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 32);

/**
 * Id of the assistant's response to a message. It depends only on the position, because clients rewrite
 * responses.
 */
const answerAfter = (id: string): string => hashOf("answer", id);

/**
 * Assigns ids to the messages of a request: a hash of the message's digest and occurrence number. Ids do not
 * depend on earlier messages, so that a conversation with a truncated beginning is not captured again.
 */
export function identified({ items, previous = "" }: ChatRequest): IdentifiedConversation {
  const messages: IdentifiedMessage[] = [];
  const counts = new Map<string, number>();
  let last = hashOf("start", previous);
  let answer: ChatItem[] = [];
  const endAnswer = () => {
    if (answer.length > 0) messages.push({ id: answerAfter(last), role: "assistant", items: answer });
    answer = [];
  };
  for (const item of items) {
    if (item.speaker === "assistant") {
      answer.push(item);
      continue;
    }
    endAnswer();
    const count = (counts.get(item.digest) ?? 0) + 1;
    counts.set(item.digest, count);
    last = hashOf("said", previous, item.digest, String(count));
    messages.push({ id: last, role: item.speaker === "user" ? "user" : "assistant", items: [item] });
  }
  // an unfinished response becomes part of the next one
  return { messages, answerId: answerAfter(last) };
}

/** Session of an unnamed conversation, derived from the user's first message and the caller's mark. */
export function derivedSession({ items, mark, kept, previous }: ChatRequest): string {
  if (kept !== undefined) return `gateway-${hashOf("kept", kept)}`;
  if (previous !== undefined) return `gateway-${hashOf("previous", previous)}`;
  const first = (items.find(({ speaker }) => speaker === "user") ?? items[0])?.digest ?? "";
  return `gateway-${hashOf("first", mark, first)}`;
}
