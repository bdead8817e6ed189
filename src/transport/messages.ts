/** Messages whose types are only known at run time. */
import { create, type DescField, type DescMessage, type Message } from "@bufbuild/protobuf";

/** Symbol of a message's prepared JSON. */
export const JSON_TEXT = Symbol("JSON text");

/** A message with its JSON, identical to `toJson` with JSON_OPTIONS. */
export interface PreEncodedMessage extends Message {
  readonly [JSON_TEXT]: string;
}

export const isWritten = (message: Message | undefined): message is PreEncodedMessage =>
  message !== undefined && JSON_TEXT in message;

/** The fields of a message by local name. */
export type Fields = Record<string, unknown>;

export const fieldsOf = (message: Message): Fields => message as unknown as Fields;

/** The text in an optional field of a message type; undefined if the type lacks it. */
export function textIn(message: Message, name: string): string | undefined {
  const value = fieldsOf(message)[name];
  return typeof value === "string" ? value : undefined;
}

/** The items of a list field; empty for every other field. */
export function itemsIn(fields: Fields, { localName }: DescField): readonly unknown[] {
  const items = fields[localName];
  return Array.isArray(items) ? items : [];
}

/** The response of an operation, whose registration has checked the type against `desc`. */
export const messageFrom = (desc: DescMessage, init: object): Message => create(desc, init as Message);
