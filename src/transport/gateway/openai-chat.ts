import { fieldOf, textField } from "../../base/capture/captured-message.ts";
import type { AnswerStream, ChatAnswer, ChatApi, ChatItem, ChatPart } from "./conversation.ts";
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
import { listOf, numberOf, parsedInput, StreamedTexts } from "./values.ts";

/** Maximum number of tool calls in a streamed response. */
const MAX_CALLS = 1000;
const NO_TYPES: ReadonlySet<string> = new Set();

/** OpenAI's `POST /v1/chat/completions`, which many other servers support. */
export const openaiChat: ChatApi = {
  request: (json) => {
    const found = messagesOf(json);
    if (found === undefined) return undefined;
    const { members, messages } = found;
    const items = messages.flatMap((message) => itemsOf(json, message));
    const mark = json.string(members.get("prompt_cache_key")) ?? json.string(members.get("user")) ?? "";
    return { items, mark };
  },
  answer: (value) => {
    const message = fieldOf(listOf(fieldOf(value, "choices"))[0], "message");
    return message === undefined ? undefined : { parts: partsOfMessage(message) };
  },
  stream: () => new ChunkStream(),
};

function itemsOf(json: JsonText, message: JsonSpan): ChatItem[] {
  const members = json.members(message);
  const role = json.string(members.get("role"));
  const content = members.get("content");
  if (role === "assistant") return [assistantItem(() => assistantParts(json, message, content))];
  if (role === "tool") {
    const id = members.get("tool_call_id");
    const read = (): ChatPart => ({
      kind: "result",
      id: json.string(id) ?? "",
      output: outputOf(json, content),
      isError: false,
    });
    return [resultItem(json, id, read)];
  }
  const said = role === "user" ? userItem(json, contentOf(json, content, NO_TYPES)) : undefined;
  return said === undefined ? [] : [said];
}

function assistantParts(json: JsonText, message: JsonSpan, content: JsonSpan | undefined): ChatPart[] {
  const calls = partsOfMessage(json.value(message)).filter(({ kind }) => kind === "call");
  return [...textsOf(json, contentOf(json, content, NO_TYPES)), ...calls];
}

function partsOfMessage(message: unknown): ChatPart[] {
  const text = textField(message, "content") ?? textField(message, "refusal") ?? "";
  const calls = listOf(fieldOf(message, "tool_calls")).map((call): ChatPart => {
    const called = fieldOf(call, "function") ?? fieldOf(call, "custom");
    const input = textField(called, "arguments") ?? textField(called, "input") ?? "";
    const [id = "", name = ""] = [textField(call, "id"), textField(called, "name")];
    return { kind: "call", id, name, input: parsedInput(input) };
  });
  return text === "" ? calls : [{ kind: "text", text }, ...calls];
}

interface OpenCall {
  id: string;
  name: string;
  input: string;
}

/**
 * Assembles chunks of the first choice. The stream ends with `[DONE]`, or after a chunk with a finish reason.
 */
class ChunkStream implements AnswerStream {
  #text = "";
  readonly #texts = new StreamedTexts();
  readonly #calls = new Map<number, OpenCall>();
  #isFinished = false;

  get bytes(): number {
    return this.#texts.bytes;
  }

  add(event: unknown): boolean {
    if (event === undefined) return this.#isFinished;
    for (const choice of listOf(fieldOf(event, "choices"))) {
      if (fieldOf(choice, "index") !== 0) continue;
      const delta = fieldOf(choice, "delta");
      const piece = textField(delta, "content") ?? textField(delta, "refusal");
      this.#text = this.#texts.grown(this.#text, piece);
      for (const call of listOf(fieldOf(delta, "tool_calls"))) this.#addCall(call);
      if (textField(choice, "finish_reason") !== undefined) this.#isFinished = true;
    }
    return false;
  }

  answer(): ChatAnswer | undefined {
    if (!this.#isFinished) return undefined;
    const calls = [...this.#calls.values()].map(
      ({ id, name, input }): ChatPart => ({ kind: "call", id, name, input: parsedInput(input) }),
    );
    return { parts: this.#text === "" ? calls : [{ kind: "text", text: this.#text }, ...calls] };
  }

  #addCall(call: unknown): void {
    const index = numberOf(fieldOf(call, "index"));
    const open = this.#calls.get(index) ?? { id: "", name: "", input: "" };
    if (this.#calls.size < MAX_CALLS) this.#calls.set(index, open);
    const called = fieldOf(call, "function") ?? fieldOf(call, "custom");
    open.id ||= this.#texts.grown("", textField(call, "id"));
    open.name ||= this.#texts.grown("", textField(called, "name"));
    open.input = this.#texts.grown(open.input, textField(called, "arguments") ?? textField(called, "input"));
  }
}
