/** Access to messages whose types are only known at run time. */
import { create, type DescField, type DescMessage, type Message } from "@bufbuild/protobuf";
import { isReflectMessage, type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import type { Value } from "@bufbuild/protobuf/wkt";

/** Symbol of a message's precomputed JSON. */
export const JSON_TEXT = Symbol("JSON text");

/** A message with its JSON, identical to `toJson` with JSON_OPTIONS. */
export interface PreEncodedMessage extends Message {
  readonly [JSON_TEXT]: string;
}

export const isWritten = (message: Message | undefined): message is PreEncodedMessage =>
  message !== undefined && JSON_TEXT in message;

/** Fields of a message by local name. */
export type Fields = Record<string, unknown>;

export const fieldsOf = (message: Message): Fields => message as unknown as Fields;

/** The string in an optional field; undefined if the message type has no such field. */
export function textIn(message: Message, name: string): string | undefined {
  const value = fieldsOf(message)[name];
  return typeof value === "string" ? value : undefined;
}

/** Items of a list field; empty for any other field. */
export function itemsIn(fields: Fields, { localName }: DescField): readonly unknown[] {
  const items = fields[localName];
  return Array.isArray(items) ? items : [];
}

/** Creates the response of an operation; its type was checked against `desc` at registration. */
export const messageFrom = (desc: DescMessage, init: object): Message => create(desc, init as Message);

/** Reads a string or an array of strings; empty for null. */
export function textsOf(value: Value | undefined): string[] {
  if (value?.kind.case === "stringValue") return [value.kind.value];
  if (value?.kind.case !== "listValue") return [];
  return value.kind.value.values.flatMap(({ kind }) => (kind.case === "stringValue" ? [kind.value] : []));
}

/** Number of a field that is unknown in a message, or in a message inside it. */
export const unknownNumber = (desc: DescMessage, message: Message): number | undefined =>
  unknownIn(reflect(desc, message));

function unknownIn(message: ReflectMessage): number | undefined {
  const [own] = message.getUnknown() ?? [];
  if (own) return own.no;
  for (const field of message.fields)
    for (const inner of messagesIn(message, field)) {
      const found = unknownIn(inner);
      if (found !== undefined) return found;
    }
  return undefined;
}

/** The messages in a field. */
function messagesIn(message: ReflectMessage, field: DescField): readonly ReflectMessage[] {
  if (field.message === undefined || !message.isSet(field)) return [];
  if (field.fieldKind === "message") return [message.get(field)];
  const items: Iterable<unknown> =
    field.fieldKind === "list"
      ? message.get(field)
      : field.fieldKind === "map"
        ? message.get(field).values()
        : [];
  return [...items].filter((item) => isReflectMessage(item));
}
