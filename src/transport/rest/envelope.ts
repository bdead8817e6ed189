import {
  type DescField,
  type DescMessage,
  type JsonObject,
  type JsonValue,
  type Message,
  toJson,
} from "@bufbuild/protobuf";
import { EventLoopYielder } from "../../base/event-loop.ts";
import type { ServiceError } from "../../domain/errors.ts";
import { isWritten, JSON_TEXT, type PreEncodedMessage } from "../message-fields.ts";

/**
 * Proto field names, zero values included, optional fields omitted if unset; the same for REST and Connect.
 */
export const JSON_OPTIONS = { useProtoFieldName: true, alwaysEmitImplicit: true } as const;

/** Body and next cursor of a successful response. */
export interface Success {
  readonly text: string;
  readonly nextCursor: string | undefined;
}

/** Items of a list written between two yields. */
const ITEMS_AT_ONCE = 50;

/** Envelope fields besides result and error. */
export interface EnvelopeFacts {
  /** Processing time in seconds. */
  readonly seconds: number;
  /** Omitted if empty. */
  readonly warnings: readonly string[];
  /** Additional members of the result; not for a list. */
  readonly more?: JsonObject | undefined;
}

/**
 * `{status, result, time, warnings?}`; without a result if the response message has no fields.
 * `responseBody`: the one field that is the result.
 */
export async function success(
  desc: DescMessage,
  message: Message,
  responseBody: DescField | undefined,
  { seconds, warnings, more }: EnvelopeFacts,
): Promise<Success> {
  const end = `"time":${seconds}${warnings.length === 0 ? "" : `,"warnings":${JSON.stringify(warnings)}`}}`;
  if (desc.fields.length === 0) return { text: `{"status":"ok",${end}`, nextCursor: undefined };
  const around = (result: string): string => `{"status":"ok","result":${result},${end}`;
  const items = listOf(message, responseBody);
  if (responseBody?.message && (items.length > ITEMS_AT_ONCE || isWritten(items[0]))) {
    const json = jsonWithout(desc, message, responseBody);
    return { text: around(await textInTurns(responseBody.message, items)), nextCursor: takeCursor(json) };
  }
  const written =
    responseBody === undefined
      ? desc.fields.find((field) => isWritten(listOf(message, field)[0]))
      : undefined;
  if (written) {
    const { [written.name]: _, ...rest } = jsonWithout(desc, message, written);
    const nextCursor = takeCursor(rest);
    const others = JSON.stringify(Object.assign(rest, more)).slice(1);
    const list = (listOf(message, written) as readonly PreEncodedMessage[])
      .map((item) => item[JSON_TEXT])
      .join();
    return { text: around(`{"${written.name}":[${list}]${others === "}" ? "" : ","}${others}`), nextCursor };
  }
  const json = jsonOf(desc, message);
  const nextCursor = takeCursor(json);
  const result: JsonValue =
    responseBody === undefined ? Object.assign(json, more) : (json[responseBody.name] ?? null);
  return { text: around(JSON.stringify(result)), nextCursor };
}

function jsonOf(desc: DescMessage, message: Message): JsonObject {
  const json = toJson(desc, message, JSON_OPTIONS);
  if (typeof json !== "object" || json === null || Array.isArray(json))
    throw new TypeError(`${desc.typeName} is not a JSON object`);
  return json;
}

/** JSON of a message with one of its lists emptied. */
const jsonWithout = (desc: DescMessage, message: Message, list: DescField): JsonObject =>
  jsonOf(desc, Object.assign({ ...message }, { [list.localName]: [] }));

/** The items of a list of messages; none for any other field. */
export const listOf = (message: Message, field: DescField | undefined): readonly Message[] =>
  field?.fieldKind === "list" && field.listKind === "message"
    ? ((message as unknown as Record<string, readonly Message[]>)[field.localName] ?? [])
    : [];

/** Serializes a long list, yielding to the event loop. */
async function textInTurns(desc: DescMessage, items: readonly Message[]): Promise<string> {
  const texts: string[] = [];
  const yielder = new EventLoopYielder();
  for (let at = 0; at < items.length; at += ITEMS_AT_ONCE) {
    for (const item of items.slice(at, at + ITEMS_AT_ONCE))
      texts.push(isWritten(item) ? item[JSON_TEXT] : JSON.stringify(toJson(desc, item, JSON_OPTIONS)));
    await yielder.yieldIfDue();
  }
  return `[${texts.join()}]`;
}

function takeCursor(json: JsonObject): string | undefined {
  const cursor = json.next_cursor;
  if (cursor === undefined) return undefined;
  delete json.next_cursor;
  return typeof cursor === "string" && cursor !== "" ? cursor : undefined;
}

/** `{status, error: {code, message, details?}, time, warnings?}`. */
export function failure(error: ServiceError, { seconds, warnings }: EnvelopeFacts): string {
  const { code, message, details } = error;
  const told = warnings.length > 0 && { warnings };
  return JSON.stringify({
    status: "error",
    error: { code, message, ...(details && { details }) },
    time: seconds,
    ...told,
  });
}
