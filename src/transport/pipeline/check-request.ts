import { type DescField, type DescMessage, getOption, hasOption, type Message } from "@bufbuild/protobuf";
import { type Value, ValueSchema } from "@bufbuild/protobuf/wkt";
import { FieldBehavior, field_behavior } from "../../../gen/google/api/field_behavior_pb.ts";
import { append } from "../../base/append.ts";
import { invalidArgument } from "../../domain/errors.ts";
import type { RunningCall } from "../call.ts";
import { entityTags } from "../headers.ts";
import { type Fields, fieldsOf, itemsIn, textIn } from "../message-fields.ts";

type Check = (message: Fields, path: string) => void;

const compiled = new Map<DescMessage, readonly Check[]>();

/**
 * JSON types allowed in google.protobuf.Value fields, by field name; each of these fields accepts one of two
 * types.
 */
const SHAPES: Readonly<
  Record<string, { readonly test: (value: Value) => boolean; readonly reason: string }>
> = {
  target_uri: { test: isTexts, reason: "must be a string or an array of strings" },
  to_uris: { test: isTexts, reason: "must be a string or an array of strings" },
  data: {
    test: (value) => value.kind.case === "stringValue" || value.kind.case === "structValue",
    reason: "must be a string or an object",
  },
};

function isTexts(value: Value): boolean {
  if (value.kind.case === "stringValue") return true;
  return (
    value.kind.case === "listValue" &&
    value.kind.value.values.every((item) => item.kind.case === "stringValue")
  );
}

/**
 * Validates a request: throws INVALID_ARGUMENT if a field marked REQUIRED is missing (or empty, if absence
 * cannot be detected) or a Value field has a wrong type. `details.field` looks like `parts[1].type`. Same for
 * all protocols.
 */
export function checkRequest(desc: DescMessage, message: Message): void {
  for (const check of checksOf(desc)) check(fieldsOf(message), "");
}

function checksOf(desc: DescMessage): readonly Check[] {
  const known = compiled.get(desc);
  if (known) return known;
  const checks: Check[] = [];
  compiled.set(desc, checks);
  for (const field of desc.fields) append(checks, fieldChecks(field));
  return checks;
}

function fieldChecks(field: DescField): Check[] {
  const checks: Check[] = [];
  if (isRequired(field)) checks.push(requires(field));
  const shape = SHAPES[field.name];
  if (field.message === ValueSchema && field.fieldKind === "message" && shape) {
    checks.push((message, path) => {
      const value = message[field.localName] as Value | undefined;
      if (value === undefined || value.kind.case === "nullValue") message[field.localName] = undefined;
      else if (!shape.test(value)) throw invalidArgument(path + field.name, shape.reason);
    });
  }
  const nested = field.message;
  if (nested && !nested.typeName.startsWith("google.protobuf.") && field.oneof === undefined)
    checks.push(descend(field, nested));
  return checks;
}

export function isRequired(field: DescField): boolean {
  return (
    hasOption(field, field_behavior) && getOption(field, field_behavior).includes(FieldBehavior.REQUIRED)
  );
}

function requires(field: DescField): Check {
  const name = field.localName;
  const reason = "is required";
  if (field.fieldKind === "list") {
    return (message, path) => {
      if (itemsIn(message, field).length === 0) throw invalidArgument(path + field.name, reason);
    };
  }
  return (message, path) => {
    const value = message[name];
    if (value === undefined || (value === "" && field.proto.proto3Optional === false))
      throw invalidArgument(path + field.name, reason);
  };
}

function descend(field: DescField, nested: DescMessage): Check {
  const name = field.localName;
  if (field.fieldKind === "list") {
    return (message, path) => {
      for (const [i, item] of (message[name] as Fields[]).entries()) {
        for (const check of checksOf(nested)) check(item, `${path}${field.name}[${i}].`);
      }
    };
  }
  if (field.fieldKind !== "message") return () => undefined;
  return (message, path) => {
    const value = message[name];
    if (value !== undefined)
      for (const check of checksOf(nested)) check(value as Fields, `${path}${field.name}.`);
  };
}

/** Reads the accepted content hashes and the idempotency key of a request. */
export function readConditions(call: RunningCall, request: Message): void {
  const ifMatch = textIn(request, "ifMatch");
  const idempotencyKey = textIn(request, "idempotencyKey");
  if (ifMatch !== undefined) call.ifMatch = entityTags(ifMatch);
  if (idempotencyKey !== undefined) call.idempotencyKey = idempotencyKey;
}
