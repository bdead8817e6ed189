import { withoutNotices } from "../../base/capture/captured-message.ts";
import { type ChatItem, type ChatPart, Digest, type InsertionPlace } from "./conversation.ts";
import type { JsonSpan, JsonText } from "./json-spans.ts";

/** Maximum bytes of a tool output that are read; sessions store less. */
const MAX_OUTPUT_BYTES = 64 * 1024;

/** Members of a request by name, and its messages; undefined if it has none. */
export function messagesOf(
  json: JsonText,
): { readonly members: ReadonlyMap<string, JsonSpan>; readonly messages: readonly JsonSpan[] } | undefined {
  const root = json.root();
  if (!json.isObject(root)) return undefined;
  const members = json.members(root);
  const list = members.get("messages");
  return json.isList(list) ? { members, messages: json.items(list).filter(json.isObject) } : undefined;
}

/** A string that is a message's whole content, or the text of one of its parts. */
interface TextSource {
  readonly span: JsonSpan;
  /** The part with the text; undefined if the text is the content itself. */
  readonly part?: { readonly start: number; readonly type: string };
}

/** An image, recording or document; a session only records that there was one. */
interface OtherSource {
  readonly span: JsonSpan;
  readonly type: string;
}

/** Content of a message: texts and other parts. */
export interface Content {
  readonly texts: readonly TextSource[];
  readonly others: readonly OtherSource[];
}

const TEXT_TYPES: ReadonlySet<string> = new Set(["text", "input_text", "output_text"]);

/**
 * Reads a message's content in any of the APIs: a string or an array of parts. Parts with a type in `skipped`
 * are read elsewhere.
 */
export function contentOf(json: JsonText, span: JsonSpan | undefined, skipped: ReadonlySet<string>): Content {
  if (json.isString(span)) return { texts: [{ span }], others: [] };
  const texts: TextSource[] = [];
  const others: OtherSource[] = [];
  for (const part of json.isList(span) ? json.items(span) : []) {
    if (!json.isObject(part)) continue;
    const members = json.members(part);
    const type = json.string(members.get("type")) ?? "text";
    const text = members.get("text");
    if (TEXT_TYPES.has(type) && json.isString(text))
      texts.push({ span: text, part: { start: part.start, type } });
    else if (!TEXT_TYPES.has(type) && !skipped.has(type)) others.push({ span: part, type });
  }
  return { texts, others };
}

/** A user's message without text added by the agent; undefined if nothing remains. */
export function userItem(json: JsonText, { texts, others }: Content): ChatItem | undefined {
  const spoken = texts
    .map((source) => ({ source, text: withoutNotices(json.string(source.span) ?? "") }))
    .filter(({ text }) => text !== "");
  const last = spoken.at(-1)?.source;
  if (last === undefined && others.length === 0) return undefined;
  const digest = new Digest();
  for (const { text } of spoken) digest.add("text", Buffer.from(text));
  for (const { span } of others) digest.addSample(json, span);
  return {
    speaker: "user",
    digest: digest.text(),
    ...(last && { place: placeOf(last) }),
    read: () => [...spoken.map(({ text }): ChatPart => ({ kind: "text", text })), ...others.map(noteOf)],
  };
}

function placeOf({ span, part }: TextSource): InsertionPlace {
  if (part !== undefined) return { kind: "part", at: part.start, type: part.type };
  return { kind: "text", at: span.start + 1 };
}

const noteOf = ({ type, span }: OtherSource): ChatPart => ({
  kind: "text",
  text: `[${type.slice(0, 40)}, ${span.end - span.start} bytes]`,
});

/** An assistant's message. It is identified by position and needs no digest. */
export const assistantItem = (read: () => readonly ChatPart[]): ChatItem => ({
  speaker: "assistant",
  digest: "",
  read,
});

export const textsOf = (json: JsonText, { texts }: Content): ChatPart[] =>
  texts.map(({ span }) => ({ kind: "text", text: json.string(span) ?? "" }));

/** A tool result, identified by the id of its call. */
export const resultItem = (json: JsonText, id: JsonSpan | undefined, read: () => ChatPart): ChatItem => ({
  speaker: "tool",
  digest: new Digest().add("result", json.raw(id)).text(),
  read: () => [read()],
});

/** A tool's output as text: a string, or the texts of its parts. */
export function outputOf(json: JsonText, span: JsonSpan | undefined): string {
  if (span === undefined) return "";
  if (json.isString(span) || json.isList(span)) {
    const { texts, others } = contentOf(json, span, new Set());
    const parts = texts.map((text) => json.string(text.span) ?? "");
    const notes = others.map((other) => noteOf(other)).map((note) => (note.kind === "text" ? note.text : ""));
    return [...parts, ...notes].join("\n").slice(0, MAX_OUTPUT_BYTES);
  }
  return json.raw(span).subarray(0, MAX_OUTPUT_BYTES).toString();
}
