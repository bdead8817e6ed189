import { fromJson, type JsonValue, toJson } from "@bufbuild/protobuf";
import { type Value, ValueSchema } from "@bufbuild/protobuf/wkt";

/** Converts a value for a field of any JSON type; undefined omits the field. */
export const toValue = (json: JsonValue | undefined): Value | undefined =>
  json === undefined ? undefined : fromJson(ValueSchema, json);

export const jsonOf = (value: Value): JsonValue => toJson(ValueSchema, value);
