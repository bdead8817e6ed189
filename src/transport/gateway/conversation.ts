import { createHash } from "node:crypto";
import type { JsonSpan, JsonText } from "./json-text.ts";

/** A part of a message of any chat API, as far as a session keeps it. */
export type ChatPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "call"; readonly id: string; readonly name: string; readonly input: unknown }
  | { readonly kind: "result"; readonly id: string; readonly output: string; readonly isError: boolean };

/** Where a text can be put into a message of the user. */
export type InsertionPlace =
  /** Into its text, in front of this byte. */
  | { readonly kind: "text"; readonly at: number }
  /** As a part of its own, in front of the part that begins at this byte. */
  | { readonly kind: "part"; readonly at: number; readonly type: string };

/** A message of a request, or an item of one that stands for itself. */
export interface ChatItem {
  readonly speaker: "user" | "assistant" | "tool";
  /** The same for the same message in another request, however it is marked there for a cache. */
  readonly digest: string;
  /** What the user has written can be preceded by a text here. */
  readonly place?: InsertionPlace;
  /** Read on demand: most messages of a request are known already. */
  readonly read: () => readonly ChatPart[];
}

/** A request as a conversation. */
export interface ChatRequest {
  /** Oldest first, without what the system says. */
  readonly items: readonly ChatItem[];
  /** What the caller says of the conversation beside its messages, "" where nothing. */
  readonly mark: string;
  /** The answer that it continues, where its messages are kept by the provider. */
  readonly previous?: string;
  /** The conversation that the provider keeps. */
  readonly kept?: string;
}

/** An answer as the model has given it. */
export interface ChatAnswer {
  readonly parts: readonly ChatPart[];
  /** Its id, where a later request may continue it by that. */
  readonly id?: string;
}

/** How one chat API writes its messages. */
export interface ChatApi {
  /** Throws UnreadableJson. */
  readonly request: (json: JsonText) => ChatRequest | undefined;
  /** The answer that is given as one value; undefined for what is none. */
  readonly answer: (value: unknown) => ChatAnswer | undefined;
  readonly stream: () => AnswerStream;
}

/** Puts an answer together from its events. */
export interface AnswerStream {
  /** The value of one event; true once the answer is complete. */
  add(event: unknown): boolean;
  /** Undefined while it is not complete. */
  answer(): ChatAnswer | undefined;
}

/** Bytes of a part without text (a picture) that tell it from another, from its beginning and its end. */
const SAMPLE_BYTES = 512;

/** Identity of a message, from the bytes that count. */
export class Digest {
  readonly #hash = createHash("sha256");

  add(kind: string, bytes: Uint8Array): this {
    this.#hash.update(`${kind} ${bytes.length}\n`).update(bytes);
    return this;
  }

  /** A large value by its length, beginning and end. */
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

/** A message that may be captured. */
export interface IdentifiedMessage {
  /** The same in every request of the conversation that holds the message. */
  readonly id: string;
  readonly role: "user" | "assistant";
  readonly items: readonly ChatItem[];
}

export interface IdentifiedConversation {
  /** Oldest first; what the assistant said in one go is one message. */
  readonly messages: readonly IdentifiedMessage[];
  /** The id that the answer to the request gets. */
  readonly answerId: string;
}

const hashOf = (...parts: readonly string[]): string =>
  createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 32);

/** The id of what the assistant says after a message: its place, since clients rewrite what it says. */
const answerAfter = (id: string): string => hashOf("answer", id);

/**
 * Gives the messages of a request ids that do not depend on what stands before them, so that a conversation
 * of which an agent has shortened the beginning is not captured again: a digest, and how often it has come up.
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
  // an answer that is still open is part of the one that comes
  return { messages, answerId: answerAfter(last) };
}

/** The session of a conversation without a name: by what its user says first, and how the caller marks it. */
export function derivedSession({ items, mark, kept, previous }: ChatRequest): string {
  if (kept !== undefined) return `gateway-${hashOf("kept", kept)}`;
  if (previous !== undefined) return `gateway-${hashOf("previous", previous)}`;
  const first = (items.find(({ speaker }) => speaker === "user") ?? items[0])?.digest ?? "";
  return `gateway-${hashOf("first", mark, first)}`;
}
