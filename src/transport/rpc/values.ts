import type { Value } from "@bufbuild/protobuf/wkt";

/** Reads a string or an array of strings; empty for null. */
export function textsOf(value: Value | undefined): string[] {
  if (value?.kind.case === "stringValue") return [value.kind.value];
  if (value?.kind.case !== "listValue") return [];
  return value.kind.value.values.flatMap(({ kind }) => (kind.case === "stringValue" ? [kind.value] : []));
}
