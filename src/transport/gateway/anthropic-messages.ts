import { fieldOf, textField } from "../../base/capture/captured-message.ts";
import type { AnswerStream, ChatAnswer, ChatApi, ChatItem, ChatPart, ChatRequest } from "./conversation.ts";
import type { JsonSpan, JsonText } from "./json-spans.ts";
import {
  assistantItem,
  contentOf,
  messagesOf,
  outputOf,
  resultItem,
  textsOf,
  userItem,
} from "./message-parts.ts";
import { jsonOf, listOf, numberOf, parsedInput, StreamedTexts } from "./values.ts";

/** Part types of tool calls in assistant messages, and of tool results. */
const CALLS: ReadonlySet<string> = new Set(["tool_use", "server_tool_use", "mcp_tool_use"]);
const RESULT = "tool_result";
/** Maximum number of content blocks in a streamed response. */
const MAX_BLOCKS = 1000;

/** Anthropic's `POST /v1/messages`. */
export const anthropicMessages: ChatApi = {
  request: (json) => {
    const found = messagesOf(json);
    if (found === undefined) return undefined;
    const metadata = found.members.get("metadata");
    const mark = json.isObject(metadata) ? json.string(json.members(metadata).get("user_id")) : undefined;
    const items = found.messages.flatMap((message) => itemsOf(json, message));
    return { items, mark: mark ?? "" } satisfies ChatRequest;
  },
  answer: (value) => {
    if (textField(value, "type") !== "message") return undefined;
    return { parts: listOf(fieldOf(value, "content")).flatMap(partsOfBlock) };
  },
  stream: () => new MessageStream(),
};

function itemsOf(json: JsonText, message: JsonSpan): ChatItem[] {
  const members = json.members(message);
  const role = json.string(members.get("role"));
  const span = members.get("content");
  if (role === "assistant") return [assistantItem(() => assistantParts(json, span))];
  if (role !== "user") return [];
  const results = (json.isList(span) ? json.items(span) : []).flatMap((part) => resultsOf(json, part));
  const said = userItem(json, contentOf(json, span, new Set([RESULT])));
  return said === undefined ? results : [...results, said];
}

function resultsOf(json: JsonText, part: JsonSpan): ChatItem[] {
  if (!json.isObject(part)) return [];
  const members = json.members(part);
  if (json.string(members.get("type")) !== RESULT) return [];
  const id = members.get("tool_use_id");
  const read = (): ChatPart => ({
    kind: "result",
    id: json.string(id) ?? "",
    output: outputOf(json, members.get("content")),
    isError: json.value(members.get("is_error")) === true,
  });
  return [resultItem(json, id, read)];
}

function assistantParts(json: JsonText, span: JsonSpan | undefined): ChatPart[] {
  if (!json.isList(span)) return textsOf(json, contentOf(json, span, new Set()));
  return json.items(span).flatMap((part) => partsOfBlock(json.value(part)));
}

function partsOfBlock(block: unknown): ChatPart[] {
  const type = textField(block, "type") ?? "";
  if (type === "text") return [{ kind: "text", text: textField(block, "text") ?? "" }];
  if (!CALLS.has(type)) return [];
  const [id = "", name = ""] = [textField(block, "id"), textField(block, "name")];
  return [{ kind: "call", id, name, input: fieldOf(block, "input") }];
}

/** An unfinished block, limited to the length that is captured. */
interface OpenBlock {
  readonly call: { readonly id: string; readonly name: string } | undefined;
  /** JSON of the input in the block's start event. */
  readonly begun: string;
  /** Text, or JSON of a tool input. */
  text: string;
}

class MessageStream implements AnswerStream {
  readonly #blocks = new Map<number, OpenBlock>();
  readonly #texts = new StreamedTexts();
  #isComplete = false;

  get bytes(): number {
    return this.#texts.bytes;
  }

  add(event: unknown): boolean {
    const type = textField(event, "type");
    const index = numberOf(fieldOf(event, "index"));
    if (type === "content_block_start") this.#begin(index, fieldOf(event, "content_block"));
    else if (type === "content_block_delta") {
      const block = this.#blocks.get(index);
      const delta = fieldOf(event, "delta");
      const piece = textField(delta, "text") ?? textField(delta, "partial_json");
      if (block) block.text = this.#texts.grown(block.text, piece);
    } else if (type === "message_stop") this.#isComplete = true;
    return this.#isComplete;
  }

  answer(): ChatAnswer | undefined {
    if (!this.#isComplete) return undefined;
    const parts = [...this.#blocks.values()].map(
      ({ call, begun, text }): ChatPart =>
        call ? { kind: "call", ...call, input: parsedInput(text || begun) } : { kind: "text", text },
    );
    return { parts };
  }

  #begin(index: number, begun: unknown): void {
    const [part] = partsOfBlock(begun);
    if (part === undefined || part.kind === "result" || this.#blocks.size >= MAX_BLOCKS) return;
    const taken = (text: string) => this.#texts.grown("", text);
    const block: OpenBlock =
      part.kind === "text"
        ? { call: undefined, begun: "", text: taken(part.text) }
        : {
            call: { id: taken(part.id), name: taken(part.name) },
            begun: taken(jsonOf(part.input)),
            text: "",
          };
    this.#blocks.set(index, block);
  }
}
