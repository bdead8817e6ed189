import { fromJson, type JsonValue, toJson } from "@bufbuild/protobuf";
import { type Value, ValueSchema } from "@bufbuild/protobuf/wkt";

/** A field that takes any JSON; undefined leaves it out. */
export const toValue = (json: JsonValue | undefined): Value | undefined =>
  json === undefined ? undefined : fromJson(ValueSchema, json);

export const jsonOf = (value: Value): JsonValue => toJson(ValueSchema, value);
