import { create, type DescField, type DescMessage, type Message, toBinary, toJson } from "@bufbuild/protobuf";
import { isObject } from "../../base/expect.ts";
import { isWritten, JSON_TEXT } from "../message-fields.ts";
import { JSON_OPTIONS, listOf } from "../rest/envelope.ts";

/** Items of a list encoded per step. */
const ITEMS_PER_STEP = 50;

/** Encodes a response as Protobuf, in steps: a list may have tens of thousands of items. */
export function* binarySteps(desc: DescMessage, message: Message): Generator<undefined, Uint8Array> {
  const list = longListOf(desc, message);
  if (list === undefined) return toBinary(desc, message);
  const { field, items } = list;
  const parts = [toBinary(desc, withItems(message, field, []))];
  const only = create(desc);
  // concatenated encodings of messages encode one message with all their items
  for (let at = 0; at < items.length; at += ITEMS_PER_STEP) {
    parts.push(toBinary(desc, withItems(only, field, items.slice(at, at + ITEMS_PER_STEP))));
    yield;
  }
  return Buffer.concat(parts);
}

/** Encodes a response as JSON, in steps. */
export function* jsonSteps(desc: DescMessage, message: Message): Generator<undefined, Uint8Array> {
  const list = longListOf(desc, message);
  if (list === undefined) return Buffer.from(JSON.stringify(toJson(desc, message, JSON_OPTIONS)));
  const { field, inner, items } = list;
  const json = toJson(desc, withItems(message, field, []), JSON_OPTIONS);
  const texts: string[] = [];
  for (const [i, item] of items.entries()) {
    texts.push(isWritten(item) ? item[JSON_TEXT] : JSON.stringify(toJson(inner, item, JSON_OPTIONS)));
    if (i % ITEMS_PER_STEP === 0) yield;
  }
  const { [field.name]: _, ...rest } = isObject(json) ? json : {};
  const others = JSON.stringify(rest).slice(1);
  const text = `{"${field.name}":[${texts.join()}]${others === "}" ? "" : ","}${others}`;
  yield;
  return Buffer.from(text);
}

interface LongList {
  readonly field: DescField;
  readonly inner: DescMessage;
  readonly items: readonly Message[];
}

/** The longest list of messages in a response; undefined if it is short. */
function longListOf(desc: DescMessage, message: Message): LongList | undefined {
  let longest: LongList | undefined;
  for (const field of desc.fields) {
    if (field.fieldKind !== "list" || field.listKind !== "message") continue;
    const items = listOf(message, field);
    if (items.length > (longest?.items.length ?? ITEMS_PER_STEP))
      longest = { field, inner: field.message, items };
  }
  return longest;
}

const withItems = (message: Message, { localName }: DescField, items: readonly Message[]): Message =>
  Object.assign({ ...message }, { [localName]: items });
