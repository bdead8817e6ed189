import { type DescField, type DescMessage, type JsonObject, type JsonValue, type Message, toJson } from "@bufbuild/protobuf";
import type { ServiceError } from "../../domain/errors.ts";

/** The names of the proto, zero values sent, optional fields without value dropped (answers 2.2); REST and Connect alike. */
export const JSON_OPTIONS = { useProtoFieldName: true, alwaysEmitImplicit: true } as const;

/** The text of a success, and what goes into headers instead (ruling E19). */
export interface Success {
  readonly text: string;
  readonly nextCursor: string | undefined;
}

/**
 * `{status, result, time}`; no result where the response message has no fields. `responseBody` picks the one field that is the result.
 * `seconds` is the processing time.
 */
export function success(desc: DescMessage, message: Message, responseBody: DescField | undefined, seconds: number): Success {
  if (desc.fields.length === 0) return { text: `{"status":"ok","time":${seconds}}`, nextCursor: undefined };
  const json = toJson(desc, message, JSON_OPTIONS) as JsonObject;
  const nextCursor = takeCursor(json);
  const result: JsonValue = responseBody === undefined ? json : (json[responseBody.name] ?? null);
  return { text: `{"status":"ok","result":${JSON.stringify(result)},"time":${seconds}}`, nextCursor };
}

function takeCursor(json: JsonObject): string | undefined {
  const cursor = json.next_cursor;
  if (cursor === undefined) return undefined;
  delete json.next_cursor;
  return typeof cursor === "string" && cursor !== "" ? cursor : undefined;
}

/** `{status, error: {code, message, details?}, time}` (answers 2.4). */
export function failure(error: ServiceError, seconds: number): string {
  const { code, message, details } = error;
  return JSON.stringify({ status: "error", error: { code, message, ...(details && { details }) }, time: seconds });
}
