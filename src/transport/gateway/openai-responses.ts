import { fieldOf, textField } from "../../base/capture/captured-message.ts";
import type { AnswerStream, ChatAnswer, ChatApi, ChatItem, ChatPart } from "./conversation.ts";
import type { JsonSpan, JsonText } from "./json-spans.ts";
import { assistantItem, contentOf, outputOf, resultItem, userItem } from "./message-parts.ts";
import { listOf, parsedInput } from "./values.ts";

const CALLS: ReadonlySet<string> = new Set(["function_call", "custom_tool_call"]);
const RESULTS: ReadonlySet<string> = new Set(["function_call_output", "custom_tool_call_output"]);
/** Events that contain the complete response. A failed response is ignored. */
const FINAL: ReadonlySet<string> = new Set(["response.completed", "response.incomplete"]);
const NO_TYPES: ReadonlySet<string> = new Set();

/** OpenAI's `POST /v1/responses`. */
export const openaiResponses: ChatApi = {
  request: (json) => {
    const root = json.root();
    if (!json.isObject(root)) return undefined;
    const members = json.members(root);
    const input = members.get("input");
    const previous = json.string(members.get("previous_response_id"));
    const kept = conversationOf(json, members.get("conversation"));
    const mark = json.string(members.get("prompt_cache_key")) ?? json.string(members.get("user")) ?? "";
    const about = { mark, ...(previous && { previous }), ...(kept && { kept }) };
    if (json.isList(input))
      return { items: json.items(input).flatMap((item) => itemsOf(json, item)), ...about };
    if (!json.isString(input)) return undefined;
    const said = userItem(json, contentOf(json, input, NO_TYPES));
    return { items: said === undefined ? [] : [said], ...about };
  },
  answer: (value) =>
    textField(value, "object") === "response" && FINAL.has(`response.${textField(value, "status") ?? ""}`)
      ? answerOf(value)
      : undefined,
  stream: () => new EventStream(),
};

/** The id of a conversation, given as a string or in an object. */
const conversationOf = (json: JsonText, span: JsonSpan | undefined): string | undefined =>
  json.isObject(span) ? json.string(json.members(span).get("id")) : json.string(span);

function itemsOf(json: JsonText, item: JsonSpan): ChatItem[] {
  if (!json.isObject(item)) return [];
  const members = json.members(item);
  const type = json.string(members.get("type")) ?? "message";
  if (CALLS.has(type)) return [assistantItem(() => partsOfItem(json.value(item)))];
  if (RESULTS.has(type)) {
    const id = members.get("call_id");
    const read = (): ChatPart => ({
      kind: "result",
      id: json.string(id) ?? "",
      output: outputOf(json, members.get("output")),
      isError: false,
    });
    return [resultItem(json, id, read)];
  }
  if (type !== "message") return [];
  const role = json.string(members.get("role"));
  if (role === "assistant") return [assistantItem(() => partsOfItem(json.value(item)))];
  const said =
    role === "user" ? userItem(json, contentOf(json, members.get("content"), NO_TYPES)) : undefined;
  return said === undefined ? [] : [said];
}

function partsOfItem(item: unknown): ChatPart[] {
  const type = textField(item, "type") ?? "message";
  if (CALLS.has(type)) {
    const input = textField(item, "arguments") ?? textField(item, "input") ?? "";
    const [id = "", name = ""] = [textField(item, "call_id"), textField(item, "name")];
    return [{ kind: "call", id, name, input: parsedInput(input) }];
  }
  if (type !== "message") return [];
  const content = fieldOf(item, "content");
  if (typeof content === "string") return [{ kind: "text", text: content }];
  return listOf(content).flatMap((part): ChatPart[] => {
    const text = textField(part, "text") ?? textField(part, "refusal");
    return text === undefined ? [] : [{ kind: "text", text }];
  });
}

function answerOf(response: unknown): ChatAnswer {
  // a later request can only refer to a response that the provider stores
  const id = fieldOf(response, "store") === false ? undefined : textField(response, "id");
  const parts = listOf(fieldOf(response, "output")).flatMap(partsOfItem);
  return { parts, ...(id !== undefined && { id }) };
}

class EventStream implements AnswerStream {
  /** Nothing is buffered, because one event contains the whole response. */
  readonly bytes = 0;
  #answer: ChatAnswer | undefined;

  add(event: unknown): boolean {
    if (FINAL.has(textField(event, "type") ?? "")) this.#answer ??= answerOf(fieldOf(event, "response"));
    return this.#answer !== undefined;
  }

  answer(): ChatAnswer | undefined {
    return this.#answer;
  }
}
