import {
  create,
  type DescField,
  type DescMessage,
  fromJson,
  type JsonValue,
  type Message,
  ScalarType,
} from "@bufbuild/protobuf";
import { base64Decode } from "@bufbuild/protobuf/wire";
import { StructSchema, ValueSchema } from "@bufbuild/protobuf/wkt";
import { isObject } from "../../base/expect.ts";
import { invalidArgument } from "../../domain/errors.ts";
import { type Fields, fieldsOf } from "../message-fields.ts";
import type { JsonObject } from "./json-body.ts";
import type { UnknownFields } from "./unknown-fields.ts";

/**
 * Converts a JSON value other than null to a field value. `path`: location named in errors, such as
 * `parts[1].type`.
 */
type Read<T = unknown> = (value: unknown, path: string, unknown: UnknownFields) => T;
interface Binding {
  readonly read: Read;
  readonly set: (message: Fields, value: unknown) => void;
}

const bindings = new Map<DescMessage, ReadonlyMap<string, Binding>>();

/**
 * Sets the fields of `message` from `body`, strictly by type: `"10"`, `"true"` and 1.5 are refused for an
 * integer; 10.0 is 10. Names are those of the proto files; others are reported to `unknown`. Null counts as
 * absent. Throws INVALID_ARGUMENT with details.field such as `parts[1].type`.
 */
export function bindJson(
  desc: DescMessage,
  message: Message,
  body: JsonObject,
  unknown: UnknownFields,
  path = "",
): void {
  const known = bindingsOf(desc);
  for (const name of Object.keys(body)) {
    const value = body[name];
    const binding = known.get(name);
    if (binding === undefined) unknown.addField(desc, name, path + name);
    else if (value !== null) binding.set(fieldsOf(message), binding.read(value, path + name, unknown));
  }
}

function bindingsOf(desc: DescMessage): ReadonlyMap<string, Binding> {
  const known = bindings.get(desc);
  if (known) return known;
  const made = new Map<string, Binding>();
  bindings.set(desc, made);
  for (const field of desc.fields) made.set(field.name, { read: reader(field), set: setter(field) });
  return made;
}

/** A function that sets a field, including oneof members. */
export function setter(field: DescField): (message: Fields, value: unknown) => void {
  const name = field.localName;
  const oneof = field.oneof?.localName;
  if (oneof === undefined) {
    return (message, value) => {
      message[name] = value;
    };
  }
  return (message, value) => {
    message[oneof] = { case: name, value };
  };
}

function reader(field: DescField): Read {
  switch (field.fieldKind) {
    case "scalar":
      return scalarReader(field.scalar);
    case "enum":
      return enumReader(field.enum.values.map((value) => [value.name, value.number]));
    case "message":
      return messageReader(field.message);
    case "list":
      return listReader(
        field.listKind === "message"
          ? messageReader(field.message)
          : field.listKind === "scalar"
            ? scalarReader(field.scalar)
            : text,
      );
    case "map":
      return mapReader(
        field.mapKind === "message"
          ? messageReader(field.message)
          : field.mapKind === "scalar"
            ? scalarReader(field.scalar)
            : text,
      );
  }
}

const wrong = (path: string, expected: string) => invalidArgument(path, `must be ${expected}`);

const text: Read<string> = (value, path) => {
  if (typeof value !== "string") throw wrong(path, "a string");
  return value;
};

function scalarReader(type: ScalarType): Read {
  switch (type) {
    case ScalarType.STRING:
      return text;
    case ScalarType.BOOL:
      return (value, path) => {
        if (typeof value !== "boolean") throw wrong(path, "true or false");
        return value;
      };
    case ScalarType.BYTES:
      return (value, path, unknown) => {
        try {
          return base64Decode(text(value, path, unknown));
        } catch {
          throw wrong(path, "base64");
        }
      };
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return integerReader(0, 0xffffffff);
    case ScalarType.INT32:
    case ScalarType.SINT32:
    case ScalarType.SFIXED32:
      return integerReader(-0x80000000, 0x7fffffff);
    default:
      return (value, path) => {
        if (typeof value !== "number") throw wrong(path, "a number");
        return value;
      };
  }
}

function integerReader(least: number, most: number): Read {
  return (value, path) => {
    if (typeof value !== "number" || !Number.isInteger(value)) throw wrong(path, "an integer");
    if (value < least || value > most) throw wrong(path, `between ${least} and ${most}`);
    return value;
  };
}

function enumReader(values: readonly (readonly [string, number])[]): Read {
  const numbers = new Map(values);
  return (value, path) => {
    const found = typeof value === "string" ? numbers.get(value) : undefined;
    if (found === undefined) throw wrong(path, `one of ${[...numbers.keys()].join(", ")}`);
    return found;
  };
}

function messageReader(desc: DescMessage): Read {
  if (desc.typeName === ValueSchema.typeName) return (value) => fromJson(ValueSchema, value as JsonValue);
  if (desc.typeName === StructSchema.typeName) return object;
  return (value, path, unknown) => {
    const inner = create(desc);
    bindJson(desc, inner, object(value, path, unknown), unknown, `${path}.`);
    return inner;
  };
}

const object: Read<JsonObject> = (value, path) => {
  if (!isObject(value)) throw wrong(path, "an object");
  return value;
};

function listReader(item: Read): Read {
  return (value, path, unknown) => {
    if (!Array.isArray(value)) throw wrong(path, "an array");
    return value.map((inner, i) => {
      if (inner === null) throw wrong(`${path}[${i}]`, "a value");
      return item(inner, `${path}[${i}]`, unknown);
    });
  };
}

function mapReader(item: Read): Read {
  return (value, path, unknown) => {
    const entries = Object.entries(object(value, path, unknown));
    return Object.fromEntries(entries.map(([key, inner]) => [key, item(inner, `${path}.${key}`, unknown)]));
  };
}
