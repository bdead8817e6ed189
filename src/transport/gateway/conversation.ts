import { createHash } from "node:crypto";
import type { JsonSpan, JsonText } from "./json-text.ts";

/** A part of a message of any chat API, in the form for sessions. */
export type ChatPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "call"; readonly id: string; readonly name: string; readonly input: unknown }
  | { readonly kind: "result"; readonly id: string; readonly output: string; readonly isError: boolean };

/** Position for inserting a text into a user's message. */
export type InsertionPlace =
  /** Inside its text, before this byte. */
  | { readonly kind: "text"; readonly at: number }
  /** As a separate part, before the part that begins at this byte. */
  | { readonly kind: "part"; readonly at: number; readonly type: string };

/** A message of a request, or an independent item. */
export interface ChatItem {
  readonly speaker: "user" | "assistant" | "tool";
  /** Identical for the same message in another request, whatever its cache marks. */
  readonly digest: string;
  /** Where text can be inserted before the user's own. */
  readonly place?: InsertionPlace;
  /** Lazy: most messages of a request are known already. */
  readonly read: () => readonly ChatPart[];
}

/** A request as a conversation. */
export interface ChatRequest {
  /** Oldest first, without system messages. */
  readonly items: readonly ChatItem[];
  /** The caller's name for the conversation, apart from its messages; "" if there is none. */
  readonly mark: string;
  /** The answer that it continues, if the provider stores its messages. */
  readonly previous?: string;
  /** The conversation stored by the provider. */
  readonly kept?: string;
}

/** A model's answer. */
export interface ChatAnswer {
  readonly parts: readonly ChatPart[];
  /** Its id, if a later request may refer to it. */
  readonly id?: string;
}

/** The message format of a chat API. */
export interface ChatApi {
  /** Throws UnreadableJson. */
  readonly request: (json: JsonText) => ChatRequest | undefined;
  /** An answer in a single value; undefined for anything else. */
  readonly answer: (value: unknown) => ChatAnswer | undefined;
  readonly stream: () => AnswerStream;
}

/** Assembles an answer from its events. */
export interface AnswerStream {
  /** Bytes of the answer that are held so far, at most. */
  readonly bytes: number;
  /** The value of one event; true once the answer is complete. */
  add(event: unknown): boolean;
  /** Undefined while it is not complete. */
  answer(): ChatAnswer | undefined;
}

/** Bytes from the beginning and the end of a part without text (a picture) that identify it. */
const SAMPLE_BYTES = 512;

/** Identity of a message, from the bytes that count. */
export class Digest {
  readonly #hash = createHash("sha256");

  add(kind: string, bytes: Uint8Array): this {
    this.#hash.update(`${kind} ${bytes.length}\n`).update(bytes);
    return this;
  }

  /** A large value is represented by its length, beginning and end. */
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
  /** The id of the answer to the request. */
  readonly answerId: string;
}

const hashOf = (...parts: readonly string[]): string =>
  createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 32);

/** The id of the assistant's answer to a message: by position, since clients rewrite answers. */
const answerAfter = (id: string): string => hashOf("answer", id);

/**
 * Assigns ids to the messages of a request, independent of earlier messages, so that a conversation with a
 * truncated beginning is not captured again: a digest, and the number of its occurrence.
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
  // an unfinished answer is part of the next one
  return { messages, answerId: answerAfter(last) };
}

/** The session of an unnamed conversation: by the user's first message, and the caller's mark. */
export function derivedSession({ items, mark, kept, previous }: ChatRequest): string {
  if (kept !== undefined) return `gateway-${hashOf("kept", kept)}`;
  if (previous !== undefined) return `gateway-${hashOf("previous", previous)}`;
  const first = (items.find(({ speaker }) => speaker === "user") ?? items[0])?.digest ?? "";
  return `gateway-${hashOf("first", mark, first)}`;
}
